/** The ports of a devnet: errors link to their pages, and they are closed with the devnet. */

import type { Settings } from '../options/options.ts'
import type { RpcContext } from '../rpc/context.ts'
import type { Listener, ListenOptions } from '../server/listen.ts'
import type { Answers } from '../server/webSocket.ts'
import { portOptionsOf, refuseFor } from './portOptions.ts'

/** The open listeners of a devnet. */
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
