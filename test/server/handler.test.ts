import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import express, { type RequestHandler } from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { createDevnet, rpcMiddleware } from '../../src/index.ts'
import type { Respond } from '../../src/rpc/message.ts'
import { createHandler } from '../../src/server/handler.ts'
import { HttpClient, JSON_BODY } from '../support/clients/exchange.ts'

const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
const CHAIN_ID_ANSWER = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'
/** What a refusal says to a client that expects JSON-RPC. */
const REFUSAL = { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } }

const servers: Server[] = []
const clients: HttpClient[] = []

afterEach(() => {
  for (const client of clients.splice(0)) client.close()
  for (const server of servers.splice(0)) server.close()
})

/** A client of a server that answers with `listener`: a handler, or somebody's Express app. */
async function clientOf(
  listener: Parameters<typeof createServer>[1],
): Promise<{ client: HttpClient; port: number }> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = new HttpClient(port)
  clients.push(client)
  return { client, port }
}

const echo: Respond = (text) => `"${text}"`

describe('the handler', () => {
  it('hands the body to the responder and answers 200 with what that says', async () => {
    const { client } = await clientOf(createHandler(echo, 100))
    const { status, headers, body } = await client.send({ body: 'hello' })
    expect({ status, body }).toEqual({ status: 200, body: '"hello"' })
    expect(headers['content-type']).toBe('application/json')
  })

  it('waits for a responder that answers later', async () => {
    const { client } = await clientOf(createHandler(async (text) => `"${text}"`, 100))
    expect((await client.send({ body: 'hello' })).body).toBe('"hello"')
  })

  it('answers with an empty 204 where there is nothing to say', async () => {
    for (const respond of [() => undefined, async () => undefined]) {
      const { client } = await clientOf(createHandler(respond, 100))
      const { status, headers, body } = await client.send({ body: '{}' })
      expect({ status, body }).toEqual({ status: 204, body: '' })
      expect(headers['content-type']).toBeUndefined()
    }
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'refuses %s with 405, and says what is allowed',
    async (method) => {
      const { client } = await clientOf(createHandler(echo, 100))
      const { status, headers, body } = await client.send({ method })
      expect(status).toBe(405)
      expect(headers.allow).toBe('POST, OPTIONS')
      expect(JSON.parse(body)).toEqual(REFUSAL)
    },
  )

  it.each([
    undefined,
    '',
    'text/plain',
    'application/jsonp',
    'multipart/form-data; boundary=application/json',
  ])('refuses the content type %s with 415', async (type) => {
    const { client } = await clientOf(createHandler(echo, 100))
    const { status, body } = await client.send({
      headers: type === undefined ? {} : { 'content-type': type },
      body: '{}',
    })
    expect(status).toBe(415)
    expect(JSON.parse(body)).toEqual(REFUSAL)
  })

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    ' application/json ; a=b',
    'application/json-rpc',
  ])('takes the content type %s', async (type) => {
    const { client } = await clientOf(createHandler(echo, 100))
    expect((await client.send({ headers: { 'content-type': type }, body: '{}' })).status).toBe(200)
  })

  it.runIf(process.platform === 'linux')(
    'closes the connection of Hardhat’s client, which waits before it uses one again',
    async () => {
      const { client } = await clientOf(createHandler(echo, 100))
      const agents = [undefined, 'curl/8', 'Hardhat 3.9.1']
      const connections = []
      for (const agent of agents) {
        const headers = { ...JSON_BODY, ...(agent === undefined ? {} : { 'user-agent': agent }) }
        connections.push((await client.send({ headers, body: '{}' })).headers.connection)
      }
      expect(connections).toEqual(['keep-alive', 'keep-alive', 'close'])
    },
  )

  it('reads a body of exactly the limit, and refuses one byte more with 413', async () => {
    const { client } = await clientOf(createHandler(echo, 100))
    expect((await client.send({ body: 'x'.repeat(100) })).status).toBe(200)
    const { status, body } = await client.send({ body: 'x'.repeat(101) })
    expect(status).toBe(413)
    expect(JSON.parse(body)).toEqual(REFUSAL)
    expect((await client.send({ body: 'x'.repeat(100) })).status).toBe(200)
  })

  it('refuses what is many times too long, sent in pieces of unknown number', async () => {
    const { client } = await clientOf(createHandler(echo, 1_000))
    const headers = { ...JSON_BODY, 'transfer-encoding': 'chunked' }
    expect((await client.send({ headers, body: 'x'.repeat(20_000_000) })).status).toBe(413)
    expect((await client.send({ headers, body: 'hello' })).body).toBe('"hello"')
  })

  it('puts pieces together, wherever they were cut', async () => {
    const { port } = await clientOf(createHandler(echo, 100))
    const bytes = Buffer.from('grün 🌱')
    const head = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${bytes.length}\r\nconnection: close\r\n\r\n`
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.setEncoding('utf8').on('data', (data: string) => {
        text += data
      })
      socket.on('end', () => resolve(text)).on('error', reject)
      socket.setNoDelay(true)
      socket.write(head)
      // One byte at a time, each in a turn of its own, so that characters arrive in halves.
      let at = 0
      const next = () => {
        socket.write(bytes.subarray(at, at + 1))
        at++
        if (at < bytes.length) setImmediate(next)
      }
      next()
    })
    expect(answer).toContain('"grün 🌱"')
  })

  it('survives a client that goes away in the middle of its request', async () => {
    const asked: string[] = []
    const { client, port } = await clientOf(
      createHandler((text) => {
        asked.push(text)
        return '"ok"'
      }, 100),
    )
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"half":',
        )
        // The server has read the half when a request that was sent later is answered.
        void client.send({ body: 'between' }).then(() => {
          socket.destroy()
          resolve()
        })
      })
    })
    expect((await client.send({ body: 'after' })).body).toBe('"ok"')
    expect(asked).toEqual(['between', 'after'])
  })

  it('survives a client that goes away before its answer', async () => {
    let answerNow = (_: string) => {}
    const slow: Respond = (text) =>
      text === 'slow' ? new Promise((resolve) => (answerNow = resolve)) : '"ok"'
    const { client, port } = await clientOf(createHandler(slow, 100))
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\nslow',
        )
        void client.send({ body: 'between' }).then(() => {
          socket.on('close', () => resolve()).destroy()
        })
      })
    })
    await client.send({ body: 'so that the server has seen it' })
    answerNow('"too late"')
    expect((await client.send({ body: 'after' })).body).toBe('"ok"')
  })
})

describe('rpcMiddleware', () => {
  const BATCH = `[${CHAIN_ID},{"jsonrpc":"2.0","id":"a","method":"eth_banana"}]`

  /** Asks a devnet through `app`, in which it is mounted at /rpc. */
  async function mounted(...before: RequestHandler[]) {
    const devnet = await createDevnet({ rhythm: 'manual', bodyLimit: 200_000 })
    const app = express()
    for (const use of before) app.use(use)
    app.use('/rpc', rpcMiddleware(devnet))
    app.get('/else', (_request, response) => {
      response.send('something else')
    })
    return (await clientOf(app)).client
  }

  const parsers: [string, RequestHandler[]][] = [
    ['without a body parser', []],
    ['behind express.json()', [express.json()]],
    ['behind express.json() of any type', [express.json({ type: '*/*', strict: false })]],
    ['behind express.text()', [express.text({ type: '*/*' })]],
    ['behind express.raw()', [express.raw({ type: '*/*' })]],
    ['behind a parser of other types', [express.urlencoded()]],
  ]

  it.each(parsers)('answers %s', async (_, before) => {
    const client = await mounted(...before)
    const { status, headers, body } = await client.send({ path: '/rpc', body: CHAIN_ID })
    expect({ status, body }).toEqual({ status: 200, body: CHAIN_ID_ANSWER })
    expect(headers['content-type']).toBe('application/json')
    const batch = JSON.parse((await client.send({ path: '/rpc', body: BATCH })).body)
    expect(batch.map(({ id }: { id: unknown }) => id)).toEqual([1, 'a'])
    const notification = '{"jsonrpc":"2.0","method":"eth_chainId"}'
    expect(await client.send({ path: '/rpc', body: notification })).toMatchObject({ status: 204, body: '' })
    expect((await client.send({ path: '/rpc', method: 'GET', headers: {} })).status).toBe(405)
    const plain = { 'content-type': 'text/plain' }
    expect((await client.send({ path: '/rpc', headers: plain, body: CHAIN_ID })).status).toBe(415)
    expect((await client.send({ path: '/else', method: 'GET', headers: {} })).body).toBe('something else')
  })

  it('answers what a parser can read and nobody can write again', async () => {
    const client = await mounted(express.json())
    const body = '['.repeat(45_000) + ']'.repeat(45_000)
    const answer = await client.send({ path: '/rpc', body })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body)).toEqual(REFUSAL)
    expect((await client.send({ path: '/rpc', body: CHAIN_ID })).body).toBe(CHAIN_ID_ANSWER)
  })

  it('keeps to the body limit of the devnet', async () => {
    const client = await mounted()
    expect((await client.send({ path: '/rpc', body: CHAIN_ID.padEnd(200_000) })).status).toBe(200)
    expect((await client.send({ path: '/rpc', body: CHAIN_ID.padEnd(200_001) })).status).toBe(413)
  })

  it('is strict where the devnet is', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual', strict: true })
    const { client } = await clientOf(rpcMiddleware(devnet))
    expect(JSON.parse((await client.send({ body: CHAIN_ID })).body).error.code).toBe(-32601)
  })

  it('needs no Express', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const { client } = await clientOf(rpcMiddleware(devnet))
    expect((await client.send({ path: '/any/path', body: CHAIN_ID })).body).toBe(CHAIN_ID_ANSWER)
  })
})
