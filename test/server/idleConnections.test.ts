/** Connections that are kept: a client that asks every few seconds finds its connection as it left it. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { started } from '../support/clients/clients.ts'

it('a connection is kept for longer than clients wait between two polls, and the client is told so', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const { url } = await devnet.listen({ port: 0 })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const hint = await new Promise<string>((resolve, reject) => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
    const headers = { 'content-type': 'application/json' }
    const asked = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      resolve(String(response.headers['keep-alive']))
    })
    asked.on('error', reject)
    asked.end(body)
  })
  // ethers and viem poll every 4 s, wallets every 10 to 20 s.
  expect(Number(/timeout=(\d+)/.exec(hint)?.[1])).toBeGreaterThanOrEqual(60)
})

it('a connection whose time is over serves what arrived before the process could read it, and ends when nothing has', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const { port } = await devnet.listen({ port: 0 })
  let served: Socket | undefined
  const begun = 'http.server.request.start'
  const onBegun = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    if (socket.localPort === port) served = socket
  }
  subscribe(begun, onBegun)
  onTestFinished(() => void unsubscribe(begun, onBegun))
  const client = connect(port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  const ended = once(client, 'close')
  const answered = async () => String((await once(client, 'data'))[0])
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
  const head = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
  const asks = () => void client.write(`${head}\r\n\r\n${body}`)
  asks()
  expect(await answered()).toContain('"0x7a69"')
  // So a process finds it that stood still: its timers come before what has arrived.
  setTimeout(() => {
    asks()
    served!.emit('timeout')
  })
  expect(await answered()).toContain('"0x7a69"')
  served!.emit('timeout')
  await ended
})
