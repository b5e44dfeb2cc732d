/** A devnet as an EIP-1193 provider in the same process: requests, subscriptions, and the events of a wallet. */
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

/** An error of `devnet.request` (EIP-1193): the code, message and data of the error that a node would return. */
export class ProviderRpcError extends Error {
  readonly code: number
  readonly data: unknown
  /** The message again: viem decodes a revert with code -32000 only if this member exists. */
  readonly details: string
  /** Where in Solidity code failed; absent without artifacts. `stack` shows its frames above those of JavaScript. */
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

/** @internal Returns the provider's error for an error response. An unexpected exception is kept as `cause`. */
export function providerError({ error, cause, stackTrace }: Refused): ProviderRpcError {
  const isExpected = cause instanceof Problem || cause === undefined
  const shown = isExpected ? new ProviderRpcError(error) : new ProviderRpcError(error, cause)
  return withSolidityStack(shown, stackTrace)
}

/** A notification of a subscription that `devnet.request` made (EIP-1193). */
export interface ProviderMessage {
  readonly type: 'eth_subscription'
  readonly data: { readonly subscription: string; readonly result: unknown }
}

/** The events of a provider (EIP-1193). */
export interface ProviderEvents {
  /** Emitted once, right after the first access to `devnet.provider`: requests are served. */
  connect: (info: { readonly chainId: Hex }) => void
  /** The devnet was closed: all later requests are refused. */
  disconnect: (error: ProviderRpcError) => void
  message: (message: ProviderMessage) => void
  /** The result of `eth_chainId` has changed, by `anvil_setChainId` or by restoring a snapshot. */
  chainChanged: (chainId: Hex) => void
  /** The result of `eth_accounts` has changed: an account was impersonated or locked, for example. */
  accountsChanged: (accounts: readonly Address[]) => void
}

/** The names of the events that a provider emits. */
export const PROVIDER_EVENTS: KnownNames = namesOf<ProviderEvents>({
  connect: true,
  disconnect: true,
  message: true,
  chainChanged: true,
  accountsChanged: true,
})

/** An EIP-1193 provider: `devnet.provider`. */
export class Provider {
  readonly #dispatch: Dispatch
  readonly #context: RpcContext
  readonly #subscriptions: Subscriptions
  readonly #listeners = new Listeners<ProviderEvents>()
  /** Functions that reject the requests that are never answered. */
  readonly #abandoned = new Set<(error: ProviderRpcError) => void>()
  #isConnected = false
  #isClosed = false
  /** The chain id and accounts of the last events, once there is a listener. */
  #emitted: { chainId: Hex; accounts: readonly Address[] } | undefined

  /** @internal Created once per devnet. */
  constructor(dispatch: Dispatch, context: RpcContext) {
    this.#dispatch = dispatch
    this.#context = context
    this.#subscriptions = new Subscriptions(context.feeds, (subscription, result) => {
      // Parsed for each subscription: a listener may change its value.
      const data = { subscription, result: JSON.parse(result) }
      this.#listeners.emit('message', { type: 'eth_subscription', data })
    })
  }

  /** Whether the devnet is closed, so that requests are refused. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Runs a JSON-RPC request and returns its result. Rejects with `ProviderRpcError`. */
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
    // The caller has its result first, however many functions pass it on; only then notifications follow (invariant 5).
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

  /** Removes the listener. */
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

  /** @internal Ends all subscriptions, and refuses requests from now on. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#subscriptions.close()
    for (const reject of this.#abandoned) reject(closed())
    this.#abandoned.clear()
    // Creating an error takes longer than closing a devnet.
    if (this.#listeners.has('disconnect')) this.#listeners.emit('disconnect', closed())
  }

  get #chainId(): Hex {
    return encodeQuantity(this.#context.chainId)
  }

  get #accounts(): readonly Address[] {
    return this.#context.accounts
  }

  /** Watches chain id and accounts for changes from now on. */
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

  /** Returns the error for a request without a method, such as `request('eth_chainId')`. */
  #unreadable(request: unknown): ProviderRpcError {
    const detail = `expected { method, params }, got ${shown(request)}`
    return new ProviderRpcError(toRpcError({ kind: 'invalidRequest', detail }, this.#context.options.dialect))
  }

  /** Returns a promise that settles only when the provider is closed, by a rejection. */
  #forever(): Promise<never> {
    return new Promise((_, reject) => {
      if (this.#isClosed) reject(closed())
      else this.#abandoned.add(reject)
    })
  }
}

/** Returns the error for requests to a closed devnet. */
export function closed(): ProviderRpcError {
  return new ProviderRpcError({ code: DISCONNECTED, message: 'the devnet is closed' })
}
