/** The page over HTTP: who is answered with it, at which paths, with which headers; and who is not. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createDevnet, type ListenOptions, serveChains } from '../../src/index.ts'
import { isPageOf } from '../../src/server/expressApp.ts'
import { createRefuse } from '../../src/server/handler.ts'
import { createEndpoint, listen, listenTo } from '../../src/server/listen.ts'
import type { ChainServer } from '../../src/server/many/chainServer.ts'
import { siteOf } from '../../src/server/many/serveChains.ts'
import { isOwnOrigin } from '../../src/server/origins.ts'
import { serving } from '../support/chains/servedChains.ts'
import { started } from '../support/clients/clients.ts'
import { HttpClient, type HttpRequest, JSON_BODY } from '../support/clients/exchange.ts'
import { SocketClient } from '../support/clients/socket.ts'

/** What Chromium sends with a page that is opened. */
const BROWSER = {
  accept:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
} as const

const DOCUMENT = `<!doctype html>
<html lang="en">
  <head>
    <title>preseal</title>
    <script type="module" crossorigin src="/assets/index-DbbvTc7a.js"></script>
  </head>
  <body></body>
</html>
`
const SCRIPT = 'export const answer = 42\n'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-page-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), DOCUMENT)
  await writeFile(join(folder, 'assets/index-DbbvTc7a.js'), SCRIPT)
  await writeFile(join(folder, 'assets/index-Bxe_QZ-E.css'), 'body { margin: 0 }\n')
  await writeFile(join(folder, 'secret.txt'), 'not for the network\n')
})
afterAll(() => rm(folder, { recursive: true }))

function clientOf(port: number) {
  const client = new HttpClient(port)
  onTestFinished(() => client.close())
  return {
    /** The answer to a browser that opens `path`. */
    open: (path: string, headers: HttpRequest['headers'] = {}) =>
      client.send({ method: 'GET', path, headers: { ...BROWSER, ...headers } }),
    send: (request: HttpRequest) => client.send(request),
  }
}

/** A port of one chain, with the page in `folder` unless another is named. */
async function port(options: ListenOptions = {}, pageFolder = folder) {
  const devnet = await started({ rhythm: 'manual' })
  const listener = await listen(devnet.answers, options, createRefuse(), {}, pageFolder)
  onTestFinished(() => listener.close())
  return { ...clientOf(listener.port), listener }
}

/** A port of many chains, of which there is none yet. */
async function portOfChains(options: ListenOptions = {}) {
  const devnet = await started({ rhythm: 'manual' })
  const endpoint = createEndpoint(devnet.answers, options, createRefuse())
  const alice = { endpoint, describe: () => ({ name: 'alice' }), report: async () => DOCUMENT }
  const chains = {
    chain: () => alice,
    chains: () => [],
    find: (name: string) => (name === 'alice' ? alice : undefined),
    create: () => alice,
    reset: async () => alice,
    delete: async () => true,
  }
  const refuse = createRefuse()
  const listener = await listenTo(siteOf(chains as unknown as ChainServer, refuse, folder), options, refuse)
  onTestFinished(() => listener.close())
  return clientOf(listener.port)
}

describe('the page', () => {
  it('is what a browser gets at the URL of JSON-RPC', async () => {
    const { status, headers, body } = await (await port()).open('/')
    expect({ status, body }).toEqual({ status: 200, body: DOCUMENT })
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
  })

  it.each([
    '/tx/0xabc',
    '/block/12',
    '/address/0xdef',
    '/blocks',
    '/logs',
    '/controls',
    '/console',
    '/x/y/z?at=pending',
  ])('is at %s, too', async (path) => {
    const { status, body } = await (await port()).open(path)
    expect({ status, body }).toEqual({ status: 200, body: DOCUMENT })
  })

  it.each([
    ['no header', {}],
    ['anything, as curl and fetch do', { accept: '*/*' }],
    ['JSON', { accept: 'application/json' }],
    ['JSON before HTML', { accept: 'application/json, text/html;q=0.9' }],
    ['anything but HTML', { accept: 'text/html;q=0, */*' }],
  ])('is not for a client that accepts %s', async (_name, headers) => {
    const { send } = await port()
    const { status, headers: answered, body } = await send({ method: 'GET', headers })
    expect(status).toBe(405)
    expect(answered).toMatchObject({ allow: 'POST, OPTIONS', vary: expect.stringMatching(/accept/i) })
    expect(JSON.parse(body).error.code).toBe(-32600)
    expect((await send({ method: 'GET', path: '/tx/0xabc', headers })).status).toBe(404)
  })

  it('leaves JSON-RPC by POST as it is, also for a client that accepts HTML', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
    const headers = { ...JSON_BODY, ...BROWSER }
    expect((await (await port()).send({ headers, body })).body).toBe(
      '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}',
    )
  })

  it('leaves other routes as they are', async () => {
    const { open, send } = await port()
    expect(JSON.parse((await open('/health')).body)).toEqual({ status: 'ok' })
    expect((await send({ method: 'POST', path: '/tx/0xabc', headers: BROWSER })).status).toBe(404)
    expect((await send({ method: 'DELETE', path: '/', headers: BROWSER })).status).toBe(405)
  })

  it('is not where a file is asked for', async () => {
    const { open } = await port()
    for (const path of ['/favicon.ico', '/index.html', '/secret.txt', '/blocks.json', '/a.b/c']) {
      const { status, body } = await open(path)
      expect([path, status]).toEqual([path, 404])
      expect(JSON.parse(body).error.message).toContain(`there is nothing at ${path}`)
    }
  })

  it('answers HEAD with its length and without its text', async () => {
    const { status, headers, body } = await (await port()).send({ method: 'HEAD', headers: BROWSER })
    expect({ status, body }).toEqual({ status: 200, body: '' })
    expect(headers['content-length']).toBe(String(DOCUMENT.length))
  })

  it('is asked for anew each time, and not sent again while it is the same', async () => {
    const { open } = await port()
    const { headers } = await open('/')
    expect(headers['cache-control']).toBe('no-cache')
    expect((await open('/', { 'if-none-match': headers.etag! })).status).toBe(304)
    expect((await open('/blocks', { 'if-none-match': '"another"' })).status).toBe(200)
  })

  it('allows nothing but what comes from its own origin, and to be in no frame', async () => {
    const { headers } = await (await port()).open('/')
    const policy = Object.fromEntries(
      (headers['content-security-policy'] as string).split('; ').map((rule) => {
        const [name, ...values] = rule.split(' ')
        return [name, values.join(' ')]
      }),
    )
    expect(policy).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'connect-src': "'self'",
      'img-src': "'self' data:",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    })
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  it('is told to leave out what changes the chain, by an element that is no script', async () => {
    const { body } = await (await port({ page: 'read-only' })).open('/block/1')
    expect(body).toContain('<head>\n    <meta name="preseal" content="read-only" />')
    expect(body).not.toMatch(/<script(?! type="module" crossorigin src="\/assets\/)/)
  })

  it('is not there where it is left out', async () => {
    const { open } = await port({ page: false })
    expect((await open('/')).status).toBe(405)
    expect((await open('/blocks')).status).toBe(404)
    expect((await open('/assets/index-DbbvTc7a.js')).status).toBe(404)
  })

  it('says in one sentence how to build it where it is not built', async () => {
    const { open } = await port({}, join(folder, 'absent'))
    for (const path of ['/', '/blocks']) {
      const { status, headers, body } = await open(path)
      expect({ status, type: headers['content-type'] }).toEqual({
        status: 404,
        type: 'text/plain; charset=utf-8',
      })
      expect(body).toMatch(/^the page is not built: `npm run build` .*\n$/)
    }
  })

  it('is read again from the disk, as it is after another build', async () => {
    const other = await mkdtemp(join(tmpdir(), 'preseal-page-'))
    onTestFinished(() => rm(other, { recursive: true }))
    const { open } = await port({}, other)
    expect((await open('/')).status).toBe(404)
    await writeFile(join(other, 'index.html'), '<head></head>new')
    expect((await open('/')).body).toBe('<head></head>new')
  })
})

describe('an asset of the page', () => {
  it.each([
    ['/assets/index-DbbvTc7a.js', 'text/javascript; charset=utf-8', SCRIPT],
    ['/assets/index-Bxe_QZ-E.css', 'text/css; charset=utf-8', 'body { margin: 0 }\n'],
  ])('%s is kept for good by browsers', async (path, type, text) => {
    const { send } = await port()
    const { status, headers, body } = await send({ method: 'GET', path, headers: {} })
    expect({ status, body }).toEqual({ status: 200, body: text })
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect((await send({ method: 'GET', path, headers: { 'if-none-match': headers.etag! } })).status).toBe(
      304,
    )
    expect((await send({ method: 'HEAD', path, headers: {} })).body).toBe('')
  })

  it('without a name of its own for each content is asked for each time', async () => {
    const { open } = await port()
    await writeFile(join(folder, 'assets/theme.js'), '// light or dark\n')
    const { headers, body } = await open('/assets/theme.js')
    expect([headers['cache-control'], body]).toEqual(['no-cache', '// light or dark\n'])
    expect((await open('/assets/theme.js', { 'if-none-match': headers.etag! })).status).toBe(304)
  })

  it('that is not there is said to be missing, and not kept', async () => {
    const { open } = await port()
    for (const path of [
      '/assets/index-old.js',
      '/assets/',
      '/assets/..%2fsecret.txt',
      '/assets/%2e%2e/secret.txt',
    ]) {
      const { status, headers, body } = await open(path)
      expect([path, status]).toEqual([path, 404])
      expect(body).toMatch(/^there is no \/assets\/\S* in the page/)
      expect(headers['cache-control']).toBeUndefined()
    }
  })
})

describe('not a way in', () => {
  it('a name that a stranger pointed at this machine gets neither the page nor its assets', async () => {
    const { open } = await port({ allowedHosts: ['devnet.test'] })
    for (const path of ['/', '/blocks', '/assets/index-DbbvTc7a.js']) {
      expect((await open(path, { host: 'evil.example:8545' })).status).toBe(403)
      expect((await open(path, { host: 'devnet.test:8545' })).status).toBe(200)
    }
  })

  it('an origin that is not allowed gets neither', async () => {
    const { open } = await port({ allowedOrigins: ['http://localhost:3000'] })
    for (const path of ['/', '/assets/index-DbbvTc7a.js']) {
      expect((await open(path, { origin: 'http://evil.example' })).status).toBe(403)
    }
  })

  it('the page of the port itself may always ask, whichever origins are allowed', async () => {
    const { send, listener } = await port({ allowedOrigins: ['http://localhost:3000'] })
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
    for (const [host, origin, expected] of [
      [`127.0.0.1:${listener.port}`, listener.url, 200],
      ['LOCALHOST:80', 'http://localhost:80', 200],
      // Behind a proxy that adds TLS.
      ['devnet.localhost', 'https://devnet.localhost', 200],
      [`127.0.0.1:${listener.port}`, 'http://127.0.0.1:1', 403],
      [`127.0.0.1:${listener.port}`, 'null', 403],
    ] as const) {
      const { status } = await send({ headers: { ...JSON_BODY, host, origin }, body })
      expect([origin, status]).toEqual([origin, expected])
    }
    const socket = await SocketClient.connect(listener.webSocketUrl, { origin: listener.url })
    socket.send(body)
    expect(JSON.parse(await socket.next())).toMatchObject({ result: '0x7a69' })
    socket.terminate()
  })
})

describe('isOwnOrigin', () => {
  it('is false where no host or no origin is named', () => {
    expect(isOwnOrigin('http://127.0.0.1:1', undefined)).toBe(false)
    expect(isOwnOrigin(undefined, '127.0.0.1:1')).toBe(false)
  })
})

describe('a port of many chains', () => {
  it('has the page of each chain, also before there is the chain, and that of all', async () => {
    const { open } = await portOfChains()
    for (const path of ['/', '/c/alice', '/c/alice/', '/c/v1.2/tx/0xabc', '/c/bob/block/12']) {
      const { status, body } = await open(path)
      expect([path, status]).toEqual([path, 200])
      expect(body).toContain('<meta name="preseal" content="many-chains" />')
    }
  })

  it('has the assets of all pages at one place', async () => {
    const { open } = await portOfChains()
    expect((await open('/assets/index-DbbvTc7a.js')).body).toBe(SCRIPT)
  })

  it('describes a chain to whoever is no browser', async () => {
    const { send, open } = await portOfChains()
    const get = async (path: string, accept: string) =>
      JSON.parse((await send({ method: 'GET', path, headers: { accept } })).body)
    expect(await get('/c/alice', '*/*')).toEqual({ name: 'alice' })
    expect(await get('/c', BROWSER.accept)).toEqual({ chains: [] })
    expect((await open('/c/alice/reset')).status).toBe(405)
  })

  it('has no page beside its chains', async () => {
    const { open } = await portOfChains()
    for (const path of ['/tx/0xabc', '/c/alice/favicon.ico', '/c//tx']) {
      expect([path, (await open(path)).status]).toEqual([path, 404])
    }
  })

  it('tells both that it has many chains and that its page only reads', async () => {
    const { body } = await (await portOfChains({ page: 'read-only' })).open('/c/alice')
    expect(body).toContain('<meta name="preseal" content="many-chains read-only" />')
  })
})

describe('the option page', () => {
  it.each(['readonly', null, 1])('refuses %j', async (page) => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(devnet.listen({ page: page as never })).rejects.toThrow(
      `page: expected true, false or 'read-only', got ${JSON.stringify(page)}`,
    )
    await expect(serveChains(devnet, { page: page as never })).rejects.toThrow('page: expected')
  })

  it('leaves the page out of a devnet and of a server of chains', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect((await clientOf((await devnet.listen({ page: false })).port).open('/')).status).toBe(405)
    expect((await clientOf((await serving({ page: false })).port).open('/')).status).toBe(404)
  })

  it('leaves it out by default under strict, which answers as the simulated service does', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual', strict: true })
    const strict = clientOf((await devnet.listen()).port)
    expect((await strict.open('/')).status).toBe(405)
    const asked = clientOf((await devnet.listen({ page: true })).port)
    expect((await asked.open('/')).status).not.toBe(405)
  })
})

describe('isPageOf', () => {
  it.each([
    ['/', true, true],
    ['/health', false, false],
    ['/blocks', true, false],
    ['/c', true, false],
    ['/c/', true, false],
    ['/c/a', true, true],
    ['/c/a.b', false, true],
    ['/c/a/reset', true, false],
    ['/c/a/tx/0x1', true, true],
    ['/c/a/x.js', false, false],
  ])('is the page at %s: %s for one chain, %s for many', (path, one, many) => {
    expect([isPageOf(path, false), isPageOf(path, true)]).toEqual([one, many])
  })
})
