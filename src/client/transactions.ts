/** Sends the client's transactions, and waits until each has reached the state that its sender requires. */
import type { Address, Hash, Hex } from '../bytes/hex.ts'
import { stackTraceOfIncluded } from '../methods/solidity/solidityStackTrace.ts'
import { checksummed, contractAddress } from '../model/account/account.ts'
import type { RpcContext } from '../rpc/context.ts'
import { tooEarlyText } from '../rpc/errors/failureText.ts'
import type { Provider } from '../rpc/provider.ts'
import type { Abi } from '../solidity/abi/contract.ts'
import type { Libraries } from '../solidity/artifacts/link.ts'
import { Work } from '../work/work.ts'
import { checkArgument, unexpected } from './argument.ts'
import { quantityOf } from './fields.ts'
import { included, notIncluded, type Until } from './inclusion.ts'
import type { BlockSelector } from './parameters.ts'
import { type Receipt, receiptIn } from './receipt.ts'
import type { Requests } from './requests.ts'
import { type Called, pageUrlOf, reverted } from './reverted.ts'

/** The parameters of all functions, with untyped members: the types are checked by the public signatures. */
export interface AnyOptions {
  readonly from?: unknown
  readonly to?: Address
  readonly value?: unknown
  readonly data?: unknown
  readonly gas?: unknown
  readonly until?: Until | undefined
  readonly args?: readonly unknown[]
  readonly libraries?: Libraries
}

export interface AnyParameters extends AnyOptions {
  readonly abi: Abi
  readonly address: unknown
  readonly functionName: string
  readonly at?: BlockSelector
}

/** The hash of a sent transaction, and its receipt unless the transaction is only accepted. */
interface AnySent {
  readonly hash: Hash
  readonly receipt?: Receipt
}

const UNTILS: readonly Until[] = ['accepted', 'preconfirmed', 'sealed']

export class Transactions {
  readonly #requests: Requests
  readonly #context: RpcContext
  readonly #provider: Provider
  #impersonations: Map<Address, number> | undefined

  constructor(requests: Requests, context: RpcContext, provider: Provider) {
    this.#requests = requests
    this.#context = context
    this.#provider = provider
  }

  /** Sends a transaction for a function. Rejects if the transaction fails or does not reach the required state. */
  async send(what: string, options: AnyOptions, called: Called): Promise<AnySent> {
    const { from, to, value, data, gas, until = 'sealed' } = options
    if (!UNTILS.includes(until)) throw unexpected(`${what}: until`, `one of ${UNTILS.join(', ')}`, until)
    if (data !== undefined) checkArgument({ type: 'bytes' }, data, `${what}: data`)
    const fields = {
      from: this.#requests.sender(from, what),
      to,
      data,
      value: value === undefined ? undefined : quantityOf(value, `${what}: value`),
      gas: gas === undefined ? undefined : quantityOf(gas, `${what}: gas`),
    }
    const answer = await this.#requests.ask('eth_sendTransaction', [fields])
    if (answer.kind === 'error') throw await this.#requests.failed(answer, called, fields.from)
    const hash = answer.result as Hash
    if (until === 'accepted') return { hash }
    const { block, index } = await included(this.#context, this.#provider, hash, until)
    const receipt = receiptIn(block, index)
    if (receipt.status === 'success') return { hash, receipt }
    const hint = tooEarlyText(this.#context, { block, index })
    const own = this.#context.withWork(new Work({ owner: this.#context }))
    const stackTrace = await stackTraceOfIncluded(own, { block, index })
    const pageUrl = pageUrlOf(this.#context, hash)
    throw await reverted(block.receipts[index]!.failure, { ...called, stackTrace, pageUrl }, receipt, hint)
  }

  /** Returns the address of the contract that a waiting transaction will create. */
  async createdBy(hash: Hash): Promise<Address> {
    const answer = await this.#requests.ask('eth_getTransactionByHash', [hash])
    const { result } = answer as { result: unknown }
    // The result is `null` if a tick or a fault has removed the transaction from the pool in the meantime.
    if (result === null) throw await notIncluded(this.#context, hash, 'accepted')
    const { from, nonce } = result as { from: Address; nonce: Hex }
    return checksummed(contractAddress(from, BigInt(nonce)))
  }

  async impersonate(address: Address): Promise<Impersonation> {
    // The map is created at the first use, because most forks never impersonate an account.
    this.#impersonations ??= new Map()
    const count = this.#impersonations.get(address)
    const { impersonated } = this.#context.sequencer.upcoming.cheats
    // An impersonation by `anvil_impersonateAccount` is ended only by `anvil_stopImpersonatingAccount`.
    const isTheirs = count === undefined && impersonated.has(address)
    if (!isTheirs) this.#impersonations.set(address, (count ?? 0) + 1)
    await this.#requests.result('anvil_impersonateAccount', [address])
    let isOver = isTheirs
    const stop = async () => {
      if (isOver) return
      isOver = true
      await this.#leave(address, this.#impersonations!)
    }
    return { address: checksummed(address), stop, [Symbol.asyncDispose]: stop }
  }

  async #leave(address: Address, counts: Map<Address, number>): Promise<void> {
    const left = counts.get(address)! - 1
    counts.set(address, left)
    if (left > 0) return
    // The count is deleted only after the impersonation has ended. Otherwise a call that begins in between would
    // take this impersonation for one by `anvil_impersonateAccount`. On a closed devnet the impersonation has ended
    // already.
    if (!this.#provider.isClosed) await this.#requests.result('anvil_stopImpersonatingAccount', [address])
    if (counts.get(address) === 0) counts.delete(address)
  }
}

/** An impersonated account. Disposing of it ends the impersonation. */
export interface Impersonation extends AsyncDisposable {
  /** The address of the account, to use as `from`. */
  readonly address: Address
  /** Ends the impersonation, unless other callers still impersonate the account. A second call does nothing. */
  stop(): Promise<void>
}
