/** The path of a chain, or of the L1 of a chain. Its devnet is replaced when the chain is reset. */
import type { Devnet } from '../../devnet/devnet.ts'
import type { Envelope, Respond } from '../../rpc/message.ts'
import type { Endpoint, Listener } from '../port.ts'
import type { Answers } from '../webSocket.ts'

export type PortUrls = Pick<Listener, 'url' | 'webSocketUrl' | 'pageUrl'>

interface PathParts {
  readonly server: PortUrls
  readonly createEndpoint: (answers: Answers) => Endpoint
  /** Called for each request. Returns the response of a request that is refused. */
  readonly onRequest: (envelope: Envelope | undefined) => string | undefined
}

export class ServedPath {
  /** The path of the URL, such as `/c/alice`. */
  readonly path: string
  /** @internal */
  readonly endpoint: Endpoint
  readonly #parts: PathParts
  #respond: Respond

  /** @internal */
  constructor(path: string, devnet: Devnet, parts: PathParts) {
    this.path = path
    this.#parts = parts
    this.#respond = devnet.respond
    this.endpoint = parts.createEndpoint(this.#answersOf(devnet))
  }

  /** The URL for HTTP requests. */
  get url(): string {
    return this.#parts.server.url + this.path
  }

  /** The URL for WebSocket connections. */
  get webSocketUrl(): string {
    return this.#parts.server.webSocketUrl + this.path
  }

  /** The URL of the page. `undefined` if no page is served. */
  get pageUrl(): string | undefined {
    const { pageUrl } = this.#parts.server
    return pageUrl && `${pageUrl}${this.path.slice(1)}/`
  }

  /** @internal Answers with another devnet. Closes subscribed connections. */
  switchTo(devnet: Devnet): void {
    this.#respond = devnet.respond
    this.endpoint.webSockets.switchTo(this.#answersOf(devnet))
  }

  #answersOf(devnet: Devnet): Answers {
    return {
      ...devnet.answers,
      respond: (text, subscriptions, envelope) =>
        this.#parts.onRequest(envelope) ?? this.#respond(text, subscriptions, envelope),
    }
  }
}
