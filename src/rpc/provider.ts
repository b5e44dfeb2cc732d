/**
 * A devnet as an EIP-1193 provider, without a transport: requests, messages of what they subscribed to, and what else a wallet
 * tells of itself.
 */
import type { Address, Hex } from '../model/bytes/hex.ts'
import { callSite, thrownAt } from '../model/callSite.ts'
import { Listeners } from '../model/collections/listeners.ts'
import { type KnownNames, namesOf } from '../model/knownNames.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { shown } from '../wire/parser.ts'
import type { RpcContext } from './context.ts'
import { DISCONNECTED } from './errorCodes.ts'
import { type RpcError, toRpcError } from './errors.ts'
import { positionalParams } from './message.ts'
import { eth_accounts } from './methods/network.ts'
import { Problem } from './problem.ts'
import type { Dispatch } from './request.ts'
import { Subscriptions } from './subscriptions.ts'

/** An error of `devnet.request`, as EIP-1193 wants it: what a node would have answered. */
export class ProviderRpcError extends Error {
  readonly code: number
  readonly data: unknown
  /** The message once more, under viem's name for it: it decodes a revert of code -32000 only where it finds this. */
  readonly details: string

  constructor({ code, message, data }: RpcError, cause?: unknown) {
    // As soon as there is a member `cause`, test runners print it.
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ProviderRpcError'
    this.code = code
    this.details = message
    this.data = data
  }
}

/**
 * @internal The error that says what a node would have answered. What a method threw to say so tells nobody anything more;
 * a defect of our own is kept as `cause`.
 */
export function providerError(error: RpcError, thrown: unknown): ProviderRpcError {
  return thrown instanceof Problem || thrown === undefined
    ? new ProviderRpcError(error)
    : new ProviderRpcError(error, thrown)
}

/** A notification of a subscription that `devnet.request` made (EIP-1193). */
export interface ProviderMessage {
  readonly type: 'eth_subscription'
  readonly data: { readonly subscription: string; readonly result: unknown }
}

/** What a provider tells those who listen (EIP-1193). */
export interface ProviderEvents {
  /** Requests are answered: told once, right after `devnet.provider` is first asked for. */
  connect: (info: { readonly chainId: Hex }) => void
  /** The devnet was closed: no request is answered any more. */
  disconnect: (error: ProviderRpcError) => void
  message: (message: ProviderMessage) => void
  /** `eth_chainId` answers another than before: by `anvil_setChainId`, or a snapshot that took it back. */
  chainChanged: (chainId: Hex) => void
  /** `eth_accounts` answers others than before: one is impersonated now, or was locked. */
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

/** An EIP-1193 provider. `devnet.provider` */
export class Provider {
  readonly #dispatch: Dispatch
  readonly #context: RpcContext
  readonly #subscriptions: Subscriptions
  readonly #listeners = new Listeners<ProviderEvents>()
  /** What ends the waiting of those that are never answered. */
  readonly #abandoned = new Set<(error: ProviderRpcError) => void>()
  #isConnected = false
  #isClosed = false
  /** What was last told of the chain and the accounts, as soon as somebody wants to know. */
  #told: { chainId: Hex; accounts: readonly Address[] } | undefined

  /** @internal Every devnet has its own. */
  constructor(dispatch: Dispatch, context: RpcContext) {
    this.#dispatch = dispatch
    this.#context = context
    this.#subscriptions = new Subscriptions(context.feeds, (subscription, result) => {
      // Parsed for each subscription: whoever listens may change what it gets.
      const data = { subscription, result: JSON.parse(result) }
      this.#listeners.emit('message', { type: 'eth_subscription', data })
    })
  }

  /** Whether requests are refused, because the devnet was closed. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Answers a JSON-RPC request. Rejects with `ProviderRpcError`. */
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
    // Two turns later whoever awaits this has its answer, and only then come notifications (invariant 5).
    if (answered !== undefined) queueMicrotask(() => queueMicrotask(answered))
    if (answer.kind === 'never') return this.#forever()
    if (answer.kind === 'error') {
      const error = providerError(answer.error, answer.cause)
      throw thrownAt(callSite(Provider.prototype.request), error)
    }
    return answer.result
  }

  /** Calls `listener` at each `event`. */
  on<E extends keyof ProviderEvents>(event: E, listener: ProviderEvents[E]): this {
    this.#listeners.on(event, listener)
    if (event === 'chainChanged' || event === 'accountsChanged') this.#watch()
    return this
  }

  /** Calls `listener` no more. */
  removeListener<E extends keyof ProviderEvents>(event: E, listener: ProviderEvents[E]): this {
    this.#listeners.off(event, listener)
    return this
  }

  /** @internal Tells whoever listens by the end of this turn that requests are answered. */
  connect(): void {
    if (this.#isConnected || this.#isClosed) return
    this.#isConnected = true
    queueMicrotask(() => {
      if (!this.#isClosed) this.#listeners.emit('connect', { chainId: this.#chainId })
    })
  }

  /** @internal Ends all subscriptions; requests are refused from now on. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#subscriptions.close()
    for (const reject of this.#abandoned) reject(closed())
    this.#abandoned.clear()
    // To make an error takes longer than to close a devnet.
    if (this.#listeners.has('disconnect')) this.#listeners.emit('disconnect', closed())
  }

  get #chainId(): Hex {
    return encodeQuantity(this.#context.chainId)
  }

  get #accounts(): readonly Address[] {
    return eth_accounts(this.#context, []) as readonly Address[]
  }

  /** Looks from now on whether chain and accounts are what they were. */
  #watch(): void {
    if (this.#told !== undefined) return
    this.#told = { chainId: this.#chainId, accounts: this.#accounts }
    const { sequencer, wallet } = this.#context
    sequencer.listeners.on('bent', () => this.#compare())
    wallet.listeners.on('changed', () => this.#compare())
  }

  #compare(): void {
    const before = this.#told!
    const now = { chainId: this.#chainId, accounts: this.#accounts }
    this.#told = now
    if (now.chainId !== before.chainId) this.#listeners.emit('chainChanged', now.chainId)
    if (now.accounts.join() !== before.accounts.join()) this.#listeners.emit('accountsChanged', now.accounts)
  }

  /** What is wrong with a request that names no method, such as `request('eth_chainId')`. */
  #unreadable(request: unknown): ProviderRpcError {
    const detail = `expected { method, params }, got ${shown(request)}`
    return new ProviderRpcError(toRpcError({ kind: 'invalidRequest', detail }, this.#context.options.dialect))
  }

  /** Ends only when all is closed. */
  #forever(): Promise<never> {
    return new Promise((_, reject) => {
      if (this.#isClosed) reject(closed())
      else this.#abandoned.add(reject)
    })
  }
}

/** What requests to a devnet that was closed are refused with. */
export function closed(): ProviderRpcError {
  return new ProviderRpcError({ code: DISCONNECTED, message: 'the devnet is closed' })
}
