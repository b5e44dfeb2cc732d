/** Copies to memory: any offset and length, as in the Yellow Paper; data are followed by zeros. */
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import { assemble, type Item } from '../support/compilers/assembly.ts'
import { agreed, type Given, wordOf } from '../support/engines/agreement.ts'
import { address } from '../support/engines/scenes.ts'

const OTHER = address(0xc1)
/** The data that are copied: 70 bytes, none of them zero. */
const DATA = Uint8Array.from({ length: 70 }, (_, i) => 0x81 + i)
const SIZE = BigInt(DATA.length)

const OFFSETS = [
  0n,
  1n,
  31n,
  69n,
  70n,
  71n,
  100n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 32n + 1n,
  2n ** 63n,
  2n ** 64n,
  2n ** 64n + 1n,
  2n ** 255n,
  2n ** 256n - 1n,
]
const LENGTHS = [0, 1, 31, 32, 33, 70, 71, 130]

/** Memory before a copy: bytes that are neither zero nor those of the data. */
const FILLED: Item[] = [0, 32, 64, 96, 128, 160].flatMap((at): Item[] => [
  `0x${'77'.repeat(32)}`,
  at,
  'MSTORE',
])
const RETURNED: Item[] = [192, 0, 'RETURN']

/** Memory after a copy, as the Yellow Paper has it. */
function expected(to: number, offset: bigint, length: number): string {
  const memory = new Uint8Array(192).fill(0x77)
  for (let i = 0; i < length; i++) {
    const at = offset + BigInt(i)
    memory[to + i] = at < SIZE ? DATA[Number(at)]! : 0
  }
  return toHex(memory)
}

/** Code that returns the data behind it. */
const RETURNING = assemble(DATA.length, 12, 0, 'CODECOPY', DATA.length, 0, 'RETURN', DATA)

describe.each([
  ['CALLDATACOPY', [], { message: { data: DATA } }],
  ['EXTCODECOPY', [OTHER], { accounts: [{ address: OTHER, code: DATA }] }],
  ['CODECOPY', [], {}],
] as const)('%s', (name, account, given: Given) => {
  /** Copies behind the data of the code itself, if it is what is copied. */
  const copyOf = (length: Item, offset: bigint, to: Item): Given => {
    const copy = (from: bigint): Item[] => [
      ...FILLED,
      length,
      `0x${from.toString(16).padStart(64, '0')}`,
      to,
      ...account,
      name,
      ...RETURNED,
    ]
    if (name !== 'CODECOPY') return { ...given, code: copy(offset) }
    // The data are at the end of the code.
    const begin = BigInt(assemble(...copy(0n)).length)
    const from = offset + begin < 2n ** 256n ? offset + begin : offset
    return { ...given, code: assemble(...copy(from), DATA) }
  }

  it('copies zeros from behind the data, however far', async () => {
    for (const offset of OFFSETS) {
      for (const length of LENGTHS) {
        for (const to of [0, 5]) {
          const { outcome } = await agreed(copyOf(length, offset, to))
          if (outcome.kind !== 'success') throw new Error(outcome.kind)
          expect([offset, length, toHex(outcome.returnData)]).toEqual([
            offset,
            length,
            expected(to, offset, length),
          ])
        }
      }
    }
  })

  it.each([
    2n ** 31n,
    2n ** 32n - 32n,
    2n ** 32n - 1n,
    2n ** 32n,
    2n ** 32n + 5n,
    2n ** 64n,
    2n ** 64n + 5n,
    2n ** 255n,
  ])('to memory at %s has not the gas, but for no bytes', async (to) => {
    expect((await agreed({ ...copyOf(1, 0n, to), gas: 2n ** 40n })).outcome.kind).toBe('halt')
    expect((await agreed({ ...copyOf(to, 0n, 0), gas: 2n ** 40n })).outcome.kind).toBe('halt')
    expect((await agreed(copyOf(0, 0n, to))).outcome.kind).toBe('success')
  })

  it('costs 3 for each word, and the memory', async () => {
    const gasOf = async (length: number) =>
      (await agreed({ ...copyOf(length, 0n, 0), hardfork: 'cancun' })).gas
    const nothing = await gasOf(0)
    for (const [length, words] of [
      [1, 1n],
      [32, 1n],
      [33, 2n],
      [192, 6n],
    ] as const)
      expect((await gasOf(length)) - nothing).toBe(3n * words)
    // From 6 to 7 words of memory.
    expect((await gasOf(193)) - nothing).toBe(3n * 7n + 3n)
  })
})

describe('RETURNDATACOPY', () => {
  const calls: Item[] = [0, 0, 0, 0, 0, OTHER, 'GAS', 'CALL', 'POP']
  const accounts = [{ address: OTHER, nonce: 1n, code: RETURNING }]
  const run = (length: Item, offset: Item, to: Item) =>
    agreed({ accounts, code: [...FILLED, ...calls, length, offset, to, 'RETURNDATACOPY', ...RETURNED] })

  it('copies what was returned', async () => {
    for (const [offset, length] of [
      [0, 70],
      [1, 69],
      [69, 1],
      [70, 0],
      [0, 0],
      [33, 32],
    ] as const) {
      const { outcome } = await run(length, offset, 3)
      if (outcome.kind !== 'success') throw new Error(outcome.kind)
      expect(toHex(outcome.returnData)).toBe(expected(3, BigInt(offset), length))
    }
  })

  it.each([
    [71n, 0n],
    [70n, 1n],
    [1n, 70n],
    [0n, 71n],
    [2n ** 32n, 0n],
    [2n ** 32n - 1n, 1n],
    [2n ** 32n + 1n, 1n],
    [2n ** 64n, 0n],
    [2n ** 64n, 1n],
    [2n ** 64n - 1n, 1n],
    [2n ** 255n, 0n],
    [2n ** 256n - 1n, 1n],
  ])('fails for what was not: from %s, %s bytes (EIP-211)', async (offset, length) => {
    const { outcome } = await run(length, offset, 0)
    expect(outcome.kind).toBe('halt')
  })
})

describe('MCOPY', () => {
  /** Five words of memory whose bytes are 1 to 160. */
  const counted: Item[] = [0, 32, 64, 96, 128].flatMap((at): Item[] => [
    toHex(Uint8Array.from({ length: 32 }, (_, i) => at + i + 1)),
    at,
    'MSTORE',
  ])

  it('copies ranges that overlap, in both directions (EIP-5656)', async () => {
    for (const [to, from, length] of [
      [0, 32, 32],
      [32, 0, 32],
      [0, 1, 8],
      [1, 0, 8],
      [0, 0, 32],
      [5, 100, 60],
      [100, 5, 60],
      [7, 3, 0],
      [150, 0, 40],
    ] as const) {
      const { outcome } = await agreed({
        code: [...counted, length, from, to, 'MCOPY', 'MSIZE', 0, 'RETURN'],
      })
      const memory = new Uint8Array(Math.ceil(Math.max(160, to + length, from + length) / 32) * 32)
      for (let i = 0; i < 160; i++) memory[i] = i + 1
      memory.copyWithin(to, from, from + length)
      if (outcome.kind !== 'success') throw new Error(outcome.kind)
      expect(toHex(outcome.returnData)).toBe(toHex(memory))
    }
  })

  it.each([
    [2n ** 32n, 0n, 1n],
    [0n, 2n ** 32n, 1n],
    [0n, 2n ** 32n + 8n, 1n],
    [0n, 2n ** 64n + 8n, 1n],
    [0n, 2n ** 255n, 1n],
    [0n, 0n, 2n ** 32n],
    [0n, 0n, 2n ** 64n + 1n],
  ])('to %s from %s of %s bytes has not the gas', async (to, from, length) => {
    expect((await agreed({ code: [length, from, to, 'MCOPY'], gas: 2n ** 40n })).outcome.kind).toBe('halt')
  })

  it('pays for the memory of the farther range, and for nothing if it copies nothing', async () => {
    const gasOf = async (to: Item, from: Item, length: Item) =>
      (await agreed({ code: [length, from, to, 'MCOPY'] })).gas - 12n
    expect(await gasOf(0, 96, 32)).toBe(3n + 4n * 3n)
    expect(await gasOf(96, 0, 32)).toBe(3n + 4n * 3n)
    expect(await gasOf(96, 64, 33)).toBe(6n + 5n * 3n)
    expect(await gasOf(2n ** 255n, 2n ** 255n, 0)).toBe(0n)
  })
})

describe('CALLDATALOAD', () => {
  it.each([
    ...[2n ** 32n - 1n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 64n - 32n, 2n ** 64n - 1n],
    ...[2n ** 64n, 2n ** 64n + 1n, 2n ** 255n, 2n ** 256n - 1n],
  ])('at %s is 0', async (at) => {
    expect(await wordOf([at, 'CALLDATALOAD'], { message: { data: DATA } })).toBe(0n)
    expect(await wordOf([at, 'CALLVALUE', 'ADD', 'CALLDATALOAD'], { message: { data: DATA } })).toBe(0n)
  })
})

describe('memory', () => {
  it.each(['MLOAD', 'MSTORE', 'MSTORE8'] as const)('beyond 2^32 is not there for %s', async (name) => {
    for (const at of [
      2n ** 32n - 32n,
      2n ** 32n - 31n,
      2n ** 32n,
      2n ** 32n + 1n,
      2n ** 64n - 32n,
      2n ** 64n - 1n,
      2n ** 64n,
      2n ** 64n + 1n,
      2n ** 255n,
    ]) {
      for (const place of [[at], [at, 'CALLVALUE', 'ADD']] as const)
        expect((await agreed({ code: [1, ...place, name], gas: 2n ** 44n })).outcome.kind).toBe('halt')
    }
  })

  it('at 2^64 and beyond is there for no gas, also where the square of its words exceeds 64 bits', async () => {
    for (const at of [2n ** 64n, 2n ** 255n])
      expect((await agreed({ code: [at, 'MLOAD'], gas: 2n ** 50n })).outcome.kind).toBe('halt')
  })

  it('costs 3 a word and a 512th of the square of the words (Yellow Paper, 326)', async () => {
    for (const words of [1n, 2n, 22n, 23n, 32n, 1_000n, 4_096n]) {
      const { gas } = await agreed({ code: [(words - 1n) * 32n, 'MLOAD'], gas: 10_000_000n })
      expect(gas).toBe(6n + 3n * words + (words * words) / 512n)
      const twice = await agreed({ code: [0, 'MLOAD', (words - 1n) * 32n, 'MLOAD'], gas: 10_000_000n })
      expect(twice.gas).toBe(12n + 3n * words + (words * words) / 512n)
    }
    expect((await agreed({ code: [31, 'MLOAD'] })).gas).toBe(6n + 6n)
    expect((await agreed({ code: [1, 31, 'MSTORE8'] })).gas).toBe(9n + 3n)
    expect((await agreed({ code: [1, 32, 'MSTORE8'] })).gas).toBe(9n + 6n)
    expect((await agreed({ code: [1, 0, 'RETURN'] })).gas).toBe(6n + 3n)
    expect((await agreed({ code: [0, 2n ** 255n, 'RETURN'] })).gas).toBe(6n)
  })
})
