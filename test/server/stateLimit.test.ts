/** Requests that bring a state file may be longer than others. */
import { gzipSync } from 'node:zlib'
import express from 'express'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import { type Devnet, type DevnetOptions, rpcMiddleware } from '../../src/index.ts'
import { dumped } from '../support/chains/stateFiles.ts'
import { ask, started } from '../support/clients/clients.ts'
import { HttpClient, JSON_BODY } from '../support/clients/exchange.ts'
import { SocketClient } from '../support/clients/socket.ts'

const LIMITS = { bodyLimit: 1_000, stateLimit: 200_000 }

/** A request that loads what another devnet, at block 5, wrote; it has about 24,000 bytes. */
async function loading(): Promise<string> {
  const other = await started({ rhythm: 'manual' })
  for (let i = 0; i < 5; i++) await other.mine()
  return request(toHex(dumped(other)))
}

function request(state: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_loadState', params: [state] })
}

async function overHttp(devnet: Devnet, options = {}): Promise<HttpClient> {
  const client = new HttpClient((await devnet.listen(options)).port)
  onTestFinished(() => client.close())
  return client
}

const LOADED = '{"jsonrpc":"2.0","id":1,"result":true}'
const TOO_LONG = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'.padEnd(1_001)

function standing(options: DevnetOptions = {}): Promise<Devnet> {
  return started({ rhythm: 'manual', ...LIMITS, ...options })
}

describe('over HTTP a state', () => {
  it('may be longer than any other request, however it is cut', async () => {
    const devnet = await standing()
    const body = await loading()
    expect(body.length).toBeGreaterThan(20_000)
    for (const headers of [JSON_BODY, { ...JSON_BODY, 'transfer-encoding': 'chunked' }]) {
      const client = await overHttp(devnet)
      expect((await client.send({ headers, body: TOO_LONG })).status).toBe(413)
      expect((await client.send({ headers, body: `[${body}]` })).status).toBe(413)
      expect(await client.send({ headers, body })).toMatchObject({ status: 200, body: LOADED })
    }
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x5')
  })

  it('has a limit of its own, packed and unpacked', async () => {
    const client = await overHttp(await standing())
    const { status, body } = await client.send({ body: request(`0x${'00'.repeat(200_000)}`) })
    expect(status).toBe(413)
    expect(JSON.parse(body).error.message).toMatch(/has \d+ bytes, the limit is 200000/)
    const bomb = await client.send({ body: request(toHex(gzipSync(Buffer.alloc(10_000_000, ' ')))) })
    expect(JSON.parse(bomb.body).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('at most 200000 bytes in all'),
    })
  })

  it('has the limit of the listener, if it gives one', async () => {
    const body = await loading()
    const client = await overHttp(await standing(), { stateLimit: 5_000 })
    expect((await client.send({ body })).status).toBe(413)
  })

  it('is nothing that strict mode knows', async () => {
    const client = await overHttp(await standing({ strict: true }))
    expect((await client.send({ body: await loading() })).status).toBe(413)
  })

  it('comes through the middleware, too', async () => {
    const devnet = await standing()
    const server = express().use('/rpc', rpcMiddleware(devnet)).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const client = new HttpClient((server.address() as { port: number }).port)
    onTestFinished(() => client.close())
    expect((await client.send({ path: '/rpc', body: TOO_LONG })).status).toBe(413)
    expect(await client.send({ path: '/rpc', body: await loading() })).toMatchObject({ body: LOADED })
  })
})

describe('over WebSocket a state', () => {
  it('may be longer than any other message', async () => {
    const devnet = await standing()
    const { webSocketUrl } = await devnet.listen()
    const body = await loading()
    for (const message of [body, Buffer.from(body)]) {
      const client = await SocketClient.connect(webSocketUrl)
      client.send(message)
      expect(await client.next()).toBe(LOADED)
      client.send(TOO_LONG)
      expect((await client.closed).code).toBe(1009)
    }
  })

  it('has a limit of its own', async () => {
    const { webSocketUrl } = await (await standing()).listen()
    const client = await SocketClient.connect(webSocketUrl)
    client.send(request(`0x${'00'.repeat(200_000)}`))
    expect((await client.closed).code).toBe(1009)
  })
})
