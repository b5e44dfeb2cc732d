/**
 * Serves JSON-RPC over WebSocket, one message or batch in a frame. A slow client cannot delay others: it is
 * disconnected if it does not read notifications or answer pings, and its requests wait if it does not read responses.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import type { ReportedDevnet } from '../reports/reportContracts.ts'
import { BEGINNING_BYTES, type Respond, type SizeLimits, sizeLimit } from '../rpc/message.ts'
import { type Deliver, notification, type Subscriptions } from '../rpc/subscriptions.ts'
import { readiness } from './readiness.ts'

export interface Answers {
  readonly respond: Respond
  readonly connect: (deliver: Deliver) => Subscriptions
  /** Registers a function with which a planned fault closes all connections. Returns a function that unregisters it. */
  readonly onCut?: (close: (code: number | undefined) => number) => () => void
  /** The devnet to export at `/report.html`. */
  readonly reported?: ReportedDevnet
}

export interface WebSocketLimits extends SizeLimits {
  readonly connections: number
  /** Maximum of unsent characters. Excess notifications disconnect a client, excess responses pause its requests. */
  readonly waiting: number
  readonly pingMs: number
  /** Milliseconds that a client has to complete the closing handshake. */
  readonly closeMs: number
}

export const LIMITS = {
  connections: 1_000,
  waiting: 16 * 1024 * 1024,
  pingMs: 30_000,
  closeMs: 1_000,
} as const satisfies Partial<WebSocketLimits>

export type Refusal = readonly [status: number, message: string]

/** Close codes of WebSocket (RFC 6455, section 7.4.1; IANA registry). */
const GOING_AWAY = 1001
const TOO_BIG = 1009
const SERVICE_RESTART = 1012
const TRY_AGAIN_LATER = 1013

function limitOf(message: Buffer, limits: SizeLimits): number {
  return sizeLimit(message.toString('latin1', 0, BEGINNING_BYTES), limits)
}

export class WebSockets {
  #answers: Answers
  readonly #limits: WebSocketLimits
  #server: WebSocketServer | undefined
  readonly #peers = new Set<Peer>()
  /** Sockets that wait until ws is loaded. */
  readonly #arriving = new Set<Duplex>()
  #stopCutting: (() => void) | undefined
  /** The timer that sends pings. `undefined` without clients. */
  #pinging: ReturnType<typeof setInterval> | undefined

  constructor(answers: Answers, limits: WebSocketLimits) {
    this.#answers = answers
    this.#limits = limits
    this.#stopCutting = answers.onCut?.((code) => this.#cut(code))
  }

  get count(): number {
    return this.#peers.size + this.#arriving.size
  }

  /** The reason to reject a new connection. `undefined` if it is accepted. */
  get refusal(): Refusal | undefined {
    const { connections } = this.#limits
    if (this.count < connections) return undefined
    return [503, `there are ${connections} WebSocket connections, which is the limit`]
  }

  /** Accepts an upgrade request. Rejects if ws cannot be loaded; the caller then has to respond. */
  async accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const server = this.#server ?? (await this.#createServer(socket))
    server?.handleUpgrade(request, socket, head, (webSocket) => {
      const peer = new Peer(webSocket, socket, this.#answers, this.#limits)
      this.#add(peer)
      webSocket.on('close', () => this.#remove(peer))
    })
  }

  /** Creates the server after loading ws. Resolves to `undefined` if `socket` was closed meanwhile. */
  async #createServer(socket: Duplex): Promise<WebSocketServer | undefined> {
    this.#arriving.add(socket)
    // An error is ignored, because the client may have closed the connection.
    socket.on('error', () => {})
    try {
      const { WebSocketServer } = await import('ws')
      this.#server ??= new WebSocketServer({
        noServer: true,
        clientTracking: false,
        // This is the higher of two limits. When a message is complete, `limitOf` chooses its limit.
        maxPayload: Math.max(this.#limits.bodyLimit, this.#limits.stateLimit),
        // Between programs on one machine, compression costs more time than it saves.
        perMessageDeflate: false,
      })
      return socket.destroyed ? undefined : this.#server
    } finally {
      this.#arriving.delete(socket)
    }
  }

  /** Uses `answers` from now on. Disconnects clients that have subscriptions, so that they subscribe again. */
  switchTo(answers: Answers): void {
    this.#stopCutting?.()
    this.#stopCutting = answers.onCut?.((code) => this.#cut(code))
    this.#answers = answers
    for (const peer of this.#peers) peer.turnTo(answers)
  }

  /** Closes all connections. Resolves when they are closed. */
  async close(reason = 'the devnet is closed'): Promise<void> {
    this.#stopCutting?.()
    for (const socket of this.#arriving) socket.destroy()
    await Promise.all([...this.#peers].map((peer) => peer.end(reason)))
  }

  #cut(code: number | undefined): number {
    const open = [...this.#peers].filter((peer) => peer.isOpen)
    for (const peer of open) peer.cut(code)
    return open.length
  }

  #add(peer: Peer): void {
    this.#peers.add(peer)
    // `setImmediate` lets pongs that arrived while the process was busy be read before the next ping.
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

class Peer {
  readonly #socket: WebSocket
  readonly #stream: Duplex
  #respond: Respond
  #subscriptions: Subscriptions
  readonly #limits: WebSocketLimits
  /** Number of characters of unsent notifications. */
  #waiting = 0
  /** Characters sent in this event-loop turn, which the limit ignores, because the client could not read them yet. */
  #sentThisTurn = 0
  #isAlive = true

  constructor(socket: WebSocket, stream: Duplex, { respond, connect }: Answers, limits: WebSocketLimits) {
    this.#socket = socket
    this.#stream = stream
    this.#respond = respond
    this.#limits = limits
    this.#subscriptions = this.#connect(connect)
    // As in geth, both text and binary frames are accepted.
    socket.on('message', (data: Buffer) => {
      if (data.length <= limits.bodyLimit || data.length <= limitOf(data, limits)) {
        void this.#answer(data.toString('utf8'))
      } else socket.close(TOO_BIG)
    })
    socket.on('pong', () => {
      this.#isAlive = true
    })
    socket.on('close', () => this.#subscriptions.close())
    // An error is ignored, because a protocol error closes the connection, which the event `close` reports.
    socket.on('error', () => {})
  }

  /** Sends a ping. Disconnects a client that has not answered the previous ping. */
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

  /** Closes the connection because of a planned fault. Without a code, no close frame is sent. */
  cut(code: number | undefined): void {
    this.#subscriptions.close()
    if (code === undefined) this.#socket.terminate()
    else this.#socket.close(code, 'a planned fault')
  }

  turnTo({ respond, connect }: Answers): void {
    const { isEmpty } = this.#subscriptions
    this.#subscriptions.close()
    if (isEmpty) {
      this.#respond = respond
      this.#subscriptions = this.#connect(connect)
    } else this.#socket.close(SERVICE_RESTART, 'the chain was reset: connect and subscribe again')
  }

  /** Closes the connection. If the closing handshake takes longer than `closeMs`, terminates it. */
  end(reason: string): Promise<void> {
    const socket = this.#socket
    return new Promise((resolve) => {
      const timer = setTimeout(() => socket.terminate(), this.#limits.closeMs)
      socket.on('close', () => {
        clearTimeout(timer)
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
    // A synchronous response is not awaited, so that such responses are sent in the order of their requests.
    const reply = answering instanceof Promise ? await answering : answering
    if (reply !== undefined) this.#reply(reply)
    answered?.()
  }

  #reply(text: string): void {
    readiness?.responded()
    const socket = this.#socket
    socket.send(text, () => {
      if (socket.isPaused && socket.bufferedAmount <= this.#limits.waiting) socket.resume()
    })
    if (socket.bufferedAmount > this.#limits.waiting) socket.pause()
  }

  #notify(text: string): void {
    if (this.#waiting - this.#sentThisTurn > this.#limits.waiting) {
      // The subscriptions end now: `close` may take up to 30 s to send pending data before the close frame.
      this.#subscriptions.close()
      this.#socket.close(TRY_AGAIN_LATER, 'too slow: notifications were not read as fast as they came')
      return
    }
    if (this.#sentThisTurn === 0) {
      // All notifications of a turn are sent together: separate writes take several times as long and delay the tick.
      this.#stream.cork()
      setImmediate(() => {
        this.#sentThisTurn = 0
        this.#stream.uncork()
      })
    }
    this.#sentThisTurn += text.length
    this.#waiting += text.length
    this.#socket.send(text, () => {
      this.#waiting -= text.length
    })
  }
}
