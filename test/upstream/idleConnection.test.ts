/** An idle WebSocket does not keep the process alive. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { webSocketTransport } from '../../src/upstream/webSocketTransport.ts'

it('is closed, and opened again for the next request', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const sockets: WebSocket[] = []
  const closed: Promise<unknown>[] = []
  server.on('connection', (socket) => {
    sockets.push(socket)
    closed.push(once(socket, 'close'))
    socket.on('message', (data) => {
      const { id } = JSON.parse(String(data)) as { id: number }
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: `answer ${id}` }))
    })
  })
  const { port } = server.address() as AddressInfo
  const transport = webSocketTransport({
    url: `ws://127.0.0.1:${port}`,
    headers: {},
    maxResponseBytes: 1_000,
    idleMs: 1,
  })
  for (const id of [1, 2]) {
    const call = { jsonrpc: '2.0', id, method: 'eth_chainId', params: [] } as const
    const reply = await transport.exchange(call, new AbortController().signal)
    expect(reply).toMatchObject({ kind: 'json', value: { id, result: `answer ${id}` } })
    await closed.at(-1)
    expect(sockets).toHaveLength(id)
  }
})
