/** The cache of a fork: on disk, shared by processes, and enough to run without a network. */
import { fork } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Address, Hash } from '../../src/bytes/hex.ts'
import { NOT_FETCHED } from '../../src/state/remoteState.ts'
import {
  blockOf,
  type CachedExchange,
  cachePath,
  fileStore,
  userCacheFolder,
} from '../../src/upstream/cacheFile.ts'
import { openFork } from '../../src/upstream/openFork.ts'
import { forgetForks } from '../../src/upstream/sharedForks.ts'
import { UpstreamFailed, WrongCache } from '../../src/upstream/upstream.ts'
import {
  type Answering,
  type Arrived,
  type UpstreamNode,
  upstreamNode,
} from '../support/nodes/upstreamNode.ts'

const BLOCK = { chainId: 5n, number: 16n, hash: `0x${'ab'.repeat(32)}` as Hash }
const A: Address = `0x${'aa'.repeat(20)}`

let folder: string
const ended: (() => unknown)[] = []
beforeEach(() => {
  forgetForks()
  folder = mkdtempSync(join(tmpdir(), 'preseal-cache-'))
})
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
  rmSync(folder, { recursive: true, force: true })
  forgetForks()
})

const balance = (of: number, result: unknown): CachedExchange => ({
  method: 'eth_getBalance',
  params: [`0x${of}`, '0x10'],
  result,
})

function storeAt(path: string, block = BLOCK) {
  const warnings: string[] = []
  return { store: fileStore(path, block, (message) => warnings.push(message)), warnings }
}

describe('a cache file', () => {
  it('has what was kept when it is opened again, each exchange once', () => {
    const path = join(folder, 'made/on/demand.jsonl')
    const first = storeAt(path).store
    expect(existsSync(path)).toBe(false)
    first.keep([balance(1, '0x1'), balance(2, { deep: [null, 'text\nwith a line'] })])
    first.keep([balance(1, '0x1'), balance(3, '0x3')])
    const { store, warnings } = storeAt(path)
    expect(store.find('eth_getBalance', ['0x2', '0x10'])).toEqual(
      balance(2, { deep: [null, 'text\nwith a line'] }),
    )
    expect(store.find('eth_getBalance', ['0x4', '0x10'])).toBeUndefined()
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(JSON.parse(lines[0]!)).toEqual({
      preseal: 'fork cache',
      version: 1,
      chainId: '0x5',
      number: '0x10',
      hash: BLOCK.hash,
    })
    expect([lines.length, warnings]).toEqual([4, []])
  })

  it('drops a truncated line, and says so', () => {
    const path = join(folder, 'a.jsonl')
    storeAt(path).store.keep([balance(1, '0x1'), balance(2, '0x2')])
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.slice(0, -9))
    const { store, warnings } = storeAt(path)
    expect(warnings).toEqual([`${path}: a truncated line was dropped; the missing answers are fetched again`])
    expect(store.find('eth_getBalance', ['0x1', '0x10'])).toBeDefined()
    expect(store.find('eth_getBalance', ['0x2', '0x10'])).toBeUndefined()
    // The next append begins a new line after the truncated one.
    store.keep([balance(2, '0x2')])
    expect(storeAt(path).store.find('eth_getBalance', ['0x2', '0x10'])).toEqual(balance(2, '0x2'))
  })

  it.each([
    ['another chain', { ...BLOCK, chainId: 6n }, 'is a cache of block 16'],
    [
      'another block',
      { ...BLOCK, number: 17n, hash: `0x${'cd'.repeat(32)}` as Hash },
      'and the fork is of block 17',
    ],
    [
      'a block that was reorganised away',
      { ...BLOCK, hash: `0x${'cd'.repeat(32)}` as Hash },
      'that block was reorganised away',
    ],
  ])('of %s is refused', (_, other, message) => {
    const path = join(folder, 'a.jsonl')
    storeAt(path).store.keep([balance(1, '0x1')])
    expect(() => storeAt(path, other)).toThrow(WrongCache)
    expect(() => storeAt(path, other)).toThrow(message)
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3)
  })

  it.each(['{"some":"json"}\n', 'text', '{"preseal":"fork cache","version":2}\n', '[]\n', 'null\n'])(
    'that is none is refused: %j',
    (text) => {
      const path = join(folder, 'a.jsonl')
      writeFileSync(path, text)
      expect(() => storeAt(path)).toThrow(WrongCache)
      expect(readFileSync(path, 'utf8')).toBe(text)
    },
  )

  it('that cannot be written is said once, and all goes on in memory', () => {
    // A file in the place of the folder fails without special permissions.
    writeFileSync(join(folder, 'file'), '')
    const path = join(folder, 'file/a.jsonl')
    const { store, warnings } = storeAt(path)
    store.keep([balance(1, '0x1')])
    store.keep([balance(2, '0x2')])
    expect(store.find('eth_getBalance', ['0x2', '0x10'])).toBeDefined()
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('cannot be written')
  })

  it('is written by four processes at once', async () => {
    const path = join(folder, 'a.jsonl')
    const writer = join(folder, 'writer.mts')
    const source = new URL('../../src/upstream/cacheFile.ts', import.meta.url).href
    writeFileSync(
      writer,
      `import { fileStore } from ${JSON.stringify(source)}
      const who = Number(process.argv[2])
      const store = fileStore(${JSON.stringify(path)}, { chainId: 5n, number: 16n, hash: ${JSON.stringify(BLOCK.hash)} }, (message) => { throw new Error(message) })
      process.once('message', () => {
        for (let at = 0; at < 60; at++) {
          const result = { who, at, long: 'x'.repeat((who * 977 + at * 131) % 9000) }
          store.keep([{ method: 'm', params: [who, at], result }, { method: 'm', params: ['same', at], result: at }])
        }
        process.exit(0)
      })
      process.send('ready')`,
    )
    const processes = Array.from({ length: 4 }, (_, who) =>
      fork(writer, [String(who)], { execArgv: ['--import', 'tsx'] }),
    )
    await Promise.all(processes.map((one) => new Promise((resolve) => one.once('message', resolve))))
    const codes = processes.map((one) => new Promise((resolve) => one.once('exit', resolve)))
    for (const one of processes) one.send('go')
    expect(await Promise.all(codes)).toEqual(Array(4).fill(0))
    const { store, warnings } = storeAt(path)
    expect(warnings).toEqual([])
    for (let who = 0; who < 4; who++) {
      for (let at = 0; at < 60; at++) expect(store.find('m', [who, at])?.result).toMatchObject({ who, at })
    }
  })
})

describe('the folder of caches', () => {
  it.each([
    [{ platform: 'linux', env: { HOME: '/home/me' } }, '/home/me/.cache/preseal/forks'],
    [{ platform: 'linux', env: { HOME: '/home/me', XDG_CACHE_HOME: '/tmp/x' } }, '/tmp/x/preseal/forks'],
    [
      { platform: 'linux', env: { HOME: '/home/me', XDG_CACHE_HOME: 'relative' } },
      '/home/me/.cache/preseal/forks',
    ],
    [{ platform: 'darwin', env: { HOME: '/Users/me' } }, '/Users/me/Library/Caches/preseal/forks'],
    [{ platform: 'win32', env: { LOCALAPPDATA: 'C:\\Local' } }, 'C:\\Local/preseal/forks'],
    [{ platform: 'linux', env: {} }, undefined],
  ])('of %j is %s', (home, expected) => {
    expect(userCacheFolder(home)).toBe(expected)
  })

  it('has a file for each block, unless a file is named', () => {
    expect(cachePath('/f', BLOCK)).toBe(`/f/5/16-${BLOCK.hash}.jsonl`)
    expect(cachePath('/f/mine.jsonl', BLOCK)).toBe('/f/mine.jsonl')
  })
})

/** A chain of one kind of block, whose hash is made of its number. */
const CHAIN: Answering = ({ method, params }: Arrived) => {
  const hashOf = (number: bigint) => `0x${(number + 0xff00n).toString(16).padStart(64, '0')}`
  const block = (number: bigint) => ({
    number: `0x${number.toString(16)}`,
    hash: hashOf(number),
    parentHash: hashOf(number - 1n),
    ...Object.fromEntries(
      ['sha3Uncles', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'mixHash'].map((name) => [
        name,
        `0x${'01'.repeat(32)}`,
      ]),
    ),
    miner: A,
    logsBloom: `0x${'00'.repeat(256)}`,
    ...Object.fromEntries(
      ['difficulty', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas'].map((name) => [name, '0x1']),
    ),
    extraData: '0x',
    nonce: '0x0000000000000000',
  })
  switch (method) {
    case 'eth_chainId':
      return { result: '0x1234' }
    case 'eth_getBlockByNumber': {
      const [at] = params as [string]
      return { result: block(at === 'finalized' ? 2n : at === 'latest' ? 100n : BigInt(at)) }
    }
    case 'eth_getBlockByHash': {
      const number = BigInt(params[0] as string) - 0xff00n
      return { result: number > 100n ? null : block(number) }
    }
    case 'eth_getTransactionByHash':
      return { result: null }
    case 'eth_getCode':
      return { result: '0x' }
    case 'eth_getBalance':
    case 'eth_getTransactionCount':
      return { result: '0x7' }
    case 'eth_getStorageAt':
      return { result: params[1] }
    default:
      return { error: { code: -32601, message: `the method ${method} does not exist` } }
  }
}

async function node(): Promise<UpstreamNode> {
  const made = await upstreamNode(undefined, CHAIN)
  ended.push(made.close)
  return made
}

const slots = (...at: bigint[]) => at.map((slot) => ({ kind: 'slot' as const, address: A, slot }))

describe('a fork with a cache', () => {
  it('asks nothing twice: in the process, and in the next one', async () => {
    const { url, exchanges } = await node()
    const first = await openFork({ url, cache: folder }, 50n)
    await first.network.state.fetch([{ kind: 'account', address: A }, ...slots(1n, 2n)])
    const asked = exchanges.length
    const second = await openFork({ url, cache: folder }, 50n)
    expect(second.network.state.slot(A, 2n)).toBe(2n)
    await second.network.state.fetch(slots(1n, 2n))
    expect(exchanges).toHaveLength(asked)
    // Another process has only the file: it requests the fork block, since the chain may have changed.
    forgetForks()
    const third = await openFork({ url, cache: folder }, 50n)
    const begun = exchanges.length
    expect(third.network.state.slot(A, 2n)).toBe(NOT_FETCHED)
    await third.network.state.fetch([{ kind: 'account', address: A }, ...slots(1n, 2n)])
    expect(third.network.state.slot(A, 2n)).toBe(2n)
    expect(exchanges).toHaveLength(begun)
    for (const { upstream } of [first, second, third]) upstream.close()
  })

  it('runs without a network, and names what was not recorded', async () => {
    const { url, close } = await node()
    const recorded = await openFork({ url, cache: folder }, 50n)
    await recorded.schedule()
    await recorded.network.state.fetch([{ kind: 'account', address: A }, ...slots(1n)])
    recorded.upstream.close()
    await close()
    forgetForks()
    const key = 'k3yInPath0123'
    const offline = await openFork(
      { url: `https://rpc.example/v2/${key}`, cache: folder, isOffline: true },
      50n,
    )
    expect(offline.point).toMatchObject({
      chainId: 0x1234n,
      header: recorded.point.header,
      hash: recorded.point.hash,
    })
    expect((await offline.schedule()).at(offline.point.header).hardfork).toBe('london')
    await offline.network.state.fetch([{ kind: 'account', address: A }, ...slots(1n)])
    expect(offline.network.state.slot(A, 1n)).toBe(1n)
    const failure = await offline.network.state.fetch(slots(9n)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UpstreamFailed)
    expect(failure).toMatchObject({ kind: 'offline' })
    const { message } = failure as UpstreamFailed
    expect(message).toContain(
      `rpc.example: not recorded: eth_getStorageAt(${A}, 0x${'9'.padStart(64, '0')}, 0x32)`,
    )
    expect(message).toContain('offline is set, so no request is sent')
    expect(message).toContain(
      `run once without offline, with the cache ${offline.cachePath} and block 50, to record it`,
    )
    // Access lists are optional.
    await offline.network.state.fetch(slots(1n), { from: A, to: A, value: 0n, data: new Uint8Array() })
    expect(message + readFileSync(offline.cachePath!, 'utf8')).not.toContain(key)
  })

  it('without a network takes the block of the file that is named', async () => {
    const { url } = await node()
    const file = join(folder, 'committed.jsonl')
    const recorded = await openFork({ url, cache: file })
    recorded.upstream.close()
    forgetForks()
    for (const block of [undefined, 'latest', recorded.point.hash] as const) {
      const offline = await openFork({ url, cache: file, isOffline: true }, block)
      expect(offline.point.header.number).toBe(100n)
    }
    expect(blockOf(file, readFileSync(file, 'utf8'))).toEqual({
      chainId: 0x1234n,
      number: 100n,
      hash: recorded.point.hash,
    })
  })

  it('without a network says what caches there are', async () => {
    const { url } = await node()
    const opening = openFork({ url, cache: folder, isOffline: true }, 51n)
    await expect(opening).rejects.toThrow(`offline: expected a cache of block 51 in ${folder}, there is none`)
    for (const block of [50n, 60n]) (await openFork({ url, cache: folder }, block)).upstream.close()
    await expect(openFork({ url, cache: folder, isOffline: true }, 51n)).rejects.toThrow(
      'there is block 50 of chain 4660, block 60 of chain 4660',
    )
    await expect(openFork({ url, cache: folder, isOffline: true })).rejects.toThrow('a cache of a block in')
    await expect(openFork({ url, cache: false, isOffline: true })).rejects.toThrow(
      'expected the option cache',
    )
  })

  it('has no file by default if the node is one of this machine, and shares nothing', async () => {
    const { url, exchanges } = await node()
    const home = { platform: 'linux', env: { HOME: folder } }
    const first = await openFork({ url, home }, 50n)
    await first.network.state.fetch(slots(1n))
    const asked = exchanges.length
    const second = await openFork({ url, home }, 50n)
    await second.network.state.fetch(slots(1n))
    expect(exchanges.length).toBeGreaterThan(asked)
    expect([first.cachePath, second.cachePath, readdirSync(folder)]).toEqual([undefined, undefined, []])
    for (const { upstream } of [first, second]) upstream.close()
  })

  it('has one in the folder of caches by default if it is another machine', async () => {
    const home = { platform: 'linux', env: { HOME: folder } }
    const right: typeof fetch = async (_, init) => {
      const payload = JSON.parse(String((init as RequestInit).body)) as Arrived | Arrived[]
      const one = (arrived: Arrived) => ({ jsonrpc: '2.0', id: arrived.id, ...CHAIN(arrived) })
      return new Response(JSON.stringify(Array.isArray(payload) ? payload.map(one) : one(payload)))
    }
    const opened = await openFork({ url: 'https://rpc.example/v2/k3yInPath0123', home, fetch: right }, 50n)
    expect(opened.cachePath).toBe(join(folder, '.cache/preseal/forks/4660', `50-${opened.point.hash}.jsonl`))
    expect(readFileSync(opened.cachePath!, 'utf8')).not.toContain('k3yInPath')
  })

  it('of one provider is not taken for that of another', async () => {
    const providerOf = (chainId: string) => ({
      request: async ({ method, params }: { method: string; params?: unknown }) => {
        const answer = CHAIN({ id: 1, method, params: params as unknown[] })
        if ('error' in answer) throw Object.assign(new Error(), answer.error)
        return method === 'eth_chainId' ? chainId : answer.result
      },
    })
    const points = []
    for (const chainId of ['0x1234', '0x4321']) {
      points.push((await openFork({ provider: providerOf(chainId), cache: folder }, 50n)).point.chainId)
    }
    expect(points).toEqual([0x1234n, 0x4321n])
  })

  it('keeps no answer that is none', async () => {
    let isWrong = true
    const made = await upstreamNode(undefined, (request) =>
      isWrong && request.method === 'eth_getStorageAt' ? { result: 'nonsense' } : CHAIN(request),
    )
    ended.push(made.close)
    const opened = await openFork({ url: made.url, cache: folder }, 50n)
    await expect(opened.network.state.fetch(slots(1n))).rejects.toThrow('a wrong answer to eth_getStorageAt')
    isWrong = false
    await opened.network.state.fetch(slots(1n))
    expect(opened.network.state.slot(A, 1n)).toBe(1n)
    expect(readFileSync(opened.cachePath!, 'utf8')).not.toContain('nonsense')
    opened.upstream.close()
  })

  it('drops what a writer left half, and says so', async () => {
    const { url } = await node()
    const file = join(folder, 'a.jsonl')
    ;(await openFork({ url, cache: file }, 50n)).upstream.close()
    appendFileSync(file, '{"method":"eth_getBal')
    forgetForks()
    const warnings: string[] = []
    ;(await openFork({ url, cache: file, warn: (message) => warnings.push(message) }, 50n)).upstream.close()
    expect(warnings).toEqual([`${file}: a truncated line was dropped; the missing answers are fetched again`])
  })
})
