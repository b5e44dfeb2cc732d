/** Faults as they come over the wire: what HTTP and WebSocket say, and what viem makes of it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createPublicClient,
  HttpRequestError,
  http,
  LimitExceededRpcError,
  TimeoutError,
  webSocket,
} from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type DevnetOptions, rpcMiddleware } from '../../src/index.ts'
import { ask, devnetChain, started } from '../support/clients/clients.ts'
import { HttpClient } from '../support/clients/exchange.ts'
import { SocketClient } from '../support/clients/socket.ts'

const CHAIN_ID = '{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}'

async function listening(options: DevnetOptions = {}) {
  const devnet = await started({ rhythm: 'manual', ...options })
  const { url, webSocketUrl, port } = await devnet.listen({ port: 0 })
  const bare = new HttpClient(port)
  onTestFinished(() => bare.close())
  return { devnet, url, webSocketUrl, port, bare }
}

describe('a request that is refused over HTTP', () => {
  it('comes with its status, when to ask again, and the error that Base has for it', async () => {
    const { devnet, bare } = await listening()
    await devnet.faults.httpStatus({ status: 429, retryAfterSeconds: 3 })
    const { status, headers, body } = await bare.send({ body: CHAIN_ID })
    expect([status, headers['content-type'], headers['retry-after']]).toEqual([429, 'application/json', '3'])
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32016, message: 'over rate limit' },
    })
    expect(await bare.send({ body: CHAIN_ID })).toMatchObject({ status: 200 })
  })

  it.each([
    [429, '1', -32016],
    [503, undefined, -32011],
    [500, undefined, -32000],
    [504, undefined, -32015],
    [418, undefined, -32000],
  ])('has the status %i', async (status, retryAfter, code) => {
    const { devnet, bare } = await listening()
    await devnet.faults.httpStatus({ status })
    const answer = await bare.send({ body: CHAIN_ID })
    expect([answer.status, answer.headers['retry-after'], JSON.parse(answer.body).error.code]).toEqual([
      status,
      retryAfter,
      code,
    ])
  })

  it('comes with the page of a proxy, where that is asked for', async () => {
    const { devnet, bare } = await listening()
    await devnet.faults.httpStatus({ status: 503, body: '<html>Error 1015</html>' })
    await devnet.faults.httpStatus({ status: 502, body: 'bad gateway' })
    const [page, text] = [await bare.send({ body: CHAIN_ID }), await bare.send({ body: CHAIN_ID })]
    expect([page.status, page.headers['content-type'], page.body]).toEqual([
      503,
      'text/html',
      '<html>Error 1015</html>',
    ])
    expect([text.status, text.headers['content-type'], text.body]).toEqual([502, 'text/plain', 'bad gateway'])
  })

  it('is only refused itself where it came in a batch, which has the status 200', async () => {
    const { devnet, bare } = await listening()
    await devnet.faults.httpStatus({ method: 'eth_gasPrice', status: 429 })
    const calls = ['eth_chainId', 'eth_gasPrice', 'net_version'].map((method, id) => ({
      jsonrpc: '2.0',
      id,
      method,
    }))
    const { status, headers, body } = await bare.send({ body: JSON.stringify(calls) })
    expect([status, headers['retry-after']]).toEqual([200, undefined])
    expect(JSON.parse(body)).toMatchObject([
      { result: '0x7a69' },
      { error: { code: -32016 } },
      { result: '31337' },
    ])
  })

  it('is refused by middleware, too', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const server = createServer(rpcMiddleware(devnet)).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.on('listening', resolve))
    const bare = new HttpClient((server.address() as AddressInfo).port)
    onTestFinished(() => bare.close())
    await devnet.faults.httpStatus({ status: 503 })
    expect(await bare.send({ body: CHAIN_ID })).toMatchObject({ status: 503 })
  })

  it('leaves notifications without an answer', async () => {
    const { devnet, bare } = await listening()
    await devnet.faults.httpStatus({ status: 429 }, 'always')
    const { status, body } = await bare.send({ body: '{"jsonrpc":"2.0","method":"eth_chainId"}' })
    expect([status, body]).toEqual([204, ''])
  })
})

describe('viem over HTTP', () => {
  const clientOf = (url: string, options: object = {}) =>
    createPublicClient({
      chain: devnetChain,
      transport: http(url, { retryCount: 2, retryDelay: 1, ...options }),
    })

  it('asks again where a proxy refuses it, and is answered', async () => {
    const { devnet, url } = await listening()
    await devnet.faults.httpStatus({ status: 429, retryAfterSeconds: 0, body: 'slow down' }, { times: 2 })
    expect(await clientOf(url).getChainId()).toBe(31_337)
  })

  it('gives up at once where the refusal is a JSON-RPC error that it does not know, as that of Base', async () => {
    const { devnet, url } = await listening()
    await devnet.faults.httpStatus({ status: 429 }, { times: 1 })
    const client = clientOf(url)
    await expect(client.getChainId()).rejects.toThrow('over rate limit')
    expect(await client.getChainId()).toBe(31_337)
  })

  it('gives up in the end where it is refused again and again', async () => {
    const { devnet, url } = await listening()
    await devnet.faults.httpStatus({ status: 503, body: 'Service Unavailable' }, 'always')
    const error = await clientOf(url)
      .getChainId()
      .catch((error: { walk: (test: (e: unknown) => boolean) => unknown }) => error)
    expect(error).toBeInstanceOf(HttpRequestError)
    expect(error).toMatchObject({ status: 503 })
  })

  it('waits no longer than it means to for an answer that never comes, and the devnet closes all the same', async () => {
    const { devnet, url } = await listening()
    await devnet.faults.timeout({ method: 'eth_chainId' }, 'always')
    const client = clientOf(url, { timeout: 50, retryCount: 0 })
    await expect(client.getChainId()).rejects.toBeInstanceOf(TimeoutError)
    const patient = clientOf(url, { timeout: 0, retryCount: 0 })
    const waiting = expect(patient.getChainId()).rejects.toThrow()
    await new Promise((resolve) => devnet.on('requestFault', resolve))
    await devnet.close()
    await waiting
  })

  it('is told which range to ask for instead, in the words of its provider', async () => {
    const { devnet, url } = await listening()
    for (let i = 0; i < 20; i++) await devnet.seal()
    const client = clientOf(url)
    await devnet.faults.logRange({ provider: 'coinbase', blocks: 10 })
    const error = await client.getLogs({ fromBlock: 1n, toBlock: 20n }).catch((error) => error)
    expect(error).toBeInstanceOf(LimitExceededRpcError)
    expect(error).toMatchObject({ details: 'please limit the query to at most 10 blocks' })
    expect(await client.getLogs({ fromBlock: 1n, toBlock: 10n })).toEqual([])
  })

  it.each([
    ['quicknode', 413],
    ['alchemy', 400],
    ['base', 503],
    ['infura', 200],
  ] as const)('gets the status that %s gives too large a question: %i', async (provider, status) => {
    const { devnet, bare } = await listening()
    for (let i = 0; i < 5; i++) await devnet.seal()
    await devnet.faults.logRange({ provider, blocks: 3 })
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getLogs',
      params: [{ fromBlock: '0x1', toBlock: '0x5' }],
    })
    expect((await bare.send({ body })).status).toBe(status)
  })
})

describe('faults of requests over WebSocket', () => {
  async function connected(devnetOf: { webSocketUrl: string }): Promise<SocketClient> {
    const client = await SocketClient.connect(devnetOf.webSocketUrl)
    onTestFinished(() => client.terminate())
    return client
  }

  it('have no status, but the error', async () => {
    const place = await listening()
    const client = await connected(place)
    await place.devnet.faults.httpStatus({ status: 429 })
    expect(await client.ask('eth_chainId')).toMatchObject({ error: { code: -32016 } })
    expect(await client.ask('eth_chainId')).toMatchObject({ result: '0x7a69' })
  })

  it('hold up nobody else: who is never answered, or late, is overtaken', async () => {
    const place = await listening()
    const client = await connected(place)
    await place.devnet.faults.timeout({ method: 'eth_gasPrice' })
    await place.devnet.faults.latency({ method: 'eth_blockNumber', ms: 20 })
    for (const [id, method] of ['eth_gasPrice', 'eth_blockNumber', 'eth_chainId'].entries()) {
      client.send(JSON.stringify({ jsonrpc: '2.0', id, method }))
    }
    expect(JSON.parse(await client.next())).toMatchObject({ id: 2, result: '0x7a69' })
    expect(JSON.parse(await client.next())).toMatchObject({ id: 1, result: '0x0' })
  })
})

describe('WebSocket connections that are cut', () => {
  async function connections(count: number) {
    const place = await listening({ ticksPerBlock: 3 })
    const clients = await Promise.all(
      Array.from({ length: count }, () => SocketClient.connect(place.webSocketUrl)),
    )
    onTestFinished(() => {
      for (const client of clients) client.terminate()
    })
    // A connection is there when it has been answered.
    for (const client of clients) await client.ask('eth_chainId')
    return { ...place, clients }
  }

  it('end without a word, all of them, on demand; who connects again is answered', async () => {
    const { devnet, clients, webSocketUrl } = await connections(3)
    expect(devnet.faults.cutWebSockets()).toBe(3)
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([
      { code: 1006, reason: '' },
      { code: 1006, reason: '' },
      { code: 1006, reason: '' },
    ])
    expect(devnet.faults.cutWebSockets()).toBe(0)
    const again = await SocketClient.connect(webSocketUrl)
    expect(await again.ask('eth_chainId')).toMatchObject({ result: '0x7a69' })
    again.close()
  })

  it('end with a code, over JSON-RPC', async () => {
    const { clients, bare } = await connections(1)
    const body = '{"jsonrpc":"2.0","id":1,"method":"preseal_cutWebSockets","params":[{"code":1012}]}'
    expect(JSON.parse((await bare.send({ body })).body)).toMatchObject({ result: '0x1' })
    expect(await clients[0]!.closed).toEqual({ code: 1012, reason: 'a planned fault' })
  })

  it('end once a slice was told: that slice still comes, later ones do not', async () => {
    const { devnet, clients } = await connections(1)
    const [client] = clients as [SocketClient]
    await client.subscribe('newFlashblocks')
    await devnet.faults.planCut({ code: 1001 }, { block: 1, slice: 2 })
    for (let i = 0; i < 3; i++) await devnet.tick()
    for (let i = 0; i < 2; i++) {
      expect(await client.notification()).toMatchObject({ result: { number: '0x1' } })
    }
    await expect(client.next()).rejects.toThrow('closed with 1001')
    expect(devnet.faults.list()).toEqual([])
  })

  it('end once a block was told where there are no slices, so many times', async () => {
    const { devnet, webSocketUrl } = await listening({ ticksPerBlock: 0 })
    await devnet.faults.planCut({}, { times: 2 })
    for (let i = 0; i < 2; i++) {
      const client = await SocketClient.connect(webSocketUrl)
      await client.ask('eth_chainId')
      await devnet.tick()
      expect(await client.closed).toMatchObject({ code: 1006 })
    }
    const client = await SocketClient.connect(webSocketUrl)
    await devnet.tick()
    expect(await client.ask('eth_blockNumber')).toMatchObject({ result: '0x3' })
    client.close()
  })

  it('are cut no more where that is taken back', async () => {
    const { devnet, clients } = await connections(1)
    const id = await devnet.faults.planCut({}, 'always')
    expect(await devnet.faults.remove(id)).toBe(true)
    await devnet.tick()
    expect(await clients[0]!.ask('eth_chainId')).toMatchObject({ result: '0x7a69' })
  })

  it('leave no subscription behind', async () => {
    const { devnet, clients } = await connections(1)
    await clients[0]!.subscribe('newHeads')
    devnet.faults.cutWebSockets()
    await clients[0]!.closed
    await devnet.mine()
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x1')
  })

  it('come back by themselves in viem, with their subscriptions', async () => {
    const { devnet, webSocketUrl } = await listening()
    const client = createPublicClient({
      chain: devnetChain,
      transport: webSocket(webSocketUrl, { reconnect: { attempts: 5, delay: 10 }, retryCount: 0 }),
    })
    onTestFinished(() => closeSocket(client))
    const heads: bigint[] = []
    let tell = () => {}
    client.watchBlockNumber({
      onBlockNumber: (number) => {
        heads.push(number)
        tell()
      },
      onError: () => {},
    })
    const headsAre = (count: number) =>
      new Promise<void>((resolve) => {
        tell = () => heads.length >= count && resolve()
        tell()
      })
    await client.getChainId()
    await client.getChainId()
    await devnet.mine()
    await headsAre(1)
    await devnet.faults.latency({ method: 'eth_subscribe', ms: 0 }, { times: 1 })
    const subscribed = new Promise<void>((resolve) => {
      devnet.on('requestFault', (_, method) => method === 'eth_subscribe' && resolve())
    })
    devnet.faults.cutWebSockets()
    await subscribed
    await devnet.mine()
    await headsAre(2)
    expect(heads).toEqual([1n, 2n])
  })
})

async function closeSocket(client: { transport: unknown }): Promise<void> {
  const { getRpcClient } = client.transport as { getRpcClient(): Promise<{ close(): void }> }
  ;(await getRpcClient()).close()
}
