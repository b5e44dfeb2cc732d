/** One of many chains of a port: a fork that can be made anew, and that rests while nobody asks. */
import type { Devnet } from './devnet.ts'
import { INVALID_REQUEST } from './rpc/errorCodes.ts'
import type { Envelope, Respond } from './rpc/message.ts'
import { after, machineMs, type Rhythm } from './sequencer/clock.ts'
import type { Endpoint } from './server/listen.ts'
import type { Answers } from './server/webSocket.ts'

/** What `GET /c` tells of a chain. */
export interface ChainForm {
  readonly name: string
  readonly path: string
  /** The chain that it is a fork of; `null`: the base. */
  readonly from: string | null
  readonly rhythm: Rhythm
  /** The number of its newest sealed block. */
  readonly block: number
  /** When it was made, as ISO 8601, by the machine's time. */
  readonly createdAt: string
  /** How many WebSocket connections there are now. */
  readonly connections: number
  /** How many messages were answered since it was made. */
  readonly requests: number
}

/** What all chains of a port have in common. */
export interface Manner {
  readonly maxChains: number
  readonly restAfterMs: number
  readonly onDevnet: (chain: ServedChain, devnet: Devnet) => void
  readonly createEndpoint: (answers: Answers) => Endpoint
}

/** Where a port is. */
interface Reached {
  readonly url: string
  readonly webSocketUrl: string
}

/** One chain of a server. */
export class ServedChain {
  readonly name: string
  /** The chain that it is a fork of; `undefined`: the base. */
  readonly from: string | undefined
  /** When it was made, by the machine's time. */
  readonly createdAt: Date = new Date(machineMs())
  /** @internal */
  readonly endpoint: Endpoint
  readonly #origin: Devnet
  readonly #server: Reached
  readonly #manner: Manner
  #devnet: Devnet
  #respond: Respond
  #requests = 0
  #usedMs = machineMs()
  /** Whether somebody in this process may look at it without asking over the port. */
  #isInHand = false
  /** Ends the waiting for rest; `undefined` while it rests. */
  #stopWaiting: (() => void) | undefined
  #isDeleted = false

  /** @internal */
  constructor(name: string, from: string | undefined, origin: Devnet, server: Reached, manner: Manner) {
    this.name = name
    this.from = from
    this.#origin = origin
    this.#server = server
    this.#manner = manner
    this.#devnet = this.#begin()
    this.#respond = this.#devnet.respond
    this.endpoint = manner.createEndpoint(this.#answers)
    this.#restLater(manner.restAfterMs)
  }

  /** @internal Tells who wants to know of each devnet that there is another one. The chain is complete by then. */
  announce(): void {
    this.#manner.onDevnet(this, this.#devnet)
  }

  /** Where it is asked over HTTP. */
  get url(): string {
    return this.#server.url + this.#path
  }

  /** Where it is asked over WebSocket. */
  get webSocketUrl(): string {
    return this.#server.webSocketUrl + this.#path
  }

  get rhythm(): Rhythm {
    return this.#origin.settings.rhythm
  }

  /** The chain itself, for use in this process, until a reset puts another in its place. Once asked for, it never rests. */
  get devnet(): Devnet {
    this.#isInHand = true
    this.touch()
    return this.#devnet
  }

  /** @internal The same, for nothing but a look. */
  get current(): Devnet {
    return this.#devnet
  }

  /** What `GET /c` tells of it. */
  describe(): ChainForm {
    const { name, from = null, rhythm, createdAt } = this
    return {
      name,
      path: this.#path,
      from,
      rhythm,
      block: Number(this.#devnet.latest.header.number),
      createdAt: createdAt.toISOString(),
      connections: this.endpoint.webSockets.count,
      requests: this.#requests,
    }
  }

  /** @internal Somebody uses it. */
  touch(): void {
    this.#usedMs = machineMs()
    if (this.#stopWaiting !== undefined || this.#isDeleted) return
    this.#devnet.wake()
    this.#restLater(this.#manner.restAfterMs)
  }

  /** @internal */
  async reset(): Promise<void> {
    const old = this.#devnet
    this.#devnet = this.#begin()
    this.#respond = this.#devnet.respond
    this.#isInHand = false
    this.endpoint.webSockets.turnTo(this.#answers)
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
    await Promise.all([
      this.endpoint.webSockets.close(`the chain ${this.name} was deleted`),
      this.#devnet.close(),
    ])
  }

  get #path(): string {
    return `/c/${this.name}`
  }

  #begin(): Devnet {
    return this.#origin.fork({ rhythm: this.rhythm })
  }

  /** Those of the devnet that is in its place now. A message that is still on its way when that changes finds the new one. */
  get #answers(): Answers {
    return {
      ...this.#devnet.answers,
      respond: (text, subscriptions, envelope) => {
        if (this.#isDeleted) return deleted(this.name, envelope)
        this.#requests++
        this.touch()
        return this.#respond(text, subscriptions, envelope)
      },
    }
  }

  #restLater(ms: number): void {
    this.#stopWaiting = after(ms, () => {
      if (this.#isInHand || this.endpoint.webSockets.count > 0) this.#usedMs = machineMs()
      const leftMs = this.#usedMs + this.#manner.restAfterMs - machineMs()
      if (leftMs > 0) {
        this.#restLater(leftMs)
        return
      }
      this.#stopWaiting = undefined
      this.#devnet.rest()
    })
  }
}

/** The answer to a message that was on its way when its chain was deleted. */
function deleted(name: string, envelope: Envelope | undefined): string {
  if (envelope !== undefined) envelope.statusCode = 404
  const error = { code: INVALID_REQUEST, message: `invalid request: the chain ${name} was deleted` }
  return JSON.stringify({ jsonrpc: '2.0', id: null, error })
}
