/** The ports of a devnet, which close when the devnet is closed, and its middleware for other servers. */

import type { Settings } from '../options/options.ts'
import type { RpcContext } from '../rpc/context.ts'
import { REQUEST_SECTION, type Respond, type SizeLimits } from '../rpc/message.ts'
import { createHandler, createRefuse, type Handler, type Refuse } from '../server/handler.ts'
import type { Listener, ListenOptions } from '../server/port.ts'
import type { Answers } from '../server/webSocket.ts'

export class DevnetPorts {
  readonly #settings: Settings
  readonly #context: RpcContext
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
    // If the devnet was closed while the port was opened, `close` has also closed this listener.
    this.#requireOpen()
    return listener
  }

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

/** Returns the size limits of requests. In strict mode `stateLimit` is not used, because no method loads a state. */
export function limitsOf({ strict, bodyLimit, stateLimit }: Settings): SizeLimits {
  return { bodyLimit, stateLimit: strict ? bodyLimit : stateLimit }
}

/** Returns the default options of a port. Strict mode serves no page, because the methods of the page are missing. */
export function portOptionsOf(settings: Settings): Pick<ListenOptions, keyof SizeLimits | 'page'> {
  return { ...limitsOf(settings), page: !settings.strict }
}

export function refuseFor({ strict }: Settings): Refuse {
  return createRefuse(strict ? REQUEST_SECTION : undefined)
}

/** Returns a handler that answers POST requests with JSON-RPC, for an Express or plain `node:http` server. */
export function rpcMiddleware(devnet: { readonly respond: Respond; readonly settings: Settings }): Handler {
  const { respond, settings } = devnet
  const { bodyLimit, stateLimit } = limitsOf(settings)
  return createHandler(respond, bodyLimit, refuseFor(settings), stateLimit)
}

export const LISTEN_NAMES = {
  port: true,
  host: true,
  allowedHosts: true,
  allowedOrigins: true,
  page: true,
  bodyLimit: true,
  stateLimit: true,
} as const satisfies Record<keyof ListenOptions, true>
