import type { Address, Hex } from '../bytes/hex.ts'
import { type KnownNames, namesOf } from '../model/api/arguments.ts'
import { callSite, thrownAt } from '../model/api/callSite.ts'
import { Listeners } from '../model/collections/listeners.ts'
import { withSolidityStack } from '../solidity/stackTrace/errorStack.ts'
import type { SolidityStackTrace } from '../solidity/stackTrace/format.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { shown } from '../wire/parser.ts'
import type { RpcContext } from './context.ts'
import { DISCONNECTED } from './errors/errorCodes.ts'
import { type RpcError, toRpcError } from './errors/errors.ts'
import { Problem } from './errors/problem.ts'
import { positionalParams } from './message.ts'
import type { Dispatch, Refused } from './request.ts'
import { Subscriptions } from './subscriptions.ts'

/** An error of `devnet.request` (EIP-1193), with the code, message and data that a node would return. */
export class ProviderRpcError extends Error {
  readonly code: number
  readonly data: unknown
  /** Equal to `message`. viem decodes a revert with code -32000 only if the error has this member. */
  readonly details: string
  /** The Solidity stack trace; absent without artifacts. `stack` shows its frames before those of JavaScript. */
  declare readonly solidityStack?: SolidityStackTrace

  constructor({ code, message, data }: RpcError, cause?: unknown) {
    // Test runners print `cause` if the member exists, even if it is undefined.
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ProviderRpcError'
    this.code = code
    this.details = message
    this.data = data
  }
}

/** @internal Returns the provider's error for an error response. `cause` is set only for an unexpected exception. */
export function providerError({ error, cause, stackTrace }: Refused): ProviderRpcError {
  const isExpected = cause instanceof Problem || cause === undefined
  const shown = isExpected ? new ProviderRpcError(error) : new ProviderRpcError(error, cause)
  return withSolidityStack(shown, stackTrace)
}

/** The notification of a subscription that was made through `devnet.request` (EIP-1193). */
export interface ProviderMessage {
  readonly type: 'eth_subscription'
  readonly data: { readonly subscription: string; readonly result: unknown }
}

export interface ProviderEvents {
  /** Emitted once, after the first access to `devnet.provider`. */
  connect: (info: { readonly chainId: Hex }) => void
  /** Emitted when the devnet is closed. All later requests are rejected. */
  disconnect: (error: ProviderRpcError) => void
  message: (message: ProviderMessage) => void
  /** Emitted after the result of `eth_chainId` has changed, by `anvil_setChainId` or by restoring a snapshot. */
  chainChanged: (chainId: Hex) => void
  /** Emitted after the result of `eth_accounts` has changed, for example because an account was impersonated. */
  accountsChanged: (accounts: readonly Address[]) => void
}

export const PROVIDER_EVENTS: KnownNames = namesOf<ProviderEvents>({
  connect: true,
  disconnect: true,
  message: true,
  chainChanged: true,
  accountsChanged: true,
})

export class Provider {
  readonly #dispatch: Dispatch
  readonly #context: RpcContext
  readonly #subscriptions: Subscriptions
  readonly #listeners = new Listeners<ProviderEvents>()
  /** For each request that a fault leaves without an answer, a function that rejects the request's promise. */
  readonly #abandoned = new Set<(error: ProviderRpcError) => void>()
  #isConnected = false
  #isClosed = false
  /** The chain id and the accounts of the last events; `undefined` while there is no listener. */
  #emitted: { chainId: Hex; accounts: readonly Address[] } | undefined

  constructor(dispatch: Dispatch, context: RpcContext) {
    this.#dispatch = dispatch
    this.#context = context
    this.#subscriptions = new Subscriptions(context.feeds, (subscription, result) => {
      // The result is parsed for each subscription, because a listener may change the parsed value.
      const data = { subscription, result: JSON.parse(result) }
      this.#listeners.emit('message', { type: 'eth_subscription', data })
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Runs a JSON-RPC request and returns the result. Rejects with `ProviderRpcError`. */
  async request(request: { method: string; params?: unknown }): Promise<unknown> {
    const { method, params } = request
    if (this.#isClosed) throw closed()
    if (typeof method !== 'string') throw this.#unreadable(request)
    const positional = positionalParams(params)
    if ('kind' in positional)
      throw new ProviderRpcError(toRpcError(positional, this.#context.options.dialect))
    const answering = this.#dispatch({ method, params: positional }, this.#subscriptions)
    const answered = this.#subscriptions.answered()
    const answer = await answering
    // Sends notifications after the caller has the subscription's id, even if wrappers of `request` delay the result.
    if (answered !== undefined) this.#context.sequencer.queue.afterTurn(answered)
    if (answer.kind === 'never') return this.#forever()
    if (answer.kind === 'error') {
      throw thrownAt(callSite(Provider.prototype.request), providerError(answer))
    }
    return answer.result
  }

  /** Calls `listener` at each `event`. */
  on<E extends keyof ProviderEvents>(event: E, listener: ProviderEvents[E]): this {
    this.#listeners.on(event, listener)
    if (event === 'chainChanged' || event === 'accountsChanged') this.#watch()
    return this
  }

  removeListener<E extends keyof ProviderEvents>(event: E, listener: ProviderEvents[E]): this {
    this.#listeners.off(event, listener)
    return this
  }

  /** @internal Emits `connect` at the end of this turn of the event loop. */
  connect(): void {
    if (this.#isConnected || this.#isClosed) return
    this.#isConnected = true
    queueMicrotask(() => {
      if (!this.#isClosed) this.#listeners.emit('connect', { chainId: this.#chainId })
    })
  }

  /** @internal Ends all subscriptions. All later requests are rejected. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#subscriptions.close()
    for (const reject of this.#abandoned) reject(closed())
    this.#abandoned.clear()
    // The error is created only for a listener: creating an error takes longer than closing a devnet.
    if (this.#listeners.has('disconnect')) this.#listeners.emit('disconnect', closed())
  }

  get #chainId(): Hex {
    return encodeQuantity(this.#context.chainId)
  }

  get #accounts(): readonly Address[] {
    return this.#context.accounts
  }

  /** Emits `chainChanged` and `accountsChanged` when a command changes the chain id or the accounts. */
  #watch(): void {
    if (this.#emitted !== undefined) return
    this.#emitted = { chainId: this.#chainId, accounts: this.#accounts }
    const { sequencer } = this.#context
    sequencer.listeners.on('cheatsChanged', () => this.#compare())
  }

  #compare(): void {
    const before = this.#emitted!
    const now = { chainId: this.#chainId, accounts: this.#accounts }
    this.#emitted = now
    if (now.chainId !== before.chainId) this.#listeners.emit('chainChanged', now.chainId)
    if (now.accounts.join() !== before.accounts.join()) this.#listeners.emit('accountsChanged', now.accounts)
  }

  /** Returns the error for an argument without a method, as in `request('eth_chainId')`. */
  #unreadable(request: unknown): ProviderRpcError {
    const detail = `expected { method, params }, got ${shown(request)}`
    return new ProviderRpcError(toRpcError({ kind: 'invalidRequest', detail }, this.#context.options.dialect))
  }

  /** Returns a promise that never resolves, and is rejected when the provider is closed. */
  #forever(): Promise<never> {
    return new Promise((_, reject) => {
      if (this.#isClosed) reject(closed())
      else this.#abandoned.add(reject)
    })
  }
}

export function closed(): ProviderRpcError {
  return new ProviderRpcError({ code: DISCONNECTED, message: 'the devnet is closed' })
}
