/** The package as it is published: a bundle that does later what the sources do at once, and must answer the same. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { p256 } from '@noble/curves/nist.js'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { install } from '../../scripts/build/install.ts'
import { type Hex, toHex, toWord } from '../../src/bytes/hex.ts'
import * as source from '../../src/index.ts'
import { SocketClient } from '../support/clients/socket.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

let folder: string
let home: string
let built: typeof source

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-package-'))
  home = await install(folder)
  built = await import(pathToFileURL(join(home, 'dist/index.js')).href)
})
afterAll(() => rm(folder, { recursive: true }))

/** What a module prints that runs in a process of its own, in `where`. */
async function printed(text: string, where = folder): Promise<string> {
  const file = join(where, 'script.mjs')
  await writeFile(file, text)
  const { stdout } = await run(process.execPath, [file], { env: { ...process.env, NODE_OPTIONS: '' } })
  return stdout
}

/** The first call, and whatever `after` prints then. Nothing is closed: what is still at work keeps the process alive. */
const call = (after: string) => `
  import { createRequire } from 'node:module'
  import { createDevnet } from 'preseal'
  const devnet = await createDevnet({ rhythm: 'manual' })
  const to = '0x00000000000000000000000000000000000c0de0'
  const code = '0x602a60005260206000f3'
  await devnet.request({ method: 'eth_call', params: [{ to }, 'latest', { [to]: { code } }] })
  console.log(JSON.stringify(${after}))`

describe('a first call', () => {
  it('loads no other package, and nothing of Node for the network', async () => {
    const { packages, builtins } = JSON.parse(
      await printed(
        call(
          '{ packages: Object.keys(createRequire(import.meta.url).cache), builtins: process.moduleLoadList }',
        ),
      ),
    )
    expect(packages).toEqual([])
    for (const name of ['http', 'net', 'tty']) expect(builtins).not.toContain(`NativeModule ${name}`)
  })

  it('leaves nothing at work', async () => {
    expect(JSON.parse(await printed(call('process.getActiveResourcesInfo()')))).not.toContain('Timeout')
  })

  it('needs nothing else to be installed', async () => {
    const alone = join(folder, 'alone')
    await mkdir(join(alone, 'node_modules/preseal'), { recursive: true })
    for (const part of ['dist', 'package.json']) {
      await cp(join(home, part), join(alone, 'node_modules/preseal', part), { recursive: true })
    }
    const send = `{
      hash: await devnet.request({ method: 'eth_sendTransaction', params: [{ from: devnet.accounts[0].address, to }] }),
    }`
    expect(await printed(call(send), alone)).toBe(await printed(call(send)))
  })
})

describe('a first answer over HTTP', () => {
  it('loads neither Express nor ws, nor what Node has for fetch and TLS', async () => {
    const builtins = JSON.parse(
      await printed(`
        import { createDevnet } from 'preseal'
        const devnet = await createDevnet({ rhythm: 'manual' })
        const { port } = await devnet.listen()
        // An import of node:http would load all that it exports.
        const { request } = process.getBuiltinModule('node:http')
        const headers = { 'content-type': 'application/json' }
        const asked = request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false }, (response) => {
          response.resume().on('end', () => {
            console.log(JSON.stringify(process.moduleLoadList))
            void devnet.close()
          })
        })
        asked.end('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}')`),
    )
    expect(builtins).toContain('NativeModule http')
    // Express and ws ask for the first, ws for the next two.
    const others = ['crypto', 'tls', 'zlib', 'internal/deps/undici/undici']
    for (const name of others) expect(builtins).not.toContain(`NativeModule ${name}`)
  })
})

describe('a port of the built package', () => {
  const JSON_TYPE = 'application/json; charset=utf-8'
  const HEADERS = { 'content-type': 'application/json' }
  const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'

  it('serves by Express what is not JSON-RPC, with a body and without one', async () => {
    await using devnet = await built.createDevnet({ rhythm: 'manual' })
    const { url } = await devnet.listen()
    const health = await fetch(`${url}/health`)
    expect([health.status, health.headers.get('content-type')]).toEqual([200, JSON_TYPE])
    expect(await health.json()).toEqual({ status: 'ok' })
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: 'http://app.example' } })
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST,GET,OPTIONS')
    for (const body of [CHAIN_ID, '{', undefined]) {
      const missing = await fetch(`${url}/rpc`, { method: 'POST', headers: HEADERS, body: body ?? null })
      expect(missing.status).toBe(404)
      expect(((await missing.json()) as { error: object }).error).toMatchObject({ code: -32600 })
    }
    expect((await fetch(url)).status).toBe(405)
    expect(
      await (await fetch(url, { method: 'POST', headers: HEADERS, body: CHAIN_ID })).json(),
    ).toMatchObject({ result: '0x7a69' })
  })

  it('creates chains, whose wishes come in a body or not at all', async () => {
    await using devnet = await built.createDevnet({ rhythm: 'manual' })
    const server = await built.serveChains(devnet)
    const put = (name: string, body?: string) =>
      fetch(`${server.url}/c/${name}`, { method: 'PUT', body: body ?? null })
    const [created, wished] = [await put('alice'), await put('bob', '{"from":"alice","rhythm":"instant"}')]
    expect([created.status, created.headers.get('content-type')]).toEqual([201, JSON_TYPE])
    expect(await wished.json()).toMatchObject({ from: 'alice', rhythm: 'instant' })
    expect((await put('carol', '{')).status).toBe(400)
    expect((await put('carol', ' '.repeat(20_000))).status).toBe(413)
    await server.close()
  })

  it('serves the page, with its script and styles as such, to a browser alone', async () => {
    await using devnet = await built.createDevnet({ rhythm: 'manual' })
    const { url } = await devnet.listen()
    const page = await fetch(`${url}/tx/0xabc`, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const assets = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!)
    const types = await Promise.all(
      assets.map(async (path) => (await fetch(`${url}${path}`)).headers.get('content-type')),
    )
    expect([...new Set(types)].sort()).toEqual(['text/css; charset=utf-8', 'text/javascript; charset=utf-8'])
  })

  it('accepts WebSockets', async () => {
    await using devnet = await built.createDevnet({ rhythm: 'manual' })
    const { webSocketUrl } = await devnet.listen()
    const client = await SocketClient.connect(webSocketUrl)
    client.send(CHAIN_ID)
    expect(JSON.parse(await client.next())).toMatchObject({ result: '0x7a69' })
    client.terminate()
  })
})

describe('a stack trace', () => {
  it('begins at the line of the user who awaits', async () => {
    const lines = await printed(`import { createDevnet } from 'preseal'
const devnet = await createDevnet({ rhythm: 'manual' })
const abi = ['function none()']
const address = devnet.accounts[1].address
const bytecode = '0x60006000fd'
const failures = [
  () => devnet.write({ abi, address, functionName: 'none' }),
  () => devnet.deploy({ abi, bytecode }),
  async () => await devnet.request({ method: 'eth_nothing' }),
]
for (const fails of failures) {
  const { stack } = await fails().catch((error) => error)
  console.log(stack.split('\\n').find((line) => line.startsWith('    at ')).replace(/.*(script.*?)\\)?$/, '$1'))
}`)
    expect(lines.trim().split('\n')).toEqual([
      expect.stringMatching(/^script\.mjs:7:/),
      expect.stringMatching(/^script\.mjs:8:/),
      expect.stringMatching(/^script\.mjs:9:/),
    ])
  })
})

describe('a contract', () => {
  it('is deployed by its name from the working folder', async () => {
    const out = join(folder, 'forge/out/Stop.sol')
    await mkdir(out, { recursive: true })
    await writeFile(join(out, 'Stop.json'), JSON.stringify({ abi: [], bytecode: { object: '0x60015ff3' } }))
    const text = `import { createDevnet } from 'preseal'
      process.chdir(${JSON.stringify(join(folder, 'forge'))})
      const devnet = await createDevnet({ rhythm: 'manual' })
      const { address } = await devnet.deploy('Stop')
      console.log(await devnet.request({ method: 'eth_getCode', params: [address, 'latest'] }))`
    expect(await printed(text)).toBe('0x00\n')
  })
})

describe('the types', () => {
  it('are found by the name of the package, pass a strict compiler, and say what is wrong', async () => {
    const file = join(folder, 'user.mts')
    await writeFile(
      file,
      `import { createDevnet, type Devnet, InvalidOption, rpcMiddleware } from 'preseal'
      import { defineFixture } from 'preseal/testing'
      import { expect, test } from 'preseal/vitest'
      const devnet: Devnet = await createDevnet({ rhythm: 'manual', tickMs: 100 })
      const answer: unknown = await devnet.request({ method: 'eth_chainId' })
      const { url }: { url: string } = await devnet.listen({ port: 0 })
      devnet.on('sealed', ({ block }) => console.log(block.header.number + 1n))
      // @ts-expect-error
      await createDevnet({ tickMs: 'soon' })
      const fixture = defineFixture(async () => ({ answer: 42 }))
      const { answer: number }: { answer: number } = await fixture.use()
      test('a test', ({ accounts }) => expect(accounts[0]?.address).toBe(1))
      // @ts-expect-error
      test('a test', ({ acounts }) => {})
      export { answer, InvalidOption, number, rpcMiddleware, url }`,
    )
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2023']
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
    for (const module of [['nodenext'], ['esnext', '--moduleResolution', 'bundler']]) {
      const all = [tsc, ...flags, ...types, '--module', ...module, file]
      const complaints = await run(process.execPath, all, { cwd: folder }).then(
        () => '',
        ({ stdout }) => stdout as string,
      )
      expect(complaints.split('\n').filter((line) => /preseal\/dist|user\.mts/.test(line))).toEqual([])
    }
  })

  it('have the meaning of each option for editors', async () => {
    const options = await readFile(join(home, 'dist/options/options.d.ts'), 'utf8')
    expect(options).toMatch(/\/\*\* EIP-155 chain id \(default: `31337`\) \*\/\s+readonly chainId: /)
  })

  it('lead to no other packages than those that users have beside it', async () => {
    const { dependencies, peerDependencies } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
    const files = await readdir(join(home, 'dist'), { recursive: true })
    const texts = await Promise.all(
      files
        .filter((file) => file.endsWith('.d.ts'))
        .map((file) => readFile(join(home, 'dist', file), 'utf8')),
    )
    const modules = texts.flatMap((text) => [...text.matchAll(/(?:from |import\()["']([^.][^"']*)/g)])
    for (const [, module] of modules) {
      const [name] = /^(@[^/]+\/)?[^/]+/.exec(module!)!
      expect({ ...dependencies, ...peerDependencies }).toHaveProperty([name])
      expect(module).not.toContain('@ethereumjs')
    }
  })
})

describe('the main entry', () => {
  it('has nothing of Node in what it loads at once, so that it runs in a browser', async () => {
    const { metafile } = await build({
      entryPoints: [join(home, 'dist/index.js')],
      absWorkingDir: home,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      outdir: folder,
      write: false,
      metafile: true,
    })
    const atOnce = new Set(['dist/index.js'])
    for (const file of atOnce) {
      for (const { path, kind } of metafile.inputs[file]?.imports ?? []) {
        if (kind === 'import-statement') atOnce.add(path)
      }
    }
    expect(atOnce.size).toBeGreaterThan(1)
    for (const file of atOnce) expect(file).toMatch(/^dist\//)
  })

  it('has for a browser the same names in the place of what listens', async () => {
    const [there, instead] = await Promise.all(
      ['listen.js', 'noPorts.js'].map((name) => import(pathToFileURL(join(home, 'dist/server', name)).href)),
    )
    expect(Object.keys(instead)).toEqual(Object.keys(there))
    await expect(instead.listen()).rejects.toThrow('a browser has no ports')
  })
})

describe('the command line', () => {
  it('runs a fixture, whose import of preseal is the one that runs it', async () => {
    const fixture = join(folder, 'fixture.ts')
    await writeFile(
      fixture,
      `import { createDevnet, type Devnet } from 'preseal'
      export default async (devnet: Devnet) => {
        const other = await createDevnet({ rhythm: 'manual' })
        console.log('same:', other.constructor === devnet.constructor)
        process.kill(process.pid, 'SIGTERM')
      }`,
    )
    const { stdout } = await run(process.execPath, [
      join(home, 'dist/cli.js'),
      '--port',
      '0',
      '--fixture',
      fixture,
    ])
    expect(stdout).toContain('same: true')
  })

  it('runs a fixture that imports it where it is not installed', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'preseal-elsewhere-'))
    const fixture = join(elsewhere, 'fixture.ts')
    await writeFile(
      fixture,
      `import { defineFixture } from 'preseal/testing'
      const mined = defineFixture(async (devnet) => devnet.mine())
      export default mined.extend(async (devnet) => {
        const { devnet: other } = await mined.use()
        console.log('same:', other.constructor === devnet.constructor)
        process.kill(process.pid, 'SIGTERM')
      })`,
    )
    const { stdout } = await run(
      process.execPath,
      [join(home, 'dist/cli.js'), '--port', '0', '--fixture', fixture],
      { cwd: elsewhere },
    )
    expect(stdout).toContain('same: true')
    await rm(elsewhere, { recursive: true })
  })
})

const bytes = (...parts: (bigint | Hex)[]): Hex =>
  `0x${parts.map((part) => (typeof part === 'bigint' ? toHex(toWord(part)) : part).slice(2)).join('')}`
/** As EIP-2537 writes an element of the field: 64 bytes. */
const field = (value: bigint): Hex => `0x${value.toString(16).padStart(128, '0')}`

const BLS_G1 = bls12_381.G1.Point.BASE.toAffine()
const BLS_G2 = bls12_381.G2.Point.BASE.toAffine()
const G1 = bytes(field(BLS_G1.x), field(BLS_G1.y))
const MINUS_G1 = bytes(field(BLS_G1.x), field(bls12_381.fields.Fp.ORDER - BLS_G1.y))
const G2 = bytes(field(BLS_G2.x.c0), field(BLS_G2.x.c1), field(BLS_G2.y.c0), field(BLS_G2.y.c1))
const BN_G2 = bn254.G2.Point.BASE.toAffine()
/** EIP-197 has the imaginary part first. */
const BN_PAIR = bytes(BN_G2.x.c1, BN_G2.x.c0, BN_G2.y.c1, BN_G2.y.c0)

function p256Signature(): Hex {
  const key = toWord(7n)
  const hash = toWord(42n)
  const signature = toHex(p256.sign(hash, key, { prehash: false }))
  return bytes(toHex(hash), signature, `0x${toHex(p256.getPublicKey(key, false)).slice(4)}`)
}

/** EIP-152, test vector 5: rounds, state, message, offset, whether it is the last block. */
const BLAKE2F = bytes(
  '0x0000000c',
  0x48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5n,
  0xd182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05bn,
  `0x${'616263'.padEnd(256, '0')}`,
  `0x${'03'.padEnd(32, '0')}`,
  '0x01',
)

const PRECOMPILES: readonly [name: string, address: number, data: Hex][] = [
  [
    'ecrecover',
    0x01,
    bytes(
      0x456e9aea5e197a1f1af7a3e85a3212fa4049a3ba34c2289b4c860fc0b0c64ef3n,
      28n,
      0x9242685bf161793cc25603c231bc2f568eb630ea16aa137d2664ac8038825608n,
      0x4f8ae3bd7535248d0bd448298cc2e2071e56992d0774dc340c368ae950852adan,
    ),
  ],
  ['sha256', 0x02, '0x7072657365616c'],
  ['ripemd160', 0x03, '0x7072657365616c'],
  ['identity', 0x04, '0x7072657365616c'],
  ['modexp', 0x05, bytes(1n, 1n, 1n, '0x070b0d')],
  ['bn254 add', 0x06, bytes(1n, 2n, 1n, 2n)],
  ['bn254 mul', 0x07, bytes(1n, 2n, 3n)],
  ['bn254 pairing', 0x08, bytes(1n, 2n, BN_PAIR, 1n, bn254.fields.Fp.ORDER - 2n, BN_PAIR)],
  ['blake2f', 0x09, BLAKE2F],
  ['bls12-381 g1 add', 0x0b, bytes(G1, G1)],
  ['bls12-381 g1 msm', 0x0c, bytes(G1, 3n, G1, 5n)],
  ['bls12-381 g2 add', 0x0d, bytes(G2, G2)],
  ['bls12-381 g2 msm', 0x0e, bytes(G2, 3n, G2, 5n)],
  ['bls12-381 pairing', 0x0f, bytes(G1, G2, MINUS_G1, G2)],
  ['bls12-381 map to g1', 0x10, field(7n)],
  ['bls12-381 map to g2', 0x11, bytes(field(7n), field(11n))],
  ['p256verify', 0x100, p256Signature()],
]

describe('a precompile of the built package', () => {
  // Where there is no KZG, both say that a method failed.
  beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
  afterAll(() => vi.restoreAllMocks())

  /** The answer to a call, or how it failed; and the gas that it takes. */
  async function outcomes(preseal: typeof source, address: number, data: Hex): Promise<unknown[]> {
    await using devnet = await preseal.createDevnet({ rhythm: 'manual' })
    const to = `0x${address.toString(16).padStart(40, '0')}`
    const ask = (method: string) =>
      devnet
        .request({ method, params: [{ to, data }] })
        .catch(({ code, message, data }: source.ProviderRpcError) => ({ code, message, data }))
    return [await ask('eth_call'), await ask('eth_estimateGas')]
  }

  it.each(PRECOMPILES)('answers as the source does: %s', async (_, address, data) => {
    const [answer, gas] = await outcomes(built, address, data)
    expect(answer).toMatch(/^0x[0-9a-f]{2,}$/)
    expect([answer, gas]).toEqual(await outcomes(source, address, data))
  })

  it.each([...PRECOMPILES, ['point evaluation', 0x0a, bytes(1n, 2n, 3n)] as const])(
    'refuses what the source refuses: %s',
    async (_, address) => {
      for (const data of ['0x', '0x01', `0x${'ff'.repeat(192)}`, `0x${'00'.repeat(384)}`] as const) {
        expect(await outcomes(built, address, data)).toEqual(await outcomes(source, address, data))
      }
    },
  )
})
