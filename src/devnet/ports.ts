/** The ports of a devnet: errors link to their pages, and they are closed with the devnet. */

import type { Settings } from '../options/options.ts'
import type { RpcContext } from '../rpc/context.ts'
import { REQUEST_SECTION, type SizeLimits } from '../rpc/message.ts'
import { createRefuse, type Refuse } from '../server/handler.ts'
import type { Listener, ListenOptions } from '../server/port.ts'
import type { Answers } from '../server/webSocket.ts'

export class DevnetPorts {
  readonly #settings: Settings
  readonly #context: RpcContext
  /** Includes listeners that are being opened. */
  readonly #listeners = new Set<Promise<Listener>>()

  constructor(settings: Settings, context: RpcContext) {
    this.#settings = settings
    this.#context = context
  }

  /** Opens a port from which `answers` is served. Rejects if the port is in use or the devnet is closed. */
  async listen(answers: Answers, options: ListenOptions): Promise<Listener> {
    this.#requireOpen()
    const opening = this.#open(answers, options)
    this.#listeners.add(opening)
    const listener = await opening.catch((error) => {
      this.#listeners.delete(opening)
      throw error
    })
    // A devnet that was closed meanwhile has closed this listener too.
    this.#requireOpen()
    return listener
  }

  /** Closes all listeners; one that is still being opened, when it is open. */
  close(): Promise<unknown> {
    const closing = [...this.#listeners].map((opening) =>
      opening.then(
        (listener) => listener.close(),
        () => {},
      ),
    )
    return Promise.all(closing)
  }

  async #open(answers: Answers, options: ListenOptions): Promise<Listener> {
    const { listen } = await import('../server/listen.ts')
    const defaults = portOptionsOf(this.#settings)
    const listener = await listen(answers, { ...defaults, ...options }, refuseFor(this.#settings))
    const { pageUrl } = listener
    if (pageUrl === undefined) return listener
    const { pageUrls } = this.#context
    pageUrls.add(pageUrl)
    const close = () => {
      pageUrls.delete(pageUrl)
      return listener.close()
    }
    return { ...listener, close }
  }

  #requireOpen(): void {
    if (this.#context.isClosed) throw new Error('listen: the devnet is closed')
  }
}

/**
 * Returns the size limits of requests. Strict mode has no method that loads a state, so that its limit is not needed.
 */
export function limitsOf({ strict, bodyLimit, stateLimit }: Settings): SizeLimits {
  return { bodyLimit, stateLimit: strict ? bodyLimit : stateLimit }
}

/** Returns the options of the ports. Strict mode has none of the methods that the page calls. */
export function portOptionsOf(settings: Settings): Pick<ListenOptions, keyof SizeLimits | 'page'> {
  return { ...limitsOf(settings), page: !settings.strict }
}

export function refuseFor({ strict }: Settings): Refuse {
  return createRefuse(strict ? REQUEST_SECTION : undefined)
}

/** The names of all options of `listen`. */
export const LISTEN_NAMES = {
  port: true,
  host: true,
  allowedHosts: true,
  allowedOrigins: true,
  page: true,
  bodyLimit: true,
  stateLimit: true,
} as const satisfies Record<keyof ListenOptions, true>
