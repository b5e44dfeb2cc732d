/**
 * JSON-RPC over WebSocket. One frame has one message or batch.
 *
 * No client can delay others: a client that does not read its notifications is disconnected, the requests of a client that does
 * not read its responses are not read, and pings detect dead connections.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import { BEGINNING, type Respond, type SizeLimits, sizeLimit } from '../rpc/message.ts'
import { type Deliver, notification, type Subscriptions } from '../rpc/subscriptions.ts'

export interface Answers {
  readonly respond: Respond
  readonly connect: (deliver: Deliver) => Subscriptions
  /** Registers a function that closes all connections. Returns a function that removes it. */
  readonly onCut?: (close: (code: number | undefined) => number) => () => void
}

export interface WebSocketLimits extends SizeLimits {
  readonly connections: number
  /** Maximum unsent characters per client. With more in notifications, the client is disconnected; with more in responses, its requests wait. */
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

/** Close codes (RFC 6455, section 7.4.1, and its registry at IANA). */
const GOING_AWAY = 1001
const TOO_BIG = 1009
const SERVICE_RESTART = 1012
const TRY_AGAIN_LATER = 1013

function limitOf(message: Buffer, limits: SizeLimits): number {
  return sizeLimit(message.toString('latin1', 0, BEGINNING), limits)
}

export class WebSockets {
  #answers: Answers
  readonly #limits: WebSocketLimits
  #server: WebSocketServer | undefined
  readonly #peers = new Set<Peer>()
  /** Connections that arrived before ws was loaded. */
  readonly #arriving = new Set<Duplex>()
  #stopCutting: (() => void) | undefined
  /** The timer of pings; `undefined` without clients. */
  #pinging: ReturnType<typeof setInterval> | undefined

  constructor(answers: Answers, limits: WebSocketLimits) {
    this.#answers = answers
    this.#limits = limits
    this.#stopCutting = answers.onCut?.((code) => this.#cut(code))
  }

  get count(): number {
    return this.#peers.size + this.#arriving.size
  }

  /** The reason for refusing new connections; `undefined` if they are accepted. */
  get refusal(): Refusal | undefined {
    const { connections } = this.#limits
    if (this.count < connections) return undefined
    return [503, `there are ${connections} WebSocket connections, which is the limit`]
  }

  /** Accepts the upgrade request. Rejects if ws cannot be loaded: then the caller must respond. */
  async accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const server = this.#server ?? (await this.#createServer(socket))
    server?.handleUpgrade(request, socket, head, (webSocket) => {
      const peer = new Peer(webSocket, socket, this.#answers, this.#limits)
      this.#add(peer)
      webSocket.on('close', () => this.#remove(peer))
    })
  }

  /** Loads ws while `socket` waits. Resolves to `undefined` if `socket` is closed meanwhile. */
  async #createServer(socket: Duplex): Promise<WebSocketServer | undefined> {
    this.#arriving.add(socket)
    // Ignored: the client may close the connection.
    socket.on('error', () => {})
    try {
      const { WebSocketServer } = await import('ws')
      this.#server ??= new WebSocketServer({
        noServer: true,
        clientTracking: false,
        // The smaller limit is applied later, to the complete message.
        maxPayload: Math.max(this.#limits.bodyLimit, this.#limits.stateLimit),
        // Between processes of one machine, compression costs more time than it saves.
        perMessageDeflate: false,
      })
      return socket.destroyed ? undefined : this.#server
    } finally {
      this.#arriving.delete(socket)
    }
  }

  /** Serves `answers` from now on, and disconnects clients with subscriptions, so that they subscribe again. */
  turnTo(answers: Answers): void {
    this.#stopCutting?.()
    this.#stopCutting = answers.onCut?.((code) => this.#cut(code))
    this.#answers = answers
    for (const peer of this.#peers) peer.turnTo(answers)
  }

  /** Closes all connections, and resolves when they are closed. */
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
    // With `setImmediate`, pongs that arrived while the process was busy are read before the next ping.
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
  /** Number of unsent characters of notifications. */
  #waiting = 0
  /** Number of characters sent in this turn of the event loop, which the client could not read yet. */
  #fresh = 0
  #isAlive = true

  constructor(socket: WebSocket, stream: Duplex, { respond, connect }: Answers, limits: WebSocketLimits) {
    this.#socket = socket
    this.#stream = stream
    this.#respond = respond
    this.#limits = limits
    this.#subscriptions = this.#connect(connect)
    // In text or binary frames, as in geth.
    socket.on('message', (data: Buffer) => {
      if (data.length <= limits.bodyLimit || data.length <= limitOf(data, limits)) {
        void this.#answer(data.toString('utf8'))
      } else socket.close(TOO_BIG)
    })
    socket.on('pong', () => {
      this.#isAlive = true
    })
    socket.on('close', () => this.#subscriptions.close())
    // Ignored: a protocol error closes the connection, and `close` reports it.
    socket.on('error', () => {})
  }

  /** Sends a ping, or disconnects a client that has not answered the last one. */
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

  /** Closes the connection because of a fault, by default without a close frame. */
  cut(code: number | undefined): void {
    this.#subscriptions.close()
    if (code === undefined) this.#socket.terminate()
    else this.#socket.close(code, 'a fault on purpose')
  }

  turnTo({ respond, connect }: Answers): void {
    const { isEmpty } = this.#subscriptions
    this.#subscriptions.close()
    if (isEmpty) {
      this.#respond = respond
      this.#subscriptions = this.#connect(connect)
    } else this.#socket.close(SERVICE_RESTART, 'the chain was reset: connect and subscribe again')
  }

  /** Closes the connection, without the closing handshake if it takes longer than `closeMs`. */
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
    // Without an `await` for a synchronous response, so that responses are in the order of their requests.
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
      // `close` sends pending data before the close frame, for at most half a minute.
      this.#subscriptions.close()
      this.#socket.close(TRY_AGAIN_LATER, 'too slow: notifications were not read as fast as they came')
      return
    }
    if (this.#fresh === 0) {
      // Sends the messages of one turn at once: separate writes would take several times as long, and delay the tick.
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
