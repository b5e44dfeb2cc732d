/** Which web pages may ask: all of them, or those that were named. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createDevnet, type ListenOptions, serveChains } from '../../src/index.ts'
import { isAllowedOrigin, isOrigin } from '../../src/server/origins.ts'

const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'

/** Where a devnet answers, and where one of many chains does. */
async function listening(options: ListenOptions): Promise<string[]> {
  const devnet = await createDevnet({ rhythm: 'manual' })
  onTestFinished(() => devnet.close())
  const server = await serveChains(devnet, options)
  onTestFinished(() => server.close())
  const { url } = await devnet.listen(options)
  return [`${url}/`, `${server.url}/c/one`]
}

function post(url: string, origin?: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) }
  return fetch(url, { method: 'POST', headers, body: CHAIN_ID })
}

function preflight(url: string, origin: string): Promise<Response> {
  const headers = { origin, 'access-control-request-method': 'POST' }
  return fetch(url, { method: 'OPTIONS', headers })
}

/** The status with which a WebSocket of a page of `origin` is refused; 101: it is opened. */
function upgrade(url: string, origin: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws'), { origin })
    socket.on('open', () => {
      socket.close()
      resolve(101)
    })
    socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode!))
    socket.on('error', reject)
  })
}

const allowOrigin = ({ headers }: Response) => headers.get('access-control-allow-origin')

describe('by default', () => {
  it('pages of any origin may ask', async () => {
    for (const url of await listening({})) {
      const response = await post(url, 'http://page.example')
      expect([response.status, allowOrigin(response)]).toEqual([200, '*'])
      expect(allowOrigin(await preflight(url, 'http://page.example'))).toBe('*')
      expect(await upgrade(url, 'http://page.example')).toBe(101)
    }
  })
})

describe('allowedOrigins', () => {
  const allowed = 'http://localhost:3000'

  it('lets those pages ask, and whoever is no page', async () => {
    for (const url of await listening({ allowedOrigins: [allowed] })) {
      const response = await post(url, allowed)
      expect([response.status, allowOrigin(response), response.headers.get('vary')?.toLowerCase()]).toEqual([
        200,
        allowed,
        'origin',
      ])
      expect(allowOrigin(await preflight(url, allowed))).toBe(allowed)
      expect(await upgrade(url, allowed)).toBe(101)
      expect((await post(url)).status).toBe(200)
    }
  })

  it('refuses others with 403, over HTTP, for a preflight, and over WebSocket', async () => {
    for (const url of await listening({ allowedOrigins: [allowed] })) {
      for (const origin of [
        'http://localhost:3001',
        'https://localhost:3000',
        'http://evil.example',
        'null',
      ]) {
        const response = await post(url, origin)
        expect([response.status, allowOrigin(response)]).toEqual([403, null])
        expect(await response.json()).toMatchObject({
          error: { message: `invalid request: the origin ${origin} is not allowed; see --allowed-origins` },
        })
        expect((await preflight(url, origin)).status).toBe(403)
        expect(await upgrade(url, origin)).toBe(403)
      }
    }
  })

  it('has to be origins', async () => {
    await expect(listening({ allowedOrigins: ['localhost:3000'] })).rejects.toThrow(
      'allowedOrigins: expected origins such as http://localhost:3000, null or *, got "localhost:3000"',
    )
  })
})

describe('an origin', () => {
  it.each(['http://a.example', 'HTTPS://A.example/', 'http://[::1]:3000', 'null', '*'])('is %s', (text) => {
    expect(isOrigin(text)).toBe(true)
  })

  it.each(['', 'a.example', 'http://a.example/path', 'http://u@a.example', 'http://a.example:80x'])(
    'is not %j',
    (text) => {
      expect(isOrigin(text)).toBe(false)
    },
  )

  it('is of any case, and may have a slash behind it', () => {
    expect(isAllowedOrigin('http://a.example', ['HTTP://A.example/'])).toBe(true)
    expect(isAllowedOrigin('http://a.example.evil', ['http://a.example'])).toBe(false)
  })
})
