/** One of many chains on a port. Its devnet is replaced on reset, and its ticks are paused while it is not used. */
import type { Devnet } from '../../devnet/devnet.ts'
import { INVALID_REQUEST } from '../../rpc/errors/errorCodes.ts'
import type { Envelope } from '../../rpc/message.ts'
import { after, machineMs, type Rhythm } from '../../sequencer/clock.ts'
import type { Endpoint } from '../port.ts'
import type { Answers } from '../webSocket.ts'
import { type PortUrls, ServedPath } from './servedPath.ts'

/** Thrown for a request that cannot be fulfilled. The message says what is possible. `status`: an HTTP status code. */
export class ChainRefused extends Error {
  readonly status: number

  constructor(status: 400 | 404 | 409 | 413 | 503, message: string) {
    super(message)
    this.name = 'ChainRefused'
    this.status = status
  }
}

/**
 * Begins to record a new chain. Returns a function that resolves to the report, an HTML document with the heading
 * `title`, or rejects with `ChainRefused` if another recording replaced this one or the report page is not built.
 */
export type BeginReport = (devnet: Devnet, chain: string) => (title: string) => Promise<string>

export interface ChainForm {
  readonly name: string
  readonly path: string
  /** The path of its L1 (option `l1`). */
  readonly l1?: string | undefined
  /** Name of the chain that this chain was forked from. `null` means the base. */
  readonly from: string | null
  readonly rhythm: Rhythm
  /** Number of the latest sealed block. */
  readonly block: number
  /** Creation time by the machine's clock, in ISO 8601. */
  readonly createdAt: string
  /** Number of open WebSocket connections. */
  readonly connections: number
  /** Number of JSON-RPC messages (a batch counts once) since the creation of the chain. */
  readonly requests: number
}

export interface ServeSettings {
  readonly maxChains: number
  readonly createOnRequest: boolean
  readonly restAfterMs: number
  readonly beginReport: BeginReport | undefined
  readonly onDevnet: (chain: ServedChain, devnet: Devnet) => void
  readonly createEndpoint: (answers: Answers) => Endpoint
}

/** One of the chains of a `ChainServer`. */
export class ServedChain {
  readonly name: string
  /** Name of the chain that this chain was forked from. `undefined` means the base. */
  readonly from: string | undefined
  /** Creation time by the machine's clock. */
  readonly createdAt: Date = new Date(machineMs())
  /** The L1 of this chain (option `l1`), with its own URLs. */
  readonly l1: ServedPath | undefined
  readonly #own: ServedPath
  readonly #origin: Devnet
  readonly #settings: ServeSettings
  #devnet: Devnet
  /** Returns the report of the current devnet. `undefined` if chains are served without reports. */
  #report: ReturnType<BeginReport> | undefined
  #requests = 0
  #usedMs = machineMs()
  /** Whether the property `devnet` was read: code in this process may then use the chain without requests. */
  #isExposed = false
  /** Cancels the timer that pauses the ticks. `undefined` while they are paused. */
  #stopWaiting: (() => void) | undefined
  #isDeleted = false

  /** @internal */
  constructor(
    name: string,
    from: string | undefined,
    origin: Devnet,
    server: PortUrls,
    settings: ServeSettings,
  ) {
    this.name = name
    this.from = from
    this.#origin = origin
    this.#settings = settings
    this.#devnet = origin.fork({ rhythm: this.rhythm })
    const { createEndpoint } = settings
    const parts = { server, createEndpoint, onRequest: this.#onRequest }
    this.#own = new ServedPath(`/c/${name}`, this.#devnet, parts)
    const { l1 } = this.#devnet
    this.l1 = l1 && new ServedPath(`${this.#own.path}/l1`, l1, parts)
    this.#begin()
    this.#restLater(settings.restAfterMs)
  }

  /** @internal Passes the current devnet to `onDevnet`. */
  announce(): void {
    this.#settings.onDevnet(this, this.#devnet)
  }

  /** The URL of the chain for HTTP requests. */
  get url(): string {
    return this.#own.url
  }

  /** The URL of the chain for WebSocket connections. */
  get webSocketUrl(): string {
    return this.#own.webSocketUrl
  }

  /** The URL of the chain's page. `undefined` if no page is served. */
  get pageUrl(): string | undefined {
    return this.#own.pageUrl
  }

  /** @internal */
  get endpoint(): Endpoint {
    return this.#own.endpoint
  }

  get rhythm(): Rhythm {
    return this.#origin.settings.rhythm
  }

  /** The current devnet; a reset replaces it. After a read of this property, that devnet's ticks are never paused. */
  get devnet(): Devnet {
    this.#isExposed = true
    this.touch()
    return this.#devnet
  }

  /**
   * Resolves to an HTML report of the chain since its creation or its last reset. Rejects with `ChainRefused` if chains
   * are served without `reports`, if another recording was started, or if the report page is not built.
   */
  async report(title: string = this.name): Promise<string> {
    if (this.#report !== undefined) return this.#report(title)
    throw new ChainRefused(
      404,
      'there are no reports: chains are recorded only if served with { reports: true }',
    )
  }

  /** @internal The devnet, for reading only. */
  get current(): Devnet {
    return this.#devnet
  }

  /** Returns the description of the chain that `GET /c` lists. */
  describe(): ChainForm {
    const { name, from = null, rhythm, createdAt } = this
    return {
      name,
      path: this.#own.path,
      l1: this.l1?.path,
      from,
      rhythm,
      block: Number(this.#devnet.latest.header.number),
      createdAt: createdAt.toISOString(),
      connections: this.#connections,
      requests: this.#requests,
    }
  }

  /** @internal Records a use of the chain, and resumes its ticks if they are paused. */
  touch(): void {
    this.#usedMs = machineMs()
    if (this.#stopWaiting !== undefined || this.#isDeleted) return
    this.#devnet.wake()
    this.#restLater(this.#settings.restAfterMs)
  }

  /** @internal */
  async reset(): Promise<void> {
    const old = this.#devnet
    this.#devnet = this.#origin.fork({ rhythm: this.rhythm })
    this.#begin()
    this.#isExposed = false
    for (const [path, devnet] of this.#served) path.switchTo(devnet)
    this.touch()
    try {
      this.announce()
    } finally {
      await old.close()
    }
  }

  /** @internal */
  async close(): Promise<void> {
    this.#isDeleted = true
    this.#stopWaiting?.()
    await Promise.all([this.closeSockets(`the chain ${this.name} was deleted`), this.#devnet.close()])
  }

  /** @internal */
  closeSockets(reason?: string): Promise<unknown> {
    return Promise.all(this.#served.map(([{ endpoint }]) => endpoint.webSockets.close(reason)))
  }

  get #connections(): number {
    return this.#served.reduce((sum, [{ endpoint }]) => sum + endpoint.webSockets.count, 0)
  }

  /** The paths, each with its current devnet. */
  get #served(): readonly (readonly [ServedPath, Devnet])[] {
    return [
      [this.#own, this.#devnet],
      ...(this.l1 === undefined ? [] : [[this.l1, this.#devnet.l1!] as const]),
    ]
  }

  #begin(): void {
    for (const [{ pageUrl }, devnet] of this.#served) if (pageUrl !== undefined) devnet.setPageUrl(pageUrl)
    this.#report = this.#settings.beginReport?.(this.#devnet, this.name)
  }

  readonly #onRequest = (envelope: Envelope | undefined): string | undefined => {
    if (this.#isDeleted) return deleted(this.name, envelope)
    this.#requests++
    this.touch()
    return undefined
  }

  #restLater(ms: number): void {
    this.#stopWaiting = after(ms, () => {
      if (this.#isExposed || this.#connections > 0) this.#usedMs = machineMs()
      const leftMs = this.#usedMs + this.#settings.restAfterMs - machineMs()
      if (leftMs > 0) {
        this.#restLater(leftMs)
        return
      }
      this.#stopWaiting = undefined
      this.#devnet.rest()
    })
  }
}

function deleted(name: string, envelope: Envelope | undefined): string {
  if (envelope !== undefined) envelope.statusCode = 404
  const error = { code: INVALID_REQUEST, message: `invalid request: the chain ${name} was deleted` }
  return JSON.stringify({ jsonrpc: '2.0', id: null, error })
}
