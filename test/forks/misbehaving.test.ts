/**
 * What users of a chain see while its network misbehaves, fault by fault: the error of the request that needed the network,
 * after as many attempts as help; a chain that stays as it was, and goes on with what waits when the network answers again.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Address, toHex, toWord } from '../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { devnetThrough } from '../support/chains/forkedDevnets.ts'
import { ask } from '../support/clients/clients.ts'
import { assemble } from '../support/compilers/assembly.ts'
import { failure } from '../support/nodes/networkOf.ts'
import { json, type Payload, whole } from '../support/nodes/upstreamFaults.ts'
import { eagerTime } from '../support/nodes/upstreamTime.ts'

const COUNTER: Address = `0x${'c0'.repeat(20)}`
/** Adds one to the slot 0, and logs the sum. */
const CODE = assemble(
  ...([1, 0, 'SLOAD', 'ADD', 'DUP1', 0, 'SSTORE', 0, 'MSTORE', 32, 0, 'LOG0', 32, 0, 'RETURN'] as const),
)
const BEFORE = 100n
const FORK = 3
const RETRIES = 2
const TIMEOUT_MS = 45_000
const KEY = 'a1b2c3d4e5f6a7b8'
const url = `https://node.example/v2/${KEY}`

const word = (value: bigint) => toHex(toWord(value))

interface Arrived {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}
/** What the node does with requests, instead of the right answers. */
type Fault = (asked: readonly Arrived[], right: object[], isBatch: boolean) => Response | Promise<Response>

interface Row {
  readonly fault: Fault
  /** In the error: what came. */
  readonly came: string | RegExp
  /** In the error: what would be right. */
  readonly right: string
  /** How often the node is asked for one thing. */
  readonly attempts: number
  /** Waits in milliseconds that the node asked for. */
  readonly waits?: readonly number[]
}

const ALL = RETRIES + 1
const lost = (code: string): Fault => {
  return () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code } }))
}
const status = (number: number, text: string, headers: Record<string, string> = {}): Fault => {
  return () => new Response(text, { status: number, headers })
}
const text =
  (change: (right: string) => string): Fault =>
  (_, right, isBatch) =>
    new Response(change(JSON.stringify(whole(right, isBatch))))
const each =
  (change: (answer: object, asked: Arrived) => object): Fault =>
  (asked, right, isBatch) =>
    json(
      whole(
        right.map((answer, index) => change(answer, asked[index]!)),
        isBatch,
      ),
    )
/** Answers requests about accounts with an error, as a node that lacks their state does. */
const lacking = (code: number, message: string, data?: unknown): Fault => {
  return each((answer, { id, method }) =>
    /^eth_get(Code|Balance|TransactionCount|StorageAt)$/.test(method)
      ? { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }
      : answer,
  )
}
const NOT_REACHED = 'the node must be running and reachable at this address'
const FEWER = 'send fewer requests (requestsPerSecond), keep what was fetched (cache), or use a plan'
const ENDPOINT = 'the URL and the headers must be those of a JSON-RPC endpoint that this key may use'
const SPECIFIED =
  'the answers of the node must conform to JSON-RPC 2.0 and to the Ethereum JSON-RPC specification'
const ARCHIVE = 'use an archive node, which keeps the state of all blocks'
const HAVE_BLOCK = 'nodes behind one load balancer may differ by a few blocks, so choose an older block'

const FAULTS: Readonly<Record<string, Row>> = {
  'limits the rate by HTTP 429': {
    fault: status(429, 'slow down'),
    came: `HTTP 429 (slow down) (${ALL} attempts)`,
    right: FEWER,
    attempts: ALL,
  },
  'limits the rate by HTTP 429, with seconds in Retry-After': {
    fault: status(429, '', { 'retry-after': '7' }),
    came: `HTTP 429 (${ALL} attempts)`,
    right: FEWER,
    attempts: ALL,
    waits: [7_000],
  },
  'limits the rate for a day': {
    fault: status(429, '', { 'retry-after': '86400' }),
    came: 'HTTP 429, and to wait 86400 seconds',
    right: FEWER,
    attempts: 1,
  },
  'limits the rate by the error -32005, with seconds in its data': {
    fault: lacking(-32005, 'daily request count exceeded', { rate: { backoff_seconds: 3 } }),
    came: `the error -32005 "daily request count exceeded" (${ALL} attempts)`,
    right: FEWER,
    attempts: ALL,
    waits: [3_000],
  },
  'limits the rate by an error of a provider (Alchemy)': {
    fault: lacking(429, 'Your app has exceeded its compute units per second capacity'),
    came: `the error 429 "Your app has exceeded its compute units per second capacity" (${ALL} attempts)`,
    right: FEWER,
    attempts: ALL,
  },
  ...Object.fromEntries(
    [500, 502, 503, 504].map((number) => [
      `answers HTTP ${number}`,
      {
        fault: status(number, '<html><h1>Bad</h1></html>'),
        came: `HTTP ${number} (<html><h1>Bad</h1></html>) (${ALL} attempts)`,
        right: ENDPOINT,
        attempts: ALL,
      },
    ]),
  ),
  'does not know the key': {
    fault: status(401, `no such key: ${KEY}`),
    came: /HTTP 401 \(no such key: [^)]*\);/,
    right: ENDPOINT,
    attempts: 1,
  },
  'resets connections': {
    fault: lost('ECONNRESET'),
    came: `the connection was reset (${ALL} attempts)`,
    right: NOT_REACHED,
    attempts: ALL,
  },
  'cuts connections in the middle': {
    fault: lost('UND_ERR_SOCKET'),
    came: `the connection ended before the answer did (${ALL} attempts)`,
    right: NOT_REACHED,
    attempts: ALL,
  },
  'does not listen': {
    fault: lost('ECONNREFUSED'),
    came: `the connection was refused (${ALL} attempts)`,
    right: NOT_REACHED,
    attempts: ALL,
  },
  'never answers': {
    // The way to the node ends the request when its time is over.
    fault: () => new Promise(() => {}),
    came: `no answer within ${TIMEOUT_MS} ms (${ALL} attempts)`,
    right: 'set a longer one (timeoutMs), or use a faster node',
    attempts: ALL,
  },
  'answers half': {
    fault: text((right) => right.slice(0, right.length / 2)),
    came: 'JSON that ends too early (',
    right: SPECIFIED,
    attempts: ALL,
  },
  'answers with HTML': {
    fault: text(() => '<html><body>One moment</body></html>'),
    came: 'an HTML page (<html><body>One moment</body></html>)',
    right: SPECIFIED,
    attempts: ALL,
  },
  'answers with nothing': { fault: text(() => ''), came: 'an empty answer', right: SPECIFIED, attempts: ALL },
  'answers with other JSON': {
    fault: text(() => '{"status":"ok"}'),
    came: 'no answer with the id',
    right: SPECIFIED,
    attempts: ALL,
  },
  'answers with other ids': {
    fault: each((answer, { id }) => ({ ...answer, id: id + 1_000 })),
    came: 'no answer with the id',
    right: SPECIFIED,
    attempts: ALL,
  },
  'answers without a result': {
    fault: each((answer) => ({ ...answer, result: undefined })),
    came: 'an answer with neither result nor error',
    right: SPECIFIED,
    attempts: ALL,
  },
  'answers with values that are none': {
    fault: each((answer, { method }) =>
      method === 'eth_getBlockByNumber' ? answer : { ...answer, result: 'one hundred' },
    ),
    came: 'one hundred',
    right: SPECIFIED,
    attempts: 1,
  },
  'is busy, as a gateway says it': {
    fault: lacking(-32603, 'Internal error'),
    came: 'the error -32603 "Internal error"',
    right: 'ask again later, or use another node',
    attempts: ALL,
  },
  ...Object.fromEntries(
    (
      [
        ['geth', -32000, 'missing trie node 1d2c (path 05) state 0x5e is not available, not found'],
        ['geth with path-based state', -32000, 'historical state 0x5e is not available'],
        ['Erigon', -32000, 'state has been pruned at block 3'],
        ['Nethermind', -32002, 'No state available for block 3'],
        ['Besu', -32000, 'World state unavailable'],
        ['a provider', -32001, 'This request requires an archive node'],
      ] as const
    ).map(([name, code, message]) => [
      `is no archive node, as ${name} says it`,
      {
        fault: lacking(code, message),
        came: `the error ${code} "${message}"`,
        right: ARCHIVE,
        attempts: 1,
      },
    ]),
  ),
  'has moved back, and does not have the block': {
    fault: lacking(-32000, 'header not found'),
    came: 'the error -32000 "header not found"',
    right: HAVE_BLOCK,
    attempts: ALL,
  },
  'has moved back, and has no block with the number': {
    fault: each((answer, { method }) =>
      method === 'eth_getBlockByNumber' ? { ...answer, result: null } : answer,
    ),
    came: 'no such block',
    right: HAVE_BLOCK,
    attempts: 1,
  },
  'has reorganised the fork block away': {
    fault: each((answer, { method }) =>
      method === 'eth_getBlockByNumber' ? { ...answer, result: { hash: word(7n) } } : answer,
    ),
    came: `a block with the hash ${word(7n)}`,
    right: 'a reorg removed the fork block: choose a finalized block, or fork again',
    attempts: 1,
  },
}

let network: Devnet

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'manual' })
  await ask(network, 'anvil_setCode', COUNTER, toHex(CODE))
  await ask(network, 'anvil_setStorageAt', COUNTER, '0x0', word(BEFORE))
  await network.mine(FORK)
})

afterAll(() => network.close())

/** Returns a fork whose node can be given a fault, what the node was asked since then, and the waits. */
async function forked(settings: { readonly requestsPerSecond?: number } = {}) {
  let fault: Fault | undefined
  const asked: Arrived[] = []
  const eager = eagerTime()
  const time: typeof eager = {
    ...eager,
    // Where the node answers, its time is never over.
    after: (ms, action) =>
      ms === TIMEOUT_MS && fault !== FAULTS['never answers']!.fault ? () => {} : eager.after(ms, action),
  }
  const fetch = async (_: string, { body, signal }: RequestInit) => {
    // That of the time when it was asked, as for its timeout.
    const then = fault
    const aborted = new Promise<Response>((_, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason))
    })
    // It may be over before anybody waits for it.
    aborted.catch(() => {})
    const payload = JSON.parse(String(body)) as Payload
    const arrived = [payload].flat() as Arrived[]
    asked.push(...arrived)
    const right = [JSON.parse((await network.respond(String(body)))!)].flat() as object[]
    const isBatch = Array.isArray(payload)
    return Promise.race([then?.(arrived, right, isBatch) ?? json(whole(right, isBatch)), aborted])
  }
  const access = {
    url,
    time,
    fetch,
    timeoutMs: TIMEOUT_MS,
    retries: RETRIES,
    cache: false as const,
    ...settings,
  }
  const devnet = await devnetThrough(access, {})
  const set = (next: Fault | undefined) => {
    fault = next
    asked.length = 0
    eager.waits.splice(0)
  }
  return { devnet, asked, waits: eager.waits, set }
}

/** What a client sees of a chain without asking the network. */
async function seen(devnet: Devnet): Promise<unknown> {
  const [sender] = devnet.accounts
  return Promise.all([
    ask(devnet, 'eth_blockNumber'),
    ask(devnet, 'eth_getTransactionCount', sender!.address, 'latest'),
    ask(devnet, 'eth_getBalance', sender!.address, 'pending'),
    ask<{ transactions: unknown[] }>(devnet, 'eth_getBlockByNumber', 'pending', false).then(
      ({ transactions }) => transactions,
    ),
    ask(devnet, 'txpool_status'),
  ])
}

describe.each(Object.entries(FAULTS))(
  'a network that %s',
  (_, { fault, came, right, attempts, waits = [] }) => {
    it('fails the requests that need it, in words, and nothing else', async () => {
      const { devnet, asked, waits: waited, set } = await forked()
      const { hash } = await devnet.send({ to: COUNTER, gas: 100_000n, until: 'accepted' })
      const before = await seen(devnet)
      set(fault)

      const messages = [
        await failure(ask(devnet, 'eth_call', { to: COUNTER }, 'latest')),
        await failure(ask(devnet, 'eth_getCode', COUNTER, 'latest')),
        await failure(devnet.tick()),
        await failure(devnet.mine()),
      ]
      for (const message of messages) {
        expect(message).toMatch(/^node\.example: /)
        expect(message).toMatch(came)
        expect(message).toContain(right)
        expect(message).not.toContain(KEY)
      }
      for (const wait of waits) expect(waited).toContain(wait)
      set(fault)
      await failure(ask(devnet, 'eth_getCode', COUNTER, 'latest'))
      expect(asked.filter(({ method }) => method === 'eth_getCode')).toHaveLength(attempts)
      // No half block, and what waits goes on waiting.
      expect(await seen(devnet)).toEqual(before)

      set(undefined)
      await devnet.mine()
      const receipt = await ask(devnet, 'eth_getTransactionReceipt', hash)
      expect(receipt).toMatchObject({ status: '0x1', blockNumber: `0x${(FORK + 1).toString(16)}` })
      expect(receipt).toMatchObject({ logs: [{ address: COUNTER, data: word(BEFORE + 1n) }] })
      expect(await ask(devnet, 'eth_getStorageAt', COUNTER, '0x0', 'latest')).toBe(word(BEFORE + 1n))
      expect(await ask(devnet, 'eth_call', { to: COUNTER }, 'latest')).toBe(word(BEFORE + 2n))
      await devnet.close()
    })
  },
)

describe('a network that', () => {
  it.each<[string, Fault]>([
    [
      'refuses batches',
      (_, right, isBatch) => (isBatch ? status(400, 'no batches')([], [], true) : json(right[0])),
    ],
    [
      'refuses batches by one error',
      (_, right, isBatch) =>
        json(
          isBatch
            ? { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'batch not supported' } }
            : right[0],
        ),
    ],
    ['mixes up the order of answers', (_, right, isBatch) => json(whole([...right].reverse(), isBatch))],
    [
      'leaves out members of batches',
      (_, right, isBatch) => json(whole(isBatch ? right.slice(1) : right, isBatch)),
    ],
    [
      'answers batches with ids of others',
      (_, right, isBatch) =>
        json(isBatch ? right.map((answer, index) => ({ ...answer, id: 9_000 + index })) : right[0]),
    ],
  ])('%s is used all the same', async (_, fault) => {
    const { devnet, set } = await forked()
    set(fault)
    expect(await ask(devnet, 'eth_call', { to: COUNTER }, 'latest')).toBe(word(BEFORE + 1n))
    const { hash } = await devnet.send({ to: COUNTER, gas: 100_000n })
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    await devnet.close()
  })

  it('fails now and then is asked again, and nobody notices', async () => {
    const { devnet, asked, waits, set } = await forked()
    let failures = 0
    set((_, right, isBatch) =>
      failures++ < RETRIES ? new Response('', { status: 503 }) : json(whole(right, isBatch)),
    )
    expect(await ask(devnet, 'eth_getStorageAt', COUNTER, '0x0', 'latest')).toBe(word(BEFORE))
    expect(asked.filter(({ method }) => method === 'eth_getCode')).toHaveLength(ALL)
    // Half of 250 ms and of 500 ms: the least that chance makes of waits that double.
    expect(waits).toEqual([125, 250])
    await devnet.close()
  })

  it('is to be asked at most so often in a second is not asked more often', async () => {
    const { devnet, asked, waits, set } = await forked({ requestsPerSecond: 10 })
    set(undefined)
    for (let slot = 1; slot <= 40; slot++) {
      expect(await ask(devnet, 'eth_getStorageAt', COUNTER, `0x${slot.toString(16)}`, 'latest')).toBe(
        word(0n),
      )
    }
    const seconds = waits.reduce((sum, ms) => sum + ms, 0) / 1000
    expect(asked.length).toBeGreaterThan(40)
    expect(seconds).toBeGreaterThan((asked.length - 20) / 10)
    await devnet.close()
  })
})
