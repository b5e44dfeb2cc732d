import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { HttpClient, JSON_BODY } from '../support/clients/exchange.ts'

const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
const CHAIN_ID_ANSWER = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'

let devnet: Devnet
const clients: HttpClient[] = []

beforeEach(async () => {
  devnet = await createDevnet({ rhythm: 'manual' })
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await devnet.close()
})

function clientOf(port: number): HttpClient {
  const client = new HttpClient(port)
  clients.push(client)
  return client
}

describe('listen', () => {
  it('takes a free port of 127.0.0.1 and says which', async () => {
    const { url, host, port } = await devnet.listen({ port: 0 })
    expect(port).toBeGreaterThan(0)
    expect({ url, host }).toEqual({ url: `http://127.0.0.1:${port}`, host: '127.0.0.1' })
    const response = await fetch(url, { method: 'POST', headers: JSON_BODY, body: CHAIN_ID })
    expect(await response.text()).toBe(CHAIN_ID_ANSWER)
  })

  it('writes an IPv6 address so that its URL works', async () => {
    const { url, port } = await devnet.listen({ host: '::1' })
    expect(url).toBe(`http://[::1]:${port}`)
    const response = await fetch(url, { method: 'POST', headers: JSON_BODY, body: CHAIN_ID })
    expect(await response.text()).toBe(CHAIN_ID_ANSWER)
  })

  it('rejects with EADDRINUSE where the port is taken, and harms neither', async () => {
    const { port } = await devnet.listen()
    await expect(devnet.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port })
    expect((await clientOf(port).send({ body: CHAIN_ID })).body).toBe(CHAIN_ID_ANSWER)
  })

  it('may listen at several ports', async () => {
    const [one, two] = [await devnet.listen(), await devnet.listen()]
    expect(one.port).not.toBe(two.port)
    await one.close()
    expect((await clientOf(two.port).send({ body: CHAIN_ID })).body).toBe(CHAIN_ID_ANSWER)
  })

  it.each([
    ['ASCII', 'a'],
    ['latin1', 'é'],
    ['UTF-8', '鎖'],
  ])('answers with short and long text in %s and its length in bytes', async (_name, character) => {
    const client = clientOf((await devnet.listen()).port)
    for (const length of [1, 5_000, 100_000]) {
      const id = character.repeat(length)
      const asked = JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_chainId' })
      const { status, headers, body } = await client.send({ body: asked })
      expect(status).toBe(200)
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body))
      expect(JSON.parse(body)).toEqual({ jsonrpc: '2.0', id, result: '0x7a69' })
    }
  })

  it('answers a batch with long code as it is answered elsewhere', async () => {
    const client = clientOf((await devnet.listen()).port)
    const [address, code] = [`0x${'c0de'.repeat(10)}`, `0x${'5b'.repeat(24_576)}`]
    await devnet.request({ method: 'anvil_setCode', params: [address, code] })
    const asked = [1, 'é', '鎖', undefined, null, 2 ** 64].flatMap((id) => [
      { jsonrpc: '2.0', id, method: 'eth_getCode', params: [address, 'latest'] },
      { jsonrpc: '2.0', id, method: 'eth_chainId' },
      { jsonrpc: '2.0', id, method: 'é' },
    ])
    for (const batch of [asked, asked.slice(0, 1), asked.slice(1, 2), asked.slice(2)]) {
      const text = JSON.stringify(batch)
      const { status, headers, body } = await client.send({ body: text })
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('application/json')
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body))
      expect(body === (await devnet.respond(text))).toBe(true)
    }
    const [first] = JSON.parse((await client.send({ body: JSON.stringify(asked) })).body)
    expect(first.result === code).toBe(true)
  })

  it('answers requests that were sent together in their order', async () => {
    const { port } = await devnet.listen()
    const asked = (id: number) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_chainId' })
      return `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    }
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    socket.write([1, 2, 3].map(asked).join(''))
    let answers = ''
    for await (const text of socket) {
      answers += text
      if (answers.includes('"id":3')) break
    }
    expect(answers.match(/"id":\d/g)).toEqual(['"id":1', '"id":2', '"id":3'])
  })

  it('answers GET /health', async () => {
    const { port } = await devnet.listen()
    const { status, headers, body } = await clientOf(port).send({
      method: 'GET',
      path: '/health',
      headers: {},
    })
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('application/json')
    expect(JSON.parse(body)).toEqual({ status: 'ok' })
    expect(headers['x-powered-by']).toBeUndefined()
  })

  it('refuses other paths with 404 and other methods with 405', async () => {
    const client = clientOf((await devnet.listen()).port)
    expect((await client.send({ path: '/rpc', body: CHAIN_ID })).status).toBe(404)
    expect((await client.send({ method: 'POST', path: '/health' })).status).toBe(404)
    const { status, headers } = await client.send({ method: 'GET', headers: {} })
    expect(status).toBe(405)
    expect(headers.allow).toBe('POST, OPTIONS')
  })

  it('answers a path that cannot be decoded', async () => {
    const client = clientOf((await devnet.listen()).port)
    const { status, body } = await client.send({ path: '/%', body: CHAIN_ID })
    expect([400, 404]).toContain(status)
    expect(JSON.parse(body).error.code).toBe(-32600)
  })

  it('refuses a body of more than 5 MB with 413 and goes on', async () => {
    const client = clientOf((await devnet.listen()).port)
    const limit = 5 * 1024 * 1024
    expect((await client.send({ body: CHAIN_ID.padEnd(limit) })).body).toBe(CHAIN_ID_ANSWER)
    expect((await client.send({ body: CHAIN_ID.padEnd(limit + 1) })).status).toBe(413)
    expect((await client.send({ body: CHAIN_ID })).body).toBe(CHAIN_ID_ANSWER)
  })

  it('lets a listener have a body limit of its own', async () => {
    const client = clientOf((await devnet.listen({ bodyLimit: 60 })).port)
    expect((await client.send({ body: CHAIN_ID.padEnd(60) })).status).toBe(200)
    expect((await client.send({ body: CHAIN_ID.padEnd(61) })).status).toBe(413)
  })
})

describe('a page of another origin', () => {
  const ORIGIN = { origin: 'http://app.example' }

  it('may read answers, and refusals too', async () => {
    const client = clientOf((await devnet.listen()).port)
    for (const request of [
      { headers: { ...JSON_BODY, ...ORIGIN }, body: CHAIN_ID },
      { headers: { ...JSON_BODY, ...ORIGIN }, body: '{' },
      { headers: ORIGIN, body: CHAIN_ID },
      { headers: { ...JSON_BODY, ...ORIGIN }, path: '/rpc', body: CHAIN_ID },
      { headers: ORIGIN, method: 'GET', path: '/health' },
    ]) {
      expect((await client.send(request)).headers['access-control-allow-origin']).toBe('*')
    }
  })

  it('is told so when it asks first', async () => {
    const client = clientOf((await devnet.listen()).port)
    const asked = {
      ...ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    }
    const { status, headers, body } = await client.send({ method: 'OPTIONS', headers: asked })
    expect({ status, body }).toEqual({ status: 204, body: '' })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-methods']).toContain('POST')
    expect(headers['access-control-allow-headers']).toBe('content-type')
  })
})

describe('close', () => {
  it('ends connections that are kept and idle', async () => {
    const listener = await devnet.listen()
    const client = clientOf(listener.port)
    await client.send({ body: CHAIN_ID })
    const [socket] = client.idleSockets
    const closed = new Promise((resolve) => socket?.once('close', resolve))
    await listener.close()
    await closed
    await expect(client.send({ body: CHAIN_ID })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('ends connections that have said half of something', async () => {
    const listener = await devnet.listen()
    const socket = connect(listener.port, '127.0.0.1')
    socket.on('error', () => {})
    await new Promise<void>((resolve) =>
      socket.write('POST / HTTP/1.1\r\nhost: localhost\r\n', () => resolve()),
    )
    // Its half has arrived when a request that was sent later is answered.
    await clientOf(listener.port).send({ body: CHAIN_ID })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await listener.close()
    await closed
  })

  it('may be called twice, at once or later', async () => {
    const listener = await devnet.listen()
    await Promise.all([listener.close(), listener.close()])
    await listener.close()
    await devnet.close()
    await devnet.close()
  })

  it('frees the port', async () => {
    const listener = await devnet.listen()
    await listener.close()
    const again = await devnet.listen({ port: listener.port })
    expect((await clientOf(again.port).send({ body: CHAIN_ID })).body).toBe(CHAIN_ID_ANSWER)
  })

  it('is done to all listeners when the devnet is closed', async () => {
    const listeners = [await devnet.listen(), await devnet.listen()]
    await devnet.close()
    for (const { port } of listeners) {
      await expect(clientOf(port).send({ body: CHAIN_ID })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    }
  })
})
