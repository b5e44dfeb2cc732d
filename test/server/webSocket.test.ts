/** JSON-RPC over WebSocket, on the port of HTTP: what a client library would hide. */
import { execFile } from 'node:child_process'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'
import { Listeners } from '../../src/model/collections/listeners.ts'
import { Feeds } from '../../src/rpc/feeds.ts'
import { Subscriptions } from '../../src/rpc/subscriptions.ts'
import { yieldToEventLoop } from '../../src/sequencer/clock.ts'
import type { Events } from '../../src/sequencer/events.ts'
import type { Listener } from '../../src/server/listen.ts'
import { listen } from '../../src/server/listen.ts'
import { LIMITS, type WebSocketLimits, WebSockets } from '../../src/server/webSocket.ts'
import { HttpClient } from '../support/clients/exchange.ts'
import { SocketClient } from '../support/clients/socket.ts'
import { SOON } from '../support/clients/until.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
const CHAIN_ID_ANSWER = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'

let devnet: Devnet
const clients: SocketClient[] = []

beforeEach(async () => {
  devnet = await createDevnet({ rhythm: 'manual' })
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate()
  await devnet.close()
})

async function connected(url: string, options?: Parameters<typeof SocketClient.connect>[1]) {
  const client = await SocketClient.connect(url, options)
  clients.push(client)
  return client
}

async function clientOf(options: DevnetOptions = {}): Promise<SocketClient> {
  if (Object.keys(options).length > 0) {
    await devnet.close()
    devnet = await createDevnet({ rhythm: 'manual', ...options })
  }
  return connected((await devnet.listen()).webSocketUrl)
}

describe('a WebSocket', () => {
  it('answers on the port of HTTP', async () => {
    const { port, webSocketUrl } = await devnet.listen()
    expect(webSocketUrl).toBe(`ws://127.0.0.1:${port}`)
    const client = await connected(webSocketUrl)
    client.send(CHAIN_ID)
    expect(await client.next()).toBe(CHAIN_ID_ANSWER)
    const http = new HttpClient(port)
    expect((await http.send({ body: CHAIN_ID })).body).toBe(CHAIN_ID_ANSWER)
    http.close()
  })

  it('answers questions that come together in their order, where nothing has to run', async () => {
    const client = await clientOf()
    for (let id = 0; id < 100; id++) client.send(CHAIN_ID.replace('1', String(id)))
    for (let id = 0; id < 100; id++)
      expect(await client.next()).toBe(CHAIN_ID_ANSWER.replace('1', String(id)))
  })

  it('answers the id before any notification, in a batch too', async () => {
    const client = await clientOf()
    const call = { to: devnet.accounts[0]!.address }
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newPendingTransactions'] },
      // Its notification comes while the batch still waits for the call.
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'eth_sendTransaction',
        params: [{ ...call, from: call.to, gas: '0x5208' }],
      },
      { jsonrpc: '2.0', id: 3, method: 'eth_estimateGas', params: [call] },
    ]
    client.send(JSON.stringify(batch))
    const [subscribed, sent] = JSON.parse(await client.next())
    expect(await client.notification()).toEqual({ subscription: subscribed.result, result: sent.result })
  })

  it('forgets what is subscribed to and ended in one batch', async () => {
    const client = await clientOf()
    const { result } = await client.ask('eth_subscribe', 'newHeads')
    const next = `0x${(BigInt(result as string) + 1n).toString(16)}`
    client.send(
      JSON.stringify([
        { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] },
        { jsonrpc: '2.0', id: 2, method: 'eth_unsubscribe', params: [next] },
      ]),
    )
    expect(JSON.parse(await client.next())).toMatchObject([{ result: next }, { result: true }])
    await devnet.mine()
    expect(await client.notification()).toMatchObject({ subscription: result })
    expect((await client.ask('eth_chainId')).result).toBe('0x7a69')
  })

  it('carries notifications exactly as written', async () => {
    const client = await clientOf()
    const id = await client.subscribe('newPendingTransactions')
    const { address } = devnet.accounts[0]!
    const hash = await devnet.request({
      method: 'eth_sendTransaction',
      params: [{ from: address, to: address }],
    })
    expect(await client.next()).toBe(
      `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":"${hash}"}}`,
    )
  })

  it('takes text in binary frames', async () => {
    const client = await clientOf()
    client.send(Buffer.from(CHAIN_ID))
    expect(await client.next()).toBe(CHAIN_ID_ANSWER)
  })

  it('ends only its own subscriptions', async () => {
    const { webSocketUrl } = await devnet.listen()
    const [one, other] = [await connected(webSocketUrl), await connected(webSocketUrl)]
    const id = await one.subscribe('newHeads')
    expect((await other.ask('eth_unsubscribe', id)).result).toBe(false)
    const otherId = await other.subscribe('newHeads')
    one.close()
    await one.closed
    await devnet.mine()
    expect((await other.notification()).subscription).toBe(otherId)
  })

  it('tells 200 subscribers the same, in the same order', async () => {
    const { webSocketUrl } = await devnet.listen()
    const many = await Promise.all(Array.from({ length: 200 }, () => connected(webSocketUrl)))
    await Promise.all(many.map((client) => client.subscribe('newHeads')))
    for (let i = 0; i < 3; i++) await devnet.mine()
    for (let number = 1; number <= 3; number++) {
      const heads = await Promise.all(many.map((client) => client.notification()))
      const results = new Set(heads.map(({ result }) => JSON.stringify(result)))
      expect(results.size).toBe(1)
      expect(heads[0]).toMatchObject({ result: { number: `0x${number}` } })
    }
  })
})

describe('in strict mode', () => {
  it('only pendingLogs can be subscribed to, and errors name the section', async () => {
    const client = await clientOf({ strict: true })
    const id = await client.subscribe('pendingLogs', {})
    expect((await client.ask('eth_subscribe', 'newHeads')).error).toEqual({
      code: -32602,
      message: 'invalid argument 0: params[0]: expected "pendingLogs", got "newHeads"',
      data: 'seed section 6',
    })
    expect((await client.ask('eth_subscribe', 'pendingLogs', 7)).error).toMatchObject({
      code: -32602,
      data: 'seed section 6',
    })
    expect((await client.ask('eth_chainId')).error?.code).toBe(-32601)
    expect((await client.ask('eth_unsubscribe', id)).result).toBe(true)
  })
})

describe('a request to upgrade', () => {
  /** The status and the error of the refusal. */
  function refusal(port: number, headers: Record<string, string> = {}, path = '/') {
    return new Promise<{ status: number | undefined; message: string }>((resolve, reject) => {
      const key = { 'sec-websocket-version': '13', 'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==' }
      const asked = request({
        host: '127.0.0.1',
        port,
        path,
        headers: { connection: 'Upgrade', upgrade: 'websocket', ...key, ...headers },
      })
      asked.on('error', reject)
      asked.on('upgrade', () => reject(new Error('was accepted')))
      asked.on('response', (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () =>
          resolve({ status: response.statusCode, message: JSON.parse(text).error.message }),
        )
      })
      asked.end()
    })
  }

  it('is refused for another host, unless it was allowed', async () => {
    const { port } = await devnet.listen()
    const message = expect.stringContaining('the host evil.example is not allowed; see --allowed-hosts')
    expect(await refusal(port, { host: 'evil.example' })).toEqual({ status: 403, message })
    const open = await devnet.listen({ allowedHosts: ['devnet.example'] })
    const client = await connected(open.webSocketUrl, { headers: { host: 'devnet.example' } })
    expect((await client.ask('eth_chainId')).result).toBe('0x7a69')
  })

  it('is refused at another path', async () => {
    const { port } = await devnet.listen()
    expect(await refusal(port, {}, '/rpc')).toMatchObject({ status: 404 })
  })

  it('is answered as HTTP where it asks for something else, as Java does for HTTP/2', async () => {
    const http = new HttpClient((await devnet.listen()).port)
    const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' }
    const headers = { ...offer, 'content-type': 'application/json' }
    for (const body of [CHAIN_ID, CHAIN_ID.padEnd(1_000_000)]) {
      expect(await http.send({ headers, body })).toMatchObject({ status: 200, body: CHAIN_ID_ANSWER })
    }
    expect(await http.send({ headers: { ...headers, host: 'evil.example' } })).toMatchObject({ status: 403 })
    http.close()
  })

  it('is nothing to a server that goes away in the middle', async () => {
    const { port, webSocketUrl } = await devnet.listen()
    const socket = connect(port, '127.0.0.1')
    const gone = new Promise((resolve) => socket.on('close', resolve))
    socket.end('GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    socket.resume()
    await gone
    expect((await (await connected(webSocketUrl)).ask('eth_chainId')).result).toBe('0x7a69')
  })
})

describe('the limits', () => {
  /** A listener whose answer to anything is `answer`, and a way to tell all who subscribed by a message. */
  async function echo(limits: Partial<WebSocketLimits>, answer = 'yes') {
    const feeds = new Feeds(new Listeners<Events>())
    const receivers = new Set<(result: string) => void>()
    const listener = await listen(
      {
        respond: (text, subscriptions) => {
          if (text !== 'subscribe') return answer
          return subscriptions!.add((tell) => {
            receivers.add(tell)
            return () => receivers.delete(tell)
          })
        },
        connect: (deliver) => new Subscriptions(feeds, deliver),
      },
      {},
      undefined,
      limits,
    )
    onTestFinished(() => listener.close())
    const tell = (result: string) => {
      for (const receive of receivers) receive(result)
    }
    return { listener, tell, receivers }
  }

  async function subscribed({ webSocketUrl }: Listener): Promise<SocketClient> {
    const client = await connected(webSocketUrl)
    client.send('subscribe')
    await client.next()
    return client
  }

  it('of a message is that of a body', async () => {
    await devnet.close()
    devnet = await createDevnet({ rhythm: 'manual', bodyLimit: 1_000 })
    const { webSocketUrl } = await devnet.listen()
    const client = await connected(webSocketUrl)
    client.send(CHAIN_ID.padEnd(1_000))
    expect(await client.next()).toBe(CHAIN_ID_ANSWER)
    client.send(CHAIN_ID.padEnd(1_001))
    expect((await client.closed).code).toBe(1009)
    expect((await (await connected(webSocketUrl)).ask('eth_chainId')).result).toBe('0x7a69')
  })

  it('of connections turns one more away, and lets it in when another has gone', async () => {
    const { listener } = await echo({ connections: 2 })
    const [one] = [await connected(listener.webSocketUrl), await connected(listener.webSocketUrl)]
    await expect(connected(listener.webSocketUrl)).rejects.toThrow('503')
    one.close()
    await one.closed
    await connected(listener.webSocketUrl)
  })

  it('of what waits ends the connection of a reader that is too slow, and no other', async () => {
    const { listener, tell, receivers } = await echo({ waiting: 100_000 })
    const [slow, quick] = [await subscribed(listener), await subscribed(listener)]
    slow.pause()
    const text = `"${'x'.repeat(50_000)}"`
    for (let count = 1; receivers.size === 2; count++) {
      tell(text)
      expect((await quick.notification()).result).toHaveLength(50_000)
      expect(count).toBeLessThan(10_000)
    }
    tell('"after"')
    expect((await quick.notification()).result).toBe('after')
    slow.resume()
    expect(await slow.closed).toEqual({
      code: 1013,
      reason: 'too slow: notifications were not read as fast as they came',
    })
    expect(quick.isOpen).toBe(true)
  })

  it('does not end who is told much at once', async () => {
    const { listener, tell } = await echo({ waiting: 100_000 })
    const client = await subscribed(listener)
    for (let i = 0; i < 100; i++) tell(`"${'x'.repeat(50_000)}"`)
    for (let i = 0; i < 100; i++) expect((await client.notification()).result).toHaveLength(50_000)
  })

  it('does not end who reads one long answer and is told something meanwhile', async () => {
    const answer = 'x'.repeat(5_000_000)
    const { listener, tell } = await echo({ waiting: 100_000 }, answer)
    const client = await subscribed(listener)
    client.send('ask')
    client.send('ask')
    expect(await client.next()).toHaveLength(answer.length)
    tell('"told"')
    const rest = [await client.next(), await client.next()]
    expect(rest.map(({ length }) => length).sort((a, b) => a - b)[1]).toBe(answer.length)
  })

  it('of what waits makes who does not read answers wait with questions, and goes on when it reads', async () => {
    const { listener } = await echo({ waiting: 100_000 }, 'x'.repeat(1_000_000))
    const client = await connected(listener.webSocketUrl)
    client.pause()
    for (let i = 0; i < 50; i++) client.send('ask')
    client.resume()
    for (let i = 0; i < 50; i++) expect(await client.next()).toHaveLength(1_000_000)
  })

  it('of patience ends a connection whose peer is gone without a word', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { listener, receivers } = await echo({ pingMs: 150 })
    const alive = await subscribed(listener)
    /** Lets the time until the next ping pass, and that be answered. */
    const ping = async () => {
      vi.advanceTimersByTime(150)
      await yieldToEventLoop()
      // The ping comes before the first answer, and its pong before the second question.
      for (let i = 0; i < 2; i++) {
        alive.send('ask')
        expect(await alive.next()).toBe('yes')
      }
    }
    // Answers no pings, because nothing of it reads.
    const gone = await connected(listener.webSocketUrl, { autoPong: false })
    gone.send('subscribe')
    await gone.next()
    await ping()
    expect(receivers.size).toBe(2)
    await ping()
    expect((await gone.closed).code).toBe(1006)
    await vi.waitUntil(() => receivers.size === 1, SOON)
    await ping()
  })
})

describe('close', () => {
  it('ends a connection that arrives before ws is loaded', async () => {
    const webSockets = new WebSockets(
      {
        respond: () => undefined,
        connect: () => new Subscriptions(new Feeds(new Listeners<Events>()), () => {}),
      },
      { ...LIMITS, bodyLimit: 1_000, stateLimit: 1_000 },
    )
    const socket = new PassThrough()
    const accepting = webSockets.accept({} as IncomingMessage, socket, Buffer.alloc(0))
    expect(webSockets.count).toBe(1)
    await webSockets.close()
    expect(socket.destroyed).toBe(true)
    await accepting
    expect(webSockets.count).toBe(0)
  })

  it('says good-bye to all, and frees the port', async () => {
    const listener = await devnet.listen()
    const client = await connected(listener.webSocketUrl)
    await client.subscribe('newHeads')
    await listener.close()
    expect(await client.closed).toEqual({ code: 1001, reason: 'the devnet is closed' })
    await expect(connected(listener.webSocketUrl)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await devnet.mine()
    expect((await devnet.listen({ port: listener.port })).port).toBe(listener.port)
  })

  it('comes after all that was told before', async () => {
    const client = await clientOf()
    await client.subscribe('newHeads')
    await devnet.advance({ ms: 2_000 })
    await devnet.close()
    const heads = await Promise.all(Array.from({ length: 9 }, () => client.notification()))
    expect(heads.map(({ result }) => Number((result as { number: string }).number))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9,
    ])
    expect((await client.closed).code).toBe(1001)
  })

  it('is done by the devnet, and waits for nobody who does not answer', async () => {
    const { port } = await devnet.listen()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const key = 'sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg=='
    socket.write(
      `GET / HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n${key}\r\n\r\n`,
    )
    await new Promise((resolve) => socket.once('data', resolve))
    await devnet.close()
    socket.destroy()
  })

  it('leaves nothing that keeps the process alive', async () => {
    const script = `
      import { createDevnet } from './src/index.ts'
      import { SocketClient } from './test/support/clients/socket.ts'
      const devnet = await createDevnet()
      await devnet.request({ method: 'eth_subscribe', params: ['newHeads'] })
      await devnet.request({ method: 'eth_subscribe', params: ['syncing'] })
      const client = await SocketClient.connect((await devnet.listen()).webSocketUrl)
      await client.subscribe('newHeads')
      await client.notification()
      await devnet.close()
      console.log(JSON.stringify(await client.closed))`
    const flags = ['--import', 'tsx', '--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: ROOT, timeout: 120_000 })
    expect(JSON.parse(stdout).code).toBe(1001)
  })

  it('ends a connection that was refused and does not leave', async () => {
    const { port } = await devnet.listen()
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.write('GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    await devnet.close()
    socket.destroy()
  })
})
