/**
 * Traces against anvil's, which `scripts/record-traces.ts` has recorded: the same signed transactions on the same accounts,
 * base fee and coinbase. What may differ stands in `DIFFERENCES`, with the reason.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import type { Address } from '../../src/model/hex.ts'
import { toHex } from '../../src/model/hex.ts'
import { sign } from '../support/signing.ts'
import { TRACERS, tracedTransactions } from '../support/tracedTransactions.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Tracer = keyof typeof TRACERS

interface Recorded {
  readonly name: string
  readonly raw: string
  readonly hash: string
  readonly traces: Record<Tracer, Json>
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

  it('of a block is those of its transactions', async () => {
    const { hash } = recorded.at(-1)!
    const params = ['latest', TRACERS.call]
    const result = await devnet.request({ method: 'debug_traceTransaction', params: [hash, TRACERS.call] })
    expect(await devnet.request({ method: 'debug_traceBlockByNumber', params })).toEqual([
      { txHash: hash, result },
    ])
  })
})
