/** The gas and refunds of SSTORE and SLOAD: the tables of EIP-1283, 2200 and 3529, and cold slots (EIP-2929). */
import { describe, expect, it } from 'vitest'
import type { AnyHardfork } from '../../src/model/hardfork/hardfork.ts'
import { assemble, type Item } from '../support/compilers/assembly.ts'
import { type Agreed, agreed, CONTRACT, type Given } from '../support/engines/agreement.ts'
import { address } from '../support/engines/scenes.ts'

const OTHER = address(0xc0de01)
const THIRD = address(0xc0de02)

/** A call that fails and takes 600,000 gas: so much that refunds are not capped. */
const SPENDS: readonly Item[] = [0, 0, 0, 0, 0, THIRD, 600_000, 'CALL', 'POP']
const FAILS = { address: THIRD, nonce: 1n, code: assemble('INVALID') }

/** Runs code whose refunds are all paid. Returns the gas of `items` alone, and the refund. */
async function costsOf(items: readonly Item[], given: Given = {}): Promise<Agreed & { refund: bigint }> {
  const accounts = [FAILS, ...(given.accounts ?? [])]
  const run = (code: readonly Item[]) => agreed({ ...given, accounts, code: [...code, ...SPENDS] })
  const empty = await run([])
  const result = await run(items)
  const { gasBeforeRefund, gasUsed } = result.outcome
  return { ...result, gas: result.gas - empty.gas, refund: gasBeforeRefund - gasUsed }
}

/** The value of slot 0 before, the values that are written, the gas with four or six PUSH1, the refund. */
type Row = readonly [original: bigint, written: readonly number[], gas: bigint, refund: bigint]

/** The rows of the tables, whose prices alone differ: an SSTORE without effect, the first change of a slot, refunds. */
function rowsOf(dirty: bigint, set: bigint, reset: bigint, clear: bigint): readonly Row[] {
  const pushes = 12n
  const toZero = set - dirty
  const toOriginal = reset - dirty
  return [
    [0n, [0, 0], pushes + 2n * dirty, 0n],
    [0n, [0, 1], pushes + dirty + set, 0n],
    [0n, [1, 0], pushes + dirty + set, toZero],
    [0n, [1, 2], pushes + dirty + set, 0n],
    [0n, [1, 1], pushes + dirty + set, 0n],
    [1n, [0, 0], pushes + dirty + reset, clear],
    [1n, [0, 1], pushes + dirty + reset, toOriginal],
    [1n, [0, 2], pushes + dirty + reset, 0n],
    [1n, [2, 0], pushes + dirty + reset, clear],
    [1n, [2, 3], pushes + dirty + reset, 0n],
    [1n, [2, 1], pushes + dirty + reset, toOriginal],
    [1n, [2, 2], pushes + dirty + reset, 0n],
    [1n, [1, 0], pushes + dirty + reset, clear],
    [1n, [1, 2], pushes + dirty + reset, 0n],
    [1n, [1, 1], pushes + 2n * dirty, 0n],
    [0n, [1, 0, 1], pushes + 6n + dirty + 2n * set, toZero],
    [1n, [0, 1, 0], pushes + 6n + dirty + 2n * reset, toOriginal + clear],
  ]
}

describe.each([
  // EIP-1283, EIP-2200, and EIP-3529 on a warm slot: the gas that occurs in their tables.
  ['constantinople', rowsOf(200n, 20_000n, 5_000n, 15_000n), [412n, 20_212n, 5_212n, 40_218n, 10_218n]],
  ['istanbul', rowsOf(800n, 20_000n, 5_000n, 15_000n), [1_612n, 20_812n, 5_812n, 40_818n, 10_818n]],
  ['london', rowsOf(100n, 20_000n, 2_900n, 4_800n), [212n, 20_112n, 3_012n, 40_118n, 5_918n]],
  ['osaka', rowsOf(100n, 20_000n, 2_900n, 4_800n), [212n, 20_112n, 3_012n, 40_118n, 5_918n]],
] as const)('the table of %s', (hardfork, rows, prices) => {
  it('has the gas of the EIP', () => {
    expect([...new Set(rows.map(([, , gas]) => gas))]).toEqual(prices)
  })

  it.each(rows)('from %s: %j costs %s gas and refunds %s', async (original, written, gas, refund) => {
    const storage = [[0n, original] as const]
    const accessList =
      hardfork === 'london' || hardfork === 'osaka'
        ? [{ address: CONTRACT, storageKeys: [`0x${'00'.repeat(32)}` as const] }]
        : []
    const result = await costsOf(
      written.flatMap((value): Item[] => [value, 0, 'SSTORE']),
      { hardfork, message: { accessList }, accounts: [{ address: CONTRACT, storage }] },
    )
    expect([result.gas, result.refund]).toEqual([gas, refund])
    expect(result.state.storage(CONTRACT, 0n)).toBe(BigInt(written.at(-1)!))
  })
})

describe.each(['frontier', 'byzantium', 'petersburg'] as const)('in %s', (hardfork) => {
  it.each([
    [0n, [0], 5_000n, 0n],
    [0n, [1], 20_000n, 0n],
    [0n, [1, 0], 25_000n, 15_000n],
    [0n, [1, 0, 1], 45_000n, 15_000n],
    [1n, [1], 5_000n, 0n],
    [1n, [0], 5_000n, 15_000n],
    [1n, [0, 0], 10_000n, 15_000n],
    [1n, [2, 1], 10_000n, 0n],
    [1n, [0, 1, 0], 30_000n, 30_000n],
  ] as const)('from %s: %j costs %s gas and refunds %s', async (original, written, gas, refund) => {
    const result = await costsOf(
      written.flatMap((value): Item[] => [value, 0, 'SSTORE']),
      { hardfork, accounts: [{ address: CONTRACT, storage: [[0n, original]] }] },
    )
    expect([result.gas, result.refund]).toEqual([gas + 6n * BigInt(written.length), refund])
  })
})

describe('a refund', () => {
  const call = (to: typeof OTHER, kind: 'CALL' | 'DELEGATECALL'): Item[] => [
    ...([0, 0, 0, 0] as const),
    ...(kind === 'CALL' ? [0] : []),
    ...([to, 100_000, kind, 'POP'] as const),
  ]
  const HARDFORKS: readonly AnyHardfork[] = ['constantinople', 'istanbul', 'berlin', 'osaka']
  const clearOf = (hardfork: AnyHardfork) => (hardfork === 'osaka' ? 4_800n : 15_000n)
  const storage = [
    [0n, 1n],
    [1n, 1n],
  ] as const

  it.each(HARDFORKS)(
    'counts over frames: what a caller cleared, a callee writes again (%s)',
    async (hardfork) => {
      const writes = { address: OTHER, nonce: 1n, code: assemble(2, 0, 'SSTORE') }
      const { refund } = await costsOf([0, 0, 'SSTORE', 0, 1, 'SSTORE', ...call(OTHER, 'DELEGATECALL')], {
        hardfork,
        accounts: [{ address: CONTRACT, storage }, writes],
      })
      expect(refund).toBe(clearOf(hardfork))
    },
  )

  it.each(HARDFORKS)(
    'of a frame that reverts is not paid, and what it took back is (%s)',
    async (hardfork) => {
      for (const writes of [
        [0, 1, 'SSTORE'],
        [2, 0, 'SSTORE'],
      ] satisfies Item[][]) {
        const reverts = { address: OTHER, nonce: 1n, code: assemble(...writes, 0, 0, 'REVERT') }
        const { refund, state } = await costsOf([0, 0, 'SSTORE', ...call(OTHER, 'DELEGATECALL')], {
          hardfork,
          accounts: [{ address: CONTRACT, storage }, reverts],
        })
        expect(refund).toBe(clearOf(hardfork))
        expect([state.storage(CONTRACT, 0n), state.storage(CONTRACT, 1n)]).toEqual([0n, 1n])
      }
    },
  )

  it.each([
    ['frontier', 2n],
    ['berlin', 2n],
    ['london', 5n],
    ['osaka', 5n],
  ] as const)('is at most a part of the gas that was used (%s: one in %s)', async (hardfork, quotient) => {
    const slots = Array.from({ length: 20 }, (_, i) => i)
    const { outcome } = await agreed({
      hardfork,
      code: slots.flatMap((slot): Item[] => [0, slot, 'SSTORE']),
      accounts: [{ address: CONTRACT, storage: slots.map((slot) => [BigInt(slot), 1n] as const) }],
    })
    expect(outcome.gasUsed).toBe(outcome.gasBeforeRefund - outcome.gasBeforeRefund / quotient)
  })
})

describe('a slot is cold once (EIP-2929)', () => {
  const gasOf = async (items: readonly Item[], given: Given = {}) => (await costsOf(items, given)).gas

  it('SLOAD costs 2,100 gas at first, 100 after that', async () => {
    expect(await gasOf([0, 'SLOAD', 'POP'])).toBe(3n + 2_100n + 2n)
    expect(await gasOf([0, 'SLOAD', 'POP', 0, 'SLOAD', 'POP'])).toBe(2n * 5n + 2_100n + 100n)
    expect(await gasOf([0, 'SLOAD', 'POP', 1, 'SLOAD', 'POP'])).toBe(2n * 5n + 2n * 2_100n)
  })

  it('SSTORE costs 2,100 gas more on a cold slot, which is warm after that', async () => {
    expect(await gasOf([1, 0, 'SSTORE'])).toBe(6n + 2_100n + 20_000n)
    expect(await gasOf([0, 0, 'SSTORE'])).toBe(6n + 2_100n + 100n)
    expect(await gasOf([0, 'SLOAD', 'POP', 1, 0, 'SSTORE'])).toBe(5n + 2_100n + 6n + 20_000n)
    expect(await gasOf([1, 0, 'SSTORE', 0, 'SLOAD', 'POP'])).toBe(6n + 22_100n + 5n + 100n)
  })

  it.each(['SLOAD', 'SSTORE'] as const)(
    'is cold again when the frame reverts that warmed it by %s',
    async (name) => {
      const touches: Item[] = name === 'SLOAD' ? [0, 'SLOAD'] : [1, 0, 'SSTORE']
      const reverts = { address: OTHER, nonce: 1n, code: assemble(...touches, 0, 0, 'REVERT') }
      const calls: Item[] = [0, 0, 0, 0, OTHER, 50_000, 'DELEGATECALL', 'POP']
      const accounts = [reverts]
      const without = await gasOf(calls, { accounts })
      expect((await gasOf([...calls, 0, 'SLOAD', 'POP'], { accounts })) - without).toBe(5n + 2_100n)
    },
  )

  it('costs the same whether the account has storage', async () => {
    const accounts = [{ address: CONTRACT, storage: [[7n, 7n] as const] }]
    expect(await gasOf([0, 'SLOAD', 'POP'], { accounts })).toBe(5n + 2_100n)
  })

  it('is that of one account, and not of another with the same key', async () => {
    const reads = { address: OTHER, nonce: 1n, code: assemble(0, 'SLOAD') }
    const calls: Item[] = [0, 0, 0, 0, 0, OTHER, 50_000, 'CALL', 'POP']
    const accounts = [reads]
    const without = await gasOf(calls, { accounts })
    expect((await gasOf([0, 'SLOAD', 'POP', ...calls], { accounts })) - without).toBe(5n + 2_100n)
  })
})

describe('SSTORE with at most 2,300 gas left', () => {
  it.each([
    ['constantinople', 'success'],
    ['petersburg', 'halt'],
    ['istanbul', 'halt'],
    ['berlin', 'halt'],
    ['osaka', 'halt'],
  ] as const)('fails from Istanbul on (EIP-2200), and where it costs more (%s)', async (hardfork, kind) => {
    // EIP-1283 lets a write that changes nothing cost 200.
    const accessList =
      hardfork === 'osaka' || hardfork === 'berlin'
        ? [{ address: CONTRACT, storageKeys: [`0x${'00'.repeat(32)}` as const] }]
        : []
    const run = (gas: bigint) =>
      agreed({ hardfork, code: [0, 0, 'SSTORE'], gas: 6n + gas, message: { accessList } })
    expect((await run(2_300n)).outcome.kind).toBe(kind)
    expect((await run(2_301n)).outcome.kind).toBe(hardfork === 'petersburg' ? 'halt' : 'success')
  })
})
