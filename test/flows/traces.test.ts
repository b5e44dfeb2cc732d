/**
 * Traces against anvil's, which `scripts/record-traces.ts` has recorded: the same signed transactions on the same accounts,
 * base fee and coinbase. What may differ stands in `DIFFERENCES`, with the reason.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Address } from '../../src/bytes/hex.ts'
import { toHex } from '../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { sign } from '../support/chains/signing.ts'
import { TRACERS, tracedTransactions } from '../support/chains/tracedTransactions.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Tracer = keyof typeof TRACERS

interface Recorded {
  readonly name: string
  readonly raw: string
  readonly hash: string
  readonly traces: Record<Tracer, Json>
  /** By `trace_transaction`. */
  readonly flat: readonly FlatTrace[]
}

interface FlatTrace {
  readonly type: string
  readonly error?: string
  readonly action: { readonly to?: string; readonly value?: string }
  readonly result: unknown
  readonly traceAddress: readonly number[]
  readonly [key: string]: unknown
}

/** Its first line says which anvil it was. */
const recorded = readFileSync(join(import.meta.dirname, '../../fixtures/traces/anvil.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => JSON.parse(line) as Recorded)

/** Leaves out of a trace what may differ: `path` ends at the member `key` of `parent`. */
interface Difference {
  readonly why: string
  readonly tracers: readonly Tracer[]
  isAt(key: string, value: Json, path: readonly string[], parent: Json): boolean
}

const CALLS: readonly Tracer[] = ['call', 'callWithLog', 'topCall']
const PRESTATES: readonly Tracer[] = ['prestate', 'diff']

const DIFFERENCES: readonly Difference[] = [
  {
    why: 'geth and RETH give the outermost call the gas limit; anvil takes off what the transaction costs beforehand',
    tracers: CALLS,
    isAt: (key, _, path) => key === 'gas' && path.length === 0,
  },
  {
    why: 'we use the words of geth; anvil has the names that revm has for most errors',
    tracers: [...CALLS, 'struct'],
    isAt: (key, value) => key === 'error' && value !== 'execution reverted',
  },
  {
    why: 'geth does not show accounts that did not exist unless asked (includeEmpty); anvil always does',
    tracers: PRESTATES,
    isAt: (_, value) => JSON.stringify(value) === '{"balance":"0x0"}',
  },
  {
    why: 'geth has the hash of the code beside it since 1.16.4',
    tracers: PRESTATES,
    isAt: (key) => key === 'codeHash',
  },
  {
    why: 'with onlyTopCall geth tells of no SELFDESTRUCT, which is a call of its own; anvil does',
    tracers: ['topCall'],
    isAt: (key) => key === 'calls',
  },
  {
    why: 'the input of a precompile has no selector, and geth does not count it; anvil does',
    tracers: ['fourByte'],
    isAt: (key) => key.startsWith('0x00000000-'),
  },
  {
    why: 'revm counts refunds for each frame of its own, and after the instruction; geth for the transaction, and before',
    tracers: ['struct'],
    isAt: (key) => key === 'refund',
  },
  {
    why: 'the gas that a creation gets is part of its cost with revm, and not with geth',
    tracers: ['struct'],
    isAt: (key, _, __, parent) => key === 'gasCost' && /CREATE/.test(String((parent as { op: string }).op)),
  },
  {
    why: 'what an instruction costs, or does to the storage, that did not happen is anyone’s guess',
    tracers: ['struct'],
    isAt: (key, _, __, parent) =>
      (key === 'gasCost' || key === 'storage') && (parent as { error?: string }).error !== undefined,
  },
  {
    why: 'geth names a byte that is no instruction; to anvil it is unknown',
    tracers: ['struct'],
    isAt: (key, value) => key === 'op' && (value === 'Unknown' || / not defined$/.test(String(value))),
  },
]

function comparable(value: Json, tracer: Tracer, path: readonly string[] = []): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item, i) => comparable(item, tracer, [...path, String(i)]))
  const kept = Object.entries(value).filter(
    ([key, member]) =>
      !DIFFERENCES.some(({ tracers, isAt }) => tracers.includes(tracer) && isAt(key, member, path, value)),
  )
  return Object.fromEntries(kept.map(([key, member]) => [key, comparable(member, tracer, [...path, key])]))
}

/**
 * RETH, unlike anvil, does not tell of precompiles that are called without value. Where a creation is reverted both tell
 * what was said as the code of a contract, and we tell nothing, as of all other creations that failed.
 */
function expected(traces: readonly FlatTrace[]): unknown[] {
  const told = traces.filter(({ action, traceAddress }) => {
    const isPrecompile = /^0x0{38}[01][0-9a-f]$/.test(action.to ?? '')
    return traceAddress.length === 0 || !isPrecompile || action.value !== '0x0'
  })
  return told.map((trace) => ({
    ...placeless(trace),
    subtraces: told.filter(({ traceAddress }) => isWithin(trace, traceAddress)).length,
    result: trace.type === 'create' && trace.error !== undefined ? null : trace.result,
  }))
}

function isWithin({ traceAddress }: FlatTrace, inner: readonly number[]): boolean {
  return inner.length === traceAddress.length + 1 && traceAddress.every((at, i) => inner[i] === at)
}

/** Without the block's hash, which is made of more than what is compared. */
function placeless({ blockHash: _, ...trace }: FlatTrace): object {
  return trace
}

let devnet: Devnet

beforeAll(async () => {
  devnet = await createDevnet({ rhythm: 'instant' })
  for (const { raw } of recorded) {
    await devnet.request({ method: 'eth_sendRawTransaction', params: [raw] })
  }
})

afterAll(() => devnet.close())

describe('a trace', () => {
  it('was recorded of the transactions that stand in the list', async () => {
    const [sender, delegator] = devnet.accounts.map(({ address, privateKey }) => ({
      address: address.toLowerCase() as Address,
      privateKey,
    }))
    const listed = await tracedTransactions(sender!, delegator!)
    expect(recorded.map(({ name, raw }) => [name, raw])).toEqual(
      listed.map(({ name, fields }) => [name, toHex(sign(sender!, fields).raw)]),
    )
  })

  describe.each(Object.keys(TRACERS) as Tracer[])('by the tracer %s', (tracer) => {
    it.each(recorded)('is anvil’s where a transaction $name', async ({ hash, traces }) => {
      const ours = (await devnet.request({
        method: 'debug_traceTransaction',
        params: [hash, TRACERS[tracer]],
      })) as Json
      expect(comparable(ours, tracer)).toEqual(comparable(traces[tracer], tracer))
    })
  })

  it.each(recorded)('in a list is anvil’s where a transaction $name', async ({ hash, flat }) => {
    const ours = await devnet.request({ method: 'trace_transaction', params: [hash] })
    expect((ours as FlatTrace[]).map(placeless)).toEqual(expected(flat))
  })

  it('of a block is those of its transactions', async () => {
    const { hash } = recorded.at(-1)!
    const params = ['latest', TRACERS.call]
    const result = await devnet.request({ method: 'debug_traceTransaction', params: [hash, TRACERS.call] })
    expect(await devnet.request({ method: 'debug_traceBlockByNumber', params })).toEqual([
      { txHash: hash, result },
    ])
  })

  it('in a list is that of the block, where the block has one transaction', async () => {
    const { hash } = recorded.at(-1)!
    const list = await devnet.request({ method: 'trace_transaction', params: [hash] })
    expect(await devnet.request({ method: 'trace_block', params: ['latest'] })).toEqual(list)
    const { hash: blockHash } = (await devnet.request({
      method: 'eth_getBlockByNumber',
      params: ['latest', false],
    })) as { hash: string }
    expect((list as FlatTrace[])[0]!.blockHash).toBe(blockHash)
  })

  it('in a list is empty for block 0, and null for what there is not', async () => {
    const ask = (method: string, param: string) => devnet.request({ method, params: [param] })
    expect(await ask('trace_block', 'earliest')).toEqual([])
    expect(await ask('trace_block', '0xffffff')).toBe(null)
    expect(await ask('trace_transaction', `0x${'11'.repeat(32)}`)).toBe(null)
  })

  it('in a list has no block hash before its block is sealed', async () => {
    await using manual = await createDevnet({ rhythm: 'manual' })
    const from = manual.accounts[0]!.address
    const hash = await manual.request({ method: 'eth_sendTransaction', params: [{ from, to: from }] })
    await manual.tick()
    const place = { blockHash: null, blockNumber: 1, transactionHash: hash, transactionPosition: 0 }
    for (const [method, key] of [
      ['trace_block', 'pending'],
      ['trace_transaction', hash],
    ] as const) {
      expect(await manual.request({ method, params: [key] })).toMatchObject([place])
    }
  })
})
