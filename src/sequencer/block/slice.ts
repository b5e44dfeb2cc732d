/** Makes a slice: runs executable transactions into the open block. */
import type { Chain } from '../../chain/chain.ts'
import type { Preconfirmed, SliceMoment } from '../../chain/moment.ts'
import { type BlockContext, blockContext } from '../../engine/blockContext.ts'
import type { Evm, Evms } from '../../engine/evm.ts'
import { runIncluded } from '../../engine/run/runMessage.ts'
import { bytesInBlock, maxTransactionBytes } from '../../model/block/block.ts'
import type { ConsoleCalls } from '../../model/execution/call.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { refuseAccount } from '../../pool/admit.ts'
import { type Choice, chosenOf, inGivenOrder, inOrder, type Order, type OrderName } from '../../pool/order.ts'
import type { Pool } from '../../pool/pool.ts'
import { readTogether } from '../../state/fetchingView.ts'
import { FetchFailed } from '../../state/remoteState.ts'
import type { State } from '../../state/state.ts'
import { MemoryLimitExceeded, Work } from '../../work/work.ts'
import { yieldingEvery } from '../clock.ts'
import type { DropReason } from '../events.ts'
import type { CommandQueue } from '../queue.ts'
import type { Derivation } from './derivation.ts'
import { blobRoom, IncludedTransactions } from './includedTransactions.ts'
import { type PendingHash, withPendingHash, withSlice } from './openBlock.ts'

/** A slice as published: the block after it, and the transactions that it added. */
export interface PublishedSlice {
  readonly open: SliceMoment
  readonly added: readonly Transaction[]
}

export interface Slice extends PublishedSlice {
  readonly open: Preconfirmed
  /** Transactions that are dropped from the pool, with the reasons. */
  readonly dropped: readonly (readonly [Transaction, DropReason])[]
  /** Transactions that need values of the forked network that could not be fetched. They stay in the pool. */
  readonly delayed: readonly (readonly [Transaction, FetchFailed])[]
  /** Output of `console.log` in the added transactions. */
  readonly consoleOutput: readonly (readonly [Transaction, ConsoleCalls])[]
}

export interface SlicerOptions {
  readonly chain: Chain
  readonly pool: Pool
  readonly evms: () => Evms
  readonly ticksPerBlock: number
  readonly sliceGasBudget: boolean
  readonly pendingHash: PendingHash
  readonly order?: OrderName
  readonly isBlockGasLimited?: boolean
  /** The command queue, if known. While a recording or a replay watches the queue, slices run without pauses. */
  readonly queue?: Pick<CommandQueue, 'isWatched'>
  readonly derivation?: Pick<Derivation, 'allowsDepositsOnly'> | undefined
  readonly deviations?: { readonly choose: Choice | undefined }
}

/** Milliseconds for which a slice runs before it pauses to let other requests be answered. */
const TURN_MS = 10

/** More gas than any block has. */
const UNLIMITED = 2n ** 64n

export class Slicer {
  readonly #options: SlicerOptions

  constructor(options: SlicerOptions) {
    this.#options = options
  }

  /** Returns the open block with a slice of waiting transactions. `isLast` means that it is the block's last slice. */
  async ready(open: Preconfirmed, isLast: boolean): Promise<Slice> {
    const { pool, order: by, pendingHash, deviations } = this.#options
    const { evm, context } = this.#environment(open)
    const { baseFeePerGas = 0n, blobBaseFee = 0n } = context
    const prices = { baseFeePerGas, blobBaseFee }
    const usual = this.#allowsDepositsOnly(open)
      ? inGivenOrder([])
      : readTogether(open.state, (view) => inOrder(pool.contents, view, prices, by))
    const order = deviations?.choose === undefined ? usual : chosenOf(usual, deviations.choose)
    const rest = this.#isObserved ? undefined : yieldingEvery(TURN_MS)
    const slice = await runSlice(evm, open, order, context, this.#gasLimit(open, isLast), rest)
    return slice.added.length === 0
      ? slice
      : { ...slice, open: withPendingHash(slice.open, pendingHash, open) }
  }

  /** Returns the open block with a slice of the `transactions` that can run, in the given order. */
  async given(open: Preconfirmed, transactions: readonly Transaction[]): Promise<Slice> {
    const { evm, context } = this.#environment(open)
    open.state.requireAccounts(transactions.map(({ from }) => from))
    const order = inGivenOrder(this.#allowsDepositsOnly(open) ? [] : transactions)
    return runSlice(evm, open, order, context, this.#gasLimit(open, true))
  }

  #allowsDepositsOnly(open: Preconfirmed): boolean {
    return this.#options.derivation?.allowsDepositsOnly(open) === true
  }

  #environment({ block: { header } }: Preconfirmed): { readonly evm: Evm; readonly context: BlockContext } {
    const usual = this.#options.evms().at(header)
    // Pauses depend on the speed of the machine, so a replay could not repeat the commands that run during a pause.
    const evm = this.#isObserved ? usual.for(new Work().withoutPauses()) : usual
    return { evm, context: blockContext(evm.rules, header, this.#options.chain.blockHash) }
  }

  get #isObserved(): boolean {
    return this.#options.queue?.isWatched === true
  }

  /** Returns the maximum `gasUsed` that the block may have after its next slice. */
  #gasLimit({ block, slices }: Preconfirmed, isLast: boolean): bigint {
    const { sliceGasBudget, ticksPerBlock, isBlockGasLimited = true } = this.#options
    const { gasLimit } = block.header
    if (!isBlockGasLimited) return UNLIMITED
    if (!sliceGasBudget || isLast || slices + 1 >= ticksPerBlock) return gasLimit
    return (gasLimit * BigInt(slices + 1)) / BigInt(ticksPerBlock)
  }
}

/**
 * Returns the open block with a slice of the transactions from `order` that fit into `gasLimit`. Drops a transaction
 * that `refuseAccount` refuses. A transaction waits if it does not fit, or if values that it needs cannot be fetched;
 * later transactions of its sender then wait, too. Has no side effects. Awaits `rest` before each run.
 */
export async function runSlice(
  evm: Evm,
  open: Preconfirmed,
  order: Order,
  context: BlockContext,
  gasLimit: bigint = context.gasLimit,
  rest: () => Promise<void> | undefined = () => undefined,
): Promise<Slice> {
  const most = gasLimit > context.gasLimit ? gasLimit : context.gasLimit
  const room = blobRoom(evm.rules, open.state, most)
  const included = new IncludedTransactions(evm.rules, context, open.block)
  const byteLimit = maxTransactionBytes(evm.rules)
  const consoleOutput: [Transaction, ConsoleCalls][] = []
  const delayed: [Transaction, FetchFailed][] = []
  const dropped: [Transaction, DropReason][] = order.passed.map((passed) => [
    passed,
    refuseAccount(passed, open.state, evm.rules)!,
  ])
  let { state } = open
  for (let next = order.next(); next !== undefined; next = order.next()) {
    const isFull =
      included.gasUsed + next.gasLimit > gasLimit ||
      included.blobGasUsed + room.shareOf(next) > room.limit ||
      included.bytes + bytesInBlock(next) > byteLimit
    if (isFull || !isDue(next, state, context)) {
      order.hold()
      continue
    }
    const impossible = refuseAccount(next, state, evm.rules)
    if (impossible !== undefined) {
      dropped.push([next, impossible])
      // The account already used this nonce, so the sender's next transaction can follow.
      if (impossible.kind === 'nonceTooLow') order.advance()
      else order.hold()
      continue
    }
    const resting = rest()
    if (resting !== undefined) await resting
    try {
      const ran = runIncluded(evm, state, context, next)
      const run = ran instanceof Promise ? await ran : ran
      state = run.state
      included.add(next, run)
      if (run.outcome.console !== undefined) consoleOutput.push([next, run.outcome.console])
      order.advance()
    } catch (error) {
      order.hold()
      if (error instanceof FetchFailed) delayed.push([next, error])
      else if (error instanceof MemoryLimitExceeded) {
        dropped.push([next, { kind: 'outOfMemory', limitBytes: error.limitBytes }])
      }
      // An internal error of the EVM: the transaction is dropped with an event, so that the chain continues.
      else dropped.push([next, { kind: 'defect', error }])
    }
  }
  const { transactions: added, receipts } = included
  return { open: withSlice(open, added, receipts, state), added, dropped, delayed, consoleOutput }
}

/** Returns whether no earlier nonce is missing and the fee covers the base fee. `inGivenOrder` checks neither. */
function isDue(
  { from, nonce, maxFeePerGas }: Transaction,
  state: State,
  { baseFeePerGas = 0n }: BlockContext,
): boolean {
  return nonce <= (state.account(from)?.nonce ?? 0n) && maxFeePerGas >= baseFeePerGas
}
