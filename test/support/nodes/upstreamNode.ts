/** A node of the tests on a port of this machine, which answers as a test says: right, late, not at all, or wrongly. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** A request of JSON-RPC that arrived. */
export interface Arrived {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** What the node does with an exchange. */
export type Reaction =
  /** Answers as it should. */
  | { readonly kind: 'right' }
  /** Answers with this, instead. */
  | {
      readonly kind: 'text'
      readonly text: string
      readonly status?: number
      readonly headers?: Record<string, string>
    }
  /** Ends the connection: at once, or within the answer. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'cut' }
  /** Never answers. */
  | { readonly kind: 'silence' }

export interface UpstreamNode {
  readonly url: string
  readonly webSocketUrl: string
  /** What arrived: each exchange with its requests; an array if they came as a batch. */
  readonly exchanges: readonly (Arrived | readonly Arrived[])[]
  /** The headers of each exchange. */
  readonly headers: readonly IncomingMessage['headers'][]
  /** The paths that were asked. */
  readonly paths: readonly string[]
  close(): Promise<void>
}

/** Returns what a right answer to a request is. */
export type Answering = (request: Arrived) => { readonly result: unknown } | { readonly error: unknown }
/** Decides what to do with the exchange with this number, from 0 on. */
export type Reacting = (payload: Arrived | Arrived[], index: number) => Reaction | undefined

/** Answers with the method and the parameters, so that each request has an answer of its own. */
export const echo: Answering = ({ method, params }) => ({ result: [method, ...params] })

/** Returns a reaction with the right answers to a payload, changed by `change`. */
export function changed(
  payload: Arrived | Arrived[],
  change: (answers: unknown[]) => unknown,
  answering: Answering = echo,
): Reaction {
  const answers = [payload].flat().map((one) => ({ jsonrpc: '2.0', id: one.id, ...answering(one) }))
  return { kind: 'text', text: JSON.stringify(change(answers)) }
}

/** Returns a node on a free port. */
export async function upstreamNode(
  react: Reacting = () => undefined,
  answering: Answering = echo,
): Promise<UpstreamNode> {
  const exchanges: (Arrived | readonly Arrived[])[] = []
  const headers: IncomingMessage['headers'][] = []
  const paths: string[] = []
  const sockets = new Set<Socket>()
  const decide = (text: string, request: IncomingMessage): { reaction: Reaction; right: string } => {
    const payload = JSON.parse(text) as Arrived | Arrived[]
    exchanges.push(payload)
    headers.push(request.headers)
    paths.push(request.url ?? '')
    const one = (arrived: Arrived) => ({ jsonrpc: '2.0', id: arrived.id, ...answering(arrived) })
    const right = JSON.stringify(Array.isArray(payload) ? payload.map(one) : one(payload))
    return { reaction: react(payload, exchanges.length - 1) ?? { kind: 'right' }, right }
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { reaction, right } = decide(Buffer.concat(chunks).toString(), request)
      overHttp(reaction, right, response)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const webSockets = new WebSocketServer({ server })
  webSockets.on('connection', (peer, request) => {
    peer.on('message', (data) => {
      const { reaction, right } = decide(String(data), request)
      overWebSocket(reaction, right, peer)
    })
  })
  const port = await listening(server)
  return {
    url: `http://127.0.0.1:${port}/`,
    webSocketUrl: `ws://127.0.0.1:${port}/`,
    exchanges,
    headers,
    paths,
    close: () =>
      new Promise((resolve) => {
        webSockets.close()
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function overHttp(reaction: Reaction, right: string, response: ServerResponse): void {
  switch (reaction.kind) {
    case 'right':
      response.setHeader('content-type', 'application/json')
      response.end(right)
      return
    case 'text':
      response.writeHead(reaction.status ?? 200, reaction.headers)
      response.end(reaction.text)
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'cut':
      response.writeHead(200, { 'content-length': String(right.length) })
      response.write(right.slice(0, right.length / 2), () => response.socket?.destroy())
      return
    case 'silence':
      return
  }
}

function overWebSocket(reaction: Reaction, right: string, peer: WebSocket): void {
  switch (reaction.kind) {
    case 'right':
      peer.send(right)
      return
    case 'text':
      peer.send(reaction.text)
      return
    case 'cut':
      peer.send(right.slice(0, right.length / 2))
      return
    case 'reset':
      peer.terminate()
      return
    case 'silence':
      return
  }
}
