/** The port of many chains: what it answers beside them, and to whom; and the same chains in process. */
import { describe, expect, it } from 'vitest'
import { serveChains } from '../../../src/index.ts'
import { asking, names, refusal, rpcText, serving } from '../../support/chains/servedChains.ts'
import { started } from '../../support/clients/clients.ts'
import { withRandom } from '../../support/random/random.ts'

describe('the port', () => {
  it.each(['/', '/c/alice/logs', '/rpc'])('has nothing at %s, and says where to ask', async (path) => {
    const response = await asking(await serving()).send('POST', path, rpcText('eth_chainId'))
    expect(response.status).toBe(404)
    expect(refusal(response)).toBe(
      `invalid request: there is nothing at ${path}; JSON-RPC is at /c/<name>, which creates the chain at its first request`,
    )
  })

  it.each([
    ['POST', '/c', 'GET'],
    ['DELETE', '/c', 'GET'],
    ['PATCH', '/c/alice', 'GET, POST, PUT, DELETE, OPTIONS'],
    ['GET', '/c/alice/reset', 'POST'],
  ])('refuses %s %s with 405', async (method, path, allowed) => {
    const { status, headers } = await asking(await serving()).send(method, path)
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: allowed })
  })

  it('answers GET /health', async () => {
    expect(JSON.parse((await asking(await serving()).send('GET', '/health')).body)).toEqual({ status: 'ok' })
  })

  it('lets pages of other origins ask, make, reset and delete', async () => {
    const server = await serving()
    const origin = 'http://app.example'
    const preflight = await fetch(`${server.url}/c/alice`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT' },
    })
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET,POST,PUT,DELETE,OPTIONS')
    for (const [method, path] of [
      ['PUT', '/c/alice'],
      ['POST', '/c/alice'],
      ['POST', '/c/a b'],
      ['POST', '/c/alice/reset'],
      ['GET', '/c'],
      ['DELETE', '/c/alice'],
      ['DELETE', '/c/alice'],
    ] as const) {
      const { headers } = await fetch(server.url + path, { method, headers: { origin } })
      expect(headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  it('is for this machine alone: another host is refused before anything is made', async () => {
    const server = await serving()
    const { send } = asking(server)
    expect((await send('POST', '/c/alice', rpcText('eth_chainId'))).status).toBe(200)
    const http = await import('node:http')
    const status = await new Promise((resolve) =>
      http
        .request(`${server.url}/c/bob`, { method: 'PUT', headers: { host: 'evil.example' } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        .end(),
    )
    expect({ status, names: names(server) }).toEqual({ status: 403, names: ['alice'] })
  })

  it('has room for so many chains, and says how to make some', async () => {
    const server = await serving({ maxChains: 2 })
    const { send, rpc } = asking(server)
    await rpc('a', 'eth_chainId')
    await rpc('b', 'eth_chainId')
    for (const [method, path] of [
      ['POST', '/c/c'],
      ['PUT', '/c/c'],
      ['POST', '/c/c/reset'],
    ] as const) {
      const response = await send(method, path, method === 'PUT' ? {} : rpcText('eth_chainId'))
      expect(response.status).toBe(503)
      expect(refusal(response)).toBe(
        'invalid request: there are 2 chains, which is the limit; delete unused ones (DELETE /c/<name>), or raise maxChains',
      )
    }
    expect(await rpc('a', 'eth_chainId')).toBe('0x7a69')
    await send('DELETE', '/c/a')
    expect(await rpc('c', 'eth_chainId')).toBe('0x7a69')
  })

  it.each([
    [{ maxChains: 0 }, 'option maxChains: expected chains (a whole number from 1 to 1000000), got 0'],
    [
      { restAfterMs: Number.POSITIVE_INFINITY },
      'option restAfterMs: expected milliseconds (a whole number from 0 to 86400000), got Infinity',
    ],
    [
      { rhythm: 'daily' as 'manual' },
      'option rhythm: expected one of interval, manual, instant, got "daily"',
    ],
  ])('is not opened with %j', async (options, message) => {
    await expect(serving(options)).rejects.toThrow(message)
  })

  it('rejects where it is taken', async () => {
    const { port } = await serving()
    const base = await started({ rhythm: 'manual' })
    await expect(serveChains(base, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('is strict where the base is', async () => {
    const server = await serving({}, { strict: true })
    const { rpc, send } = asking(server)
    await expect(rpc('alice', 'eth_chainId')).rejects.toThrow('strict mode knows the six methods')
    expect(JSON.parse((await send('POST', '/', '{}')).body).error.data).toBe('seed section 4.1')
  })

  it(
    'survives whatever is sent to it',
    withRandom(async (random) => {
      const server = await serving()
      const { send, rpc } = asking(server)
      const parts = [
        '/',
        'c',
        'alice',
        'reset',
        '%',
        '..',
        '?',
        'ü',
        '%2f',
        'x'.repeat(70),
        ' ',
        '#',
        '\\',
        '{}',
        '//',
      ]
      const bodies = [
        '',
        '{',
        '[]',
        '{}',
        'null',
        '"x"',
        '{"from":{}}',
        rpcText('eth_chainId'),
        '\u0000',
        '[[[[',
      ]
      const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']
      for (let i = 0; i < 300; i++) {
        const path = `/${Array.from({ length: 1 + random.below(4) }, () => random.pick(parts)).join(random.pick(['/', '']))}`
        const { status } = await send(random.pick(methods), encodeURI(path), random.pick(bodies))
        expect(status).toBeGreaterThanOrEqual(200)
        expect(status).toBeLessThan(500)
      }
      expect(await rpc('alice', 'eth_chainId')).toBe('0x7a69')
    }),
  )
})

describe('in process', () => {
  it('a chain has its URLs and its devnet', async () => {
    const server = await serving()
    const alice = server.chain('alice')
    expect(alice.url).toBe(`${server.url}/c/alice`)
    expect(alice.webSocketUrl).toBe(`ws://127.0.0.1:${server.port}/c/alice`)
    await alice.devnet.mine()
    expect(await asking(server).rpc('alice', 'eth_blockNumber')).toBe('0x1')
    await server.reset('alice')
    expect(await alice.devnet.request({ method: 'eth_blockNumber' })).toBe('0x0')
  })

  it('a chain is complete when its devnets are told of, the first and those that resets bring', async () => {
    const told: unknown[] = []
    const server = await serving({
      onDevnet(chain, devnet) {
        const isListed = server.find(chain.name) === chain
        told.push([chain.devnet === devnet, isListed, chain.describe().block])
      },
    })
    await server.chain('alice').devnet.mine()
    await server.reset('alice')
    expect(told).toEqual([
      [true, true, 0],
      [true, true, 0],
    ])
  })

  it('what cannot be is thrown, with the status of HTTP', async () => {
    const server = await serving({ maxChains: 1 })
    expect(() => server.chain('a b')).toThrow(expect.objectContaining({ name: 'ChainRefused', status: 400 }))
    server.chain('alice')
    expect(() => server.chain('bob')).toThrow(expect.objectContaining({ status: 503 }))
    expect(() => server.create('alice', { rhythm: 'instant' })).toThrow(
      expect.objectContaining({ status: 409 }),
    )
    await expect(server.reset('bob')).rejects.toMatchObject({ status: 503 })
    expect(await server.delete('bob')).toBe(false)
  })

  it('ends all when it is closed', async () => {
    const server = await serveChains(await started({ rhythm: 'interval', tickMs: 1 }))
    const { devnet } = server.chain('alice')
    await server.close()
    await expect(devnet.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900 })
    await expect(fetch(server.url)).rejects.toThrow()
  })
})
