/** A devnet as an EIP-1193 provider: requests, and messages of what they subscribed to, without a transport. */
import { Listeners } from '../sequencer/events.ts'
import type { Dispatch } from './dispatch.ts'
import { type Dialect, type RpcError, toRpcError } from './errors.ts'
import type { Feeds } from './feeds.ts'
import { positionalParams } from './message.ts'
import { Subscriptions } from './subscriptions.ts'

/** An error of `devnet.request`, as EIP-1193 wants it: what a node would have answered. */
export class ProviderRpcError extends Error {
  readonly code: number
  readonly data: unknown
  /** The message once more, under viem's name for it: it decodes a revert of code -32000 only where it finds this. */
  readonly details: string

  constructor({ code, message, data }: RpcError, cause?: unknown) {
    super(message, { cause })
    this.name = 'ProviderRpcError'
    this.code = code
    this.details = message
    this.data = data
  }
}

/** A notification of a subscription that `devnet.request` made (EIP-1193). */
export interface ProviderMessage {
  readonly type: 'eth_subscription'
  readonly data: { readonly subscription: string; readonly result: unknown }
}

/** What a provider tells those who listen. */
export interface ProviderEvents {
  message: (message: ProviderMessage) => void
}

/** EIP-1193: the provider is disconnected from all chains. */
const DISCONNECTED = 4900

export class Provider {
  readonly listeners = new Listeners<ProviderEvents>()
  readonly #dispatch: Dispatch
  readonly #dialect: Dialect
  readonly #subscriptions: Subscriptions
  /** What ends the waiting of those that are never answered. */
  readonly #abandoned = new Set<(error: ProviderRpcError) => void>()
  #isClosed = false

  constructor(dispatch: Dispatch, feeds: Feeds, dialect: Dialect) {
    this.#dispatch = dispatch
    this.#dialect = dialect
    this.#subscriptions = new Subscriptions(feeds, (subscription, result) => {
      // Parsed for each subscription: whoever listens may change what it gets.
      const data = { subscription, result: JSON.parse(result) }
      this.listeners.emit('message', { type: 'eth_subscription', data })
    })
  }

  /** Answers a request. Rejects with `ProviderRpcError`. */
  async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    if (this.#isClosed) throw closed()
    const positional = positionalParams(params)
    if ('kind' in positional) throw new ProviderRpcError(toRpcError(positional, this.#dialect))
    const answering = this.#dispatch({ method, params: positional }, this.#subscriptions)
    const answered = this.#subscriptions.answered()
    const answer = await answering
    // Two turns later whoever awaits this has its answer, and only then come notifications (invariant 5).
    if (answered !== undefined) queueMicrotask(() => queueMicrotask(answered))
    if (answer.kind === 'never') return this.#forever()
    if (answer.kind === 'error') throw new ProviderRpcError(answer.error, answer.cause)
    return answer.result
  }

  /** Ends only when all is closed. */
  #forever(): Promise<never> {
    return new Promise((_, reject) => {
      if (this.#isClosed) reject(closed())
      else this.#abandoned.add(reject)
    })
  }

  /** Ends all subscriptions; requests are refused from now on. */
  close(): void {
    this.#isClosed = true
    this.#subscriptions.close()
    for (const reject of this.#abandoned) reject(closed())
    this.#abandoned.clear()
  }
}

function closed(): ProviderRpcError {
  return new ProviderRpcError({ code: DISCONNECTED, message: 'the devnet is closed' })
}
