/**
 * Processes a message: buys gas, sets nonces and delegations, warms accounts and slots, runs the code, refunds and
 * pays (Yellow Paper 6.2 with EIP-1559, 2930, 3529, 3651, 4844, 7623 and 7702).
 */
import { type Address, EMPTY_BYTES } from '../../bytes/hex.ts'
import { HALF_ORDER } from '../../crypto/secp256k1.ts'
import { contractAddress, delegateOf, delegationTo } from '../../model/account/account.ts'
import { blobGasOf } from '../../model/block/fees.ts'
import type { ConsoleCalls } from '../../model/execution/call.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { Log } from '../../model/receipt/log.ts'
import { gasBounds } from '../../model/transaction/intrinsicGas.ts'
import { authorityOf } from '../../model/transaction/signedTransaction.ts'
import type { Authorization } from '../../model/transaction/transaction.ts'
import type { AccountChange } from '../../state/state.ts'
import { andThen, type MaybePromise, runSteps, type Steps, waitFor } from '../../work/maybePromise.ts'
import type { Work } from '../../work/work.ts'
import type { BlockContext } from '../blockContext.ts'
import type { EngineRun, Execution, HaltReason, Message, Outcome, Success } from '../engine.ts'
import type { Instance } from './instance.ts'
import { type FrameEnd, noLogs } from './results.ts'

const MAX_NONCE = 2n ** 64n - 1n

/** Number of access list items warmed between two pauses. */
const ITEMS_AT_ONCE = 1_000

/** Runs the message on `instance`, whose run has begun. Returns a promise if the run pauses. */
export function transact(
  instance: Instance,
  rules: Rules,
  { context, message, work }: EngineRun,
): MaybePromise<Execution> {
  const run = new Run(instance, rules, context, message)
  const refusal = run.begin()
  if (refusal !== undefined) return run.refuse(refusal)
  return andThen(run.execute(work), (frame) => run.end(frame))
}

class Run {
  readonly #instance: Instance
  readonly #rules: Rules
  readonly #context: BlockContext
  readonly #message: Message
  readonly #sender: number
  readonly #intrinsic: bigint
  /** The minimum gas that is charged in total (EIP-7623). */
  readonly #floor: bigint
  #createdAddress: Address | undefined
  /** The refund for authorizations of existing accounts (EIP-7702). */
  #authorizationRefund = 0n

  constructor(instance: Instance, rules: Rules, context: BlockContext, message: Message) {
    this.#instance = instance
    this.#rules = rules
    this.#context = context
    this.#message = message
    this.#sender = instance.account(message.from)
    const { intrinsic, floor } = message.kind === 'system' ? NO_GAS : gasBounds(rules, message)
    this.#intrinsic = intrinsic
    this.#floor = floor
  }

  /** Performs the steps before the code runs. Returns the reason if the message cannot start; otherwise `undefined`. */
  begin(): HaltReason | undefined {
    const { kind, to, from } = this.#message
    if (kind === 'system') {
      // The called contract is warm as in go-ethereum (core/state_processor.go).
      if (to !== undefined && this.#rules.has(2929)) this.#instance.warmAccount(this.#instance.account(to))
      return undefined
    }
    const nonce = this.#instance.nonce(this.#sender)
    if (to === undefined) this.#createdAddress = contractAddress(from, nonce)
    this.#buyGas()
    this.#instance.setNonce(this.#sender, nonce + 1n)
    const refusal = kind === 'deposit' ? this.#refusal() : undefined
    if (refusal !== undefined) return refusal
    if (this.#rules.has(2929)) this.#warm()
    for (const authorization of this.#message.authorizationList) this.#authorize(authorization)
    return this.#isInitCodeTooLarge() ? 'initCodeTooLarge' : undefined
  }

  execute(work: Work): MaybePromise<FrameEnd> {
    if (this.#message.accessList.length === 0 || !this.#rules.has(2929)) return this.#run(work)
    return andThen(runSteps(this.#warmList(work)), () => this.#run(work))
  }

  #run(work: Work): MaybePromise<FrameEnd> {
    const { to, value, data, gasLimit } = this.#message
    const instance = this.#instance
    const gas = gasLimit - this.#intrinsic
    if (to === undefined) {
      const address = this.#createdAddress!
      return instance.create({ from: this.#sender, address, value, data, gas }, work)
    }
    const account = instance.account(to)
    return instance.call(
      { from: this.#sender, to: account, codeAt: this.#codeOf(account), value, data, gas },
      work,
    )
  }

  /** Returns the execution of a message that cannot start. Such a message uses all its gas. */
  refuse(reason: HaltReason): Execution {
    const { kind, gasLimit } = this.#message
    if (kind !== 'deposit') this.#pay(gasLimit)
    const outcome: Outcome = {
      kind: 'halt',
      gasUsed: gasLimit,
      gasBeforeRefund: gasLimit,
      console: undefined,
      reason,
    }
    return { outcome, changes: this.#instance.changes() }
  }

  end(frame: FrameEnd): Execution {
    const { kind, gasLimit } = this.#message
    const spent = gasLimit - frame.gasLeft
    const gasUsed = kind === 'system' ? spent : this.#charged(spent, frame.refund)
    const outcome = this.#outcome(frame, gasUsed, spent > gasUsed ? spent : gasUsed)
    if (this.#message.dropsChanges) return { outcome, changes: NO_CHANGES }
    if (kind === 'transaction' || kind === 'simulation') this.#pay(gasUsed)
    return { outcome, changes: this.#instance.changes() }
  }

  #buyGas(): void {
    const { gasLimit, gasPrice, blobGasPrice } = this.#message
    const price = gasLimit * gasPrice + blobGasOf(this.#message) * blobGasPrice
    // At price 0 the balance does not change. The sender is touched (EIP-161) when its nonce is set.
    if (price === 0n) return
    this.#instance.setBalance(this.#sender, this.#instance.balance(this.#sender) - price)
  }

  /** Returns the reason if a deposit cannot start. For messages of other kinds, the caller has checked this. */
  #refusal(): HaltReason | undefined {
    const { gasLimit, value } = this.#message
    if (gasLimit < this.#intrinsic || gasLimit < this.#floor) return 'outOfGas'
    return this.#instance.balance(this.#sender) < value ? 'insufficientBalance' : undefined
  }

  #isInitCodeTooLarge(): boolean {
    const { to, data } = this.#message
    return (
      to === undefined && this.#rules.has(3860) && data.length > Number(this.#rules.param('maxInitCodeSize'))
    )
  }

  #warm(): void {
    const instance = this.#instance
    const { to } = this.#message
    instance.warmAccount(this.#sender)
    if (to !== undefined) instance.warmAccount(instance.account(to))
    if (this.#rules.has(3651)) instance.warmAccount(instance.account(this.#context.coinbase))
  }

  /** Warms the access list (EIP-2930). Pauses, because the list may have tens of thousands of items. */
  *#warmList(work: Work): Steps<void> {
    const instance = this.#instance
    let items = 0
    for (const { address, storageKeys } of this.#message.accessList) {
      const account = instance.account(address)
      instance.warmAccount(account)
      if (++items % ITEMS_AT_ONCE === 0) yield* waitFor(work.pause())
      for (const key of storageKeys) {
        instance.warmSlot(account, key)
        if (++items % ITEMS_AT_ONCE === 0) yield* waitFor(work.pause())
      }
    }
  }

  /** Delegates the account that signed to the authorized address (EIP-7702). Skips an invalid authorization. */
  #authorize(authorization: Authorization): void {
    const { chainId, address, nonce } = authorization
    if (chainId !== 0n && chainId !== this.#rules.chainId) return
    if (nonce >= MAX_NONCE || authorization.s > HALF_ORDER) return
    const authority = authorityOf(authorization)
    if (authority === undefined) return
    const instance = this.#instance
    const account = instance.account(authority)
    instance.warmAccount(account)
    const code = instance.code(account)
    if (code.length > 0 && delegateOf(code) === undefined) return
    if (instance.nonce(account) !== nonce) return
    if (instance.exists(account)) {
      this.#authorizationRefund +=
        this.#rules.param('perEmptyAccountCost') - this.#rules.param('perAuthBaseGas')
    }
    instance.setCode(account, BigInt(address) === 0n ? EMPTY_BYTES : delegationTo(address))
    instance.setNonce(account, nonce + 1n)
  }

  /** Returns the account whose code runs when `account` is called: itself or its delegate. Warms the delegate. */
  #codeOf(account: number): number {
    const codeAt = this.#instance.delegateOf(account)
    if (codeAt === undefined) return account
    this.#instance.warmAccount(codeAt)
    return codeAt
  }

  /** Returns the gas charged: the gas used minus the refund (EIP-3529), at least the floor (EIP-7623). */
  #charged(spent: bigint, frameRefund: bigint): bigint {
    const refund = frameRefund + this.#authorizationRefund
    const most = spent / this.#rules.param('maxRefundQuotient')
    const used = spent - (refund < most ? refund : most)
    return used > this.#floor ? used : this.#floor
  }

  #pay(gasUsed: bigint): void {
    const { gasLimit, gasPrice, tip } = this.#message
    const instance = this.#instance
    const back = (gasLimit - gasUsed) * gasPrice
    if (back > 0n) instance.setBalance(this.#sender, instance.balance(this.#sender) + back)
    const coinbase = instance.account(this.#context.coinbase)
    // A payment of 0 touches the account too (EIP-161), and creates the account before Spurious Dragon.
    instance.setBalance(coinbase, instance.balance(coinbase) + gasUsed * tip)
  }

  #outcome(frame: FrameEnd, gasUsed: bigint, gasBeforeRefund: bigint): Outcome {
    const { console } = this.#instance
    switch (frame.kind) {
      case 'success': {
        const need = frame.gasNeed === undefined ? undefined : this.#intrinsic + frame.gasNeed
        return new Succeeded(
          gasUsed,
          gasBeforeRefund,
          console,
          need === undefined || need > gasBeforeRefund ? need : gasBeforeRefund,
          frame.makesCalls,
          frame.output,
          this.#createdAddress,
          this.#message.dropsChanges ? noLogs : this.#instance.logsLater(),
        )
      }
      case 'revert':
        return { kind: 'revert', gasUsed, gasBeforeRefund, console, data: frame.output }
      case 'halt':
        return { kind: 'halt', gasUsed, gasBeforeRefund, console, reason: frame.reason! }
    }
  }
}

const NO_GAS = { intrinsic: 0n, floor: 0n }
const NO_CHANGES: readonly AccountChange[] = []

/** A success that decodes the logs on first access, because most callers ignore the logs. */
class Succeeded implements Success {
  readonly kind = 'success'
  readonly gasUsed: bigint
  readonly gasBeforeRefund: bigint
  readonly console: ConsoleCalls | undefined
  readonly gasNeeded: bigint | undefined
  readonly mayNeedLess: boolean
  readonly returnData: Uint8Array
  readonly createdAddress: Address | undefined
  readonly #makeLogs: () => readonly Log[]
  #logs: readonly Log[] | undefined

  constructor(
    gasUsed: bigint,
    gasBeforeRefund: bigint,
    console: ConsoleCalls | undefined,
    gasNeeded: bigint | undefined,
    mayNeedLess: boolean,
    returnData: Uint8Array,
    createdAddress: Address | undefined,
    makeLogs: () => readonly Log[],
  ) {
    this.gasUsed = gasUsed
    this.gasBeforeRefund = gasBeforeRefund
    this.console = console
    this.gasNeeded = gasNeeded
    this.mayNeedLess = mayNeedLess
    this.returnData = returnData
    this.createdAddress = createdAddress
    this.#makeLogs = makeLogs
  }

  get logs(): readonly Log[] {
    this.#logs ??= this.#makeLogs()
    return this.#logs
  }
}
