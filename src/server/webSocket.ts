/**
 * JSON-RPC over WebSocket: the same answers as over HTTP, and notifications besides. One text frame is one message, or one
 * batch of them.
 *
 * Nobody can hold up anybody else: who does not read what it subscribed to is sent away, who does not read its answers is
 * not read from, and who is gone without a word is found by a ping.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Respond } from '../rpc/message.ts'
import { BEGINNING, type SizeLimits, sizeLimit } from '../rpc/sizeLimit.ts'
import { type Deliver, notification, type Subscriptions } from '../rpc/subscriptions.ts'

/** What is asked, and where the subscriptions of a new connection come from. */
export interface Answers {
  readonly respond: Respond
  readonly connect: (deliver: Deliver) => Subscriptions
  /** Lets `cut` know when all connections are to be cut, until the answered function is called. */
  readonly onCut?: (close: (code: number | undefined) => number) => () => void
}

export interface WebSocketLimits extends SizeLimits {
  readonly connections: number
  /** Characters of notifications that may wait for a reader, and of answers before no more questions are read. */
  readonly waiting: number
  /** How often each peer is asked whether it is still there. */
  readonly pingMs: number
  /** How long a peer may take to say good-bye when all is closed. */
  readonly closeMs: number
}

export const LIMITS = {
  connections: 1_000,
  waiting: 16 * 1024 * 1024,
  pingMs: 30_000,
  closeMs: 1_000,
} as const satisfies Partial<WebSocketLimits>

/** The status and message of a refusal. */
export type Refusal = readonly [status: number, message: string]

/** Close codes: RFC 6455 section 7.4.1, and its registry at IANA. */
const GOING_AWAY = 1001
const TOO_BIG = 1009
const SERVICE_RESTART = 1012
const TRY_AGAIN_LATER = 1013

function limitOf(message: Buffer, limits: SizeLimits): number {
  return sizeLimit(message.toString('latin1', 0, BEGINNING), limits)
}

/** The connections of one listener. */
export class WebSockets {
  #answers: Answers
  readonly #limits: WebSocketLimits
  readonly #server: WebSocketServer
  readonly #peers = new Set<Peer>()
  #stopCutting: (() => void) | undefined
  /** Runs while there are peers. */
  #pinging: ReturnType<typeof setInterval> | undefined

  constructor(answers: Answers, limits: WebSocketLimits) {
    this.#answers = answers
    this.#limits = limits
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // What is let in only up to the other limit is known when it is there.
      maxPayload: Math.max(limits.bodyLimit, limits.stateLimit),
      // On one machine it costs more time than it saves.
      perMessageDeflate: false,
    })
    this.#stopCutting = answers.onCut?.((code) => this.#cut(code))
  }

  /** How many there are. */
  get count(): number {
    return this.#peers.size
  }

  /** Why no more are taken, if so. */
  get refusal(): Refusal | undefined {
    const { connections } = this.#limits
    if (this.#peers.size < connections) return undefined
    return [503, `there are ${connections} WebSocket connections, and no room for more`]
  }

  /** Takes over the connection of a request that asks for it; ws refuses one that asks wrongly. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const peer = new Peer(webSocket, socket, this.#answers, this.#limits)
      this.#add(peer)
      webSocket.on('close', () => this.#remove(peer))
    })
  }

  /**
   * Asks `answers` from now on. Who subscribed to what the others tell is sent away, and learns so that it has to subscribe
   * again; who only asks questions notices nothing.
   */
  turnTo(answers: Answers): void {
    this.#stopCutting?.()
    this.#stopCutting = answers.onCut?.((code) => this.#cut(code))
    this.#answers = answers
    for (const peer of this.#peers) peer.turnTo(answers)
  }

  /** Ends all connections, and resolves when they have ended. */
  async close(reason = 'the devnet is closed'): Promise<void> {
    this.#stopCutting?.()
    await Promise.all([...this.#peers].map((peer) => peer.end(reason)))
  }

  #cut(code: number | undefined): number {
    const open = [...this.#peers].filter((peer) => peer.isOpen)
    for (const peer of open) peer.cut(code)
    return open.length
  }

  #add(peer: Peer): void {
    this.#peers.add(peer)
    // Each time after a turn in which answers are read that came while this process was busy with something else.
    this.#pinging ??= setInterval(() => setImmediate(() => this.#ping()), this.#limits.pingMs).unref()
  }

  #remove(peer: Peer): void {
    this.#peers.delete(peer)
    if (this.#peers.size > 0) return
    clearInterval(this.#pinging)
    this.#pinging = undefined
  }

  #ping(): void {
    for (const peer of this.#peers) peer.ping()
  }
}

/** One connection. */
class Peer {
  readonly #socket: WebSocket
  /** What `#socket` writes to. */
  readonly #stream: Duplex
  #respond: Respond
  #subscriptions: Subscriptions
  readonly #limits: WebSocketLimits
  /** Characters of notifications that have not been written yet. */
  #waiting = 0
  /** Those among them of this turn of the event loop, in which nobody could have read anything. */
  #fresh = 0
  #isAlive = true

  constructor(socket: WebSocket, stream: Duplex, { respond, connect }: Answers, limits: WebSocketLimits) {
    this.#socket = socket
    this.#stream = stream
    this.#respond = respond
    this.#limits = limits
    this.#subscriptions = this.#connect(connect)
    // Text or binary: geth takes either, too.
    socket.on('message', (data: Buffer) => {
      if (data.length <= limits.bodyLimit || data.length <= limitOf(data, limits)) {
        void this.#answer(data.toString('utf8'))
      } else socket.close(TOO_BIG)
    })
    socket.on('pong', () => {
      this.#isAlive = true
    })
    socket.on('close', () => this.#subscriptions.close())
    // What a peer does wrong ends its connection, of which `close` tells.
    socket.on('error', () => {})
  }

  /** Asks for a sign of life, and gives up on who has given none since the last time. */
  ping(): void {
    if (!this.#isAlive) {
      this.#socket.terminate()
      return
    }
    this.#isAlive = false
    this.#socket.ping()
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  /** Ends the connection, as a fault asks for: with a code, or without a word. */
  cut(code: number | undefined): void {
    this.#subscriptions.close()
    if (code === undefined) this.#socket.terminate()
    else this.#socket.close(code, 'a fault on purpose')
  }

  /** Asks others from now on, or ends where there are subscriptions, which only these can tell of. */
  turnTo({ respond, connect }: Answers): void {
    const { isEmpty } = this.#subscriptions
    this.#subscriptions.close()
    if (isEmpty) {
      this.#respond = respond
      this.#subscriptions = this.#connect(connect)
    } else this.#socket.close(SERVICE_RESTART, 'the chain was reset: connect and subscribe again')
  }

  /** Says good-bye, and does not wait for the answer for ever. */
  end(reason: string): Promise<void> {
    const socket = this.#socket
    return new Promise((resolve) => {
      const impatience = setTimeout(() => socket.terminate(), this.#limits.closeMs)
      socket.on('close', () => {
        clearTimeout(impatience)
        resolve()
      })
      socket.close(GOING_AWAY, reason)
    })
  }

  #connect(connect: Answers['connect']): Subscriptions {
    return connect((id, result) => this.#notify(notification(id, result)))
  }

  async #answer(text: string): Promise<void> {
    const answering = this.#respond(text, this.#subscriptions)
    const answered = this.#subscriptions.answered()
    // Without a turn in between where there is nothing to wait for: so answers keep the order of their questions.
    const reply = answering instanceof Promise ? await answering : answering
    if (reply !== undefined) this.#reply(reply)
    answered?.()
  }

  #reply(text: string): void {
    const socket = this.#socket
    socket.send(text, () => {
      if (socket.isPaused && socket.bufferedAmount <= this.#limits.waiting) socket.resume()
    })
    if (socket.bufferedAmount > this.#limits.waiting) socket.pause()
  }

  #notify(text: string): void {
    if (this.#waiting - this.#fresh > this.#limits.waiting) {
      // It gets what is on its way to it, then this; ws does not wait longer than half a minute.
      this.#subscriptions.close()
      this.#socket.close(TRY_AGAIN_LATER, 'too slow: notifications were not read as fast as they came')
      return
    }
    if (this.#fresh === 0) {
      // What comes in one turn leaves in one piece: a write of its own for each would cost several times as much, and
      // would make the tick wait that told it.
      this.#stream.cork()
      setImmediate(() => {
        this.#fresh = 0
        this.#stream.uncork()
      })
    }
    this.#fresh += text.length
    this.#waiting += text.length
    this.#socket.send(text, () => {
      this.#waiting -= text.length
    })
  }
}
