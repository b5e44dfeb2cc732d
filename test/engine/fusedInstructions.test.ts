/**
 * Instructions behind others with which our engine may make one of them, or compute them once: the operands of each come
 * from a constant, a copy, an exchange, the context, and from behind a JUMPDEST.
 */
import { describe, expect, it } from 'vitest'
import { toWord } from '../../src/bytes/hex.ts'
import type { Outcome } from '../../src/engine/engine.ts'
import { INSTRUCTIONS } from '../../src/engine/wasm/generate/forms.ts'
import { assemble, type Item } from '../support/compilers/assembly.ts'
import { agreed } from '../support/engines/agreement.ts'

/** Words on the stack, the topmost last, which are not constants when the code is decoded. */
const VECTORS: readonly (readonly bigint[])[] = [
  [1n, 2n, 3n, 2n],
  [2n ** 255n, 5n, 2n ** 256n - 1n, 4n],
  [7n, 2n ** 256n - 2n, 1n, 2n ** 255n + 9n],
  [0n, 2n ** 128n + 3n, 2n ** 128n + 3n, 2n ** 64n],
  [2n ** 200n, 0n, 31n, 0n],
]

/** The instructions that push an operand or move it to the top. */
const SOURCES: readonly (readonly Item[])[] = [
  [],
  [3],
  [2n ** 255n + 1n],
  ['DUP1'],
  ['DUP2'],
  ['DUP3'],
  ['SWAP1'],
  ['SWAP2'],
  ['NUMBER'],
  ['COINBASE'],
  ['PC'],
  ['CODESIZE'],
  [5, 'ISZERO'],
  [2, 'NOT'],
  ['JUMPDEST'],
  [3, 'JUMPDEST'],
  ['DUP2', 'JUMPDEST'],
]

/** The operands come from calldata, so that nothing is folded. */
const OPERANDS: Item[] = [0, 32, 64, 96].flatMap((at): Item[] => [at, 'CALLDATALOAD'])

/** Stores the stack, of at most seven items, in memory at `at`. */
const noted = (at: number, items: number): Item[] =>
  Array.from({ length: items }, (_, i): Item[] => [at + 32 * i, 'MSTORE']).flat()

const byte = (code: number): Uint8Array => Uint8Array.of(code)
const height = (source: readonly Item[]): number =>
  source.reduce<number>(
    (sum, item) => sum + (typeof item === 'string' && /^(SWAP|JUMPDEST|ISZERO|NOT)/.test(item) ? 0 : 1),
    0,
  )

/** Runs code with each of the vectors as its calldata. */
async function runWithAll(code: readonly Item[], ends: Outcome['kind'] = 'success'): Promise<void> {
  const bytes = assemble(...code)
  for (const vector of VECTORS) {
    const data = Uint8Array.from(vector.flatMap((word) => [...toWord(word)]))
    const { outcome } = await agreed({ code: bytes, message: { data }, gas: 10_000_000n })
    expect(outcome.kind).toBe(ends)
  }
}

describe('behind all sources of its operands', () => {
  const functions = INSTRUCTIONS.filter(
    ({ form, name }) =>
      ['binary', 'unary', 'ternary'].includes(form) || ['POP', 'CALLDATALOAD', 'EXP'].includes(name),
  )

  it.each(functions)('$name has the same results in both engines', async ({ code, takes, puts }) => {
    const items: Item[] = []
    let at = 0
    for (const first of SOURCES) {
      for (const second of SOURCES) {
        const left = 4 + height(first) + height(second) - takes + puts
        items.push(...OPERANDS, ...first, ...second, byte(code), ...noted(at, left))
        at += 32 * left
      }
    }
    await runWithAll([...items, at, 0, 'RETURN'])
  })

  it.each(['MLOAD', 'MSTORE', 'MSTORE8'] as const)(
    '%s reaches the same memory in both engines',
    async (name) => {
      const places: readonly (readonly Item[])[] = [
        [0],
        [5],
        [0x1_00],
        ['CALLDATASIZE'],
        ['CALLDATASIZE', 'DUP1'],
        ['CALLDATASIZE', 'CALLDATASIZE', 'DUP2'],
        ['CALLDATASIZE', 'CALLVALUE', 'DUP2'],
        ['CALLVALUE', 'CALLDATASIZE', 'SWAP1'],
        ['MSIZE'],
        ['NUMBER'],
        [9, 'JUMPDEST'],
      ]
      const units = places.map((place): Item[] => [
        ...OPERANDS,
        ...place,
        name,
        ...noted(0x2_000, name === 'MLOAD' ? 5 : 2),
      ])
      for (const unit of units) await runWithAll([...unit, 'MSIZE', 0, 'RETURN'])
      await runWithAll([...units.flat(), 'MSIZE', 0, 'RETURN'])
    },
  )

  it.each(['JUMPI', 'JUMP'] as const)('%s to no JUMPDEST fails in both engines', async (name) => {
    const condition: Item[] = name === 'JUMPI' ? [1] : []
    const destinations = new Array<Item>(8).fill('JUMPDEST')
    // Where the lower bits alone name a JUMPDEST, too.
    const high = [2n ** 32n + 10n, 2n ** 64n + 15n, 2n ** 128n + 22n, 2n ** 255n + 38n]
    for (const place of [0n, 1n, 2n ** 16n, 2n ** 32n, ...high]) {
      await runWithAll([...condition, place, name, ...destinations], 'halt')
      await runWithAll([...condition, place, 'CALLVALUE', 'ADD', name, ...destinations], 'halt')
    }
  })

  it('POP takes one item each time, however many follow one another', async () => {
    const pops: readonly (readonly Item[])[] = [
      ['POP'],
      ['POP', 'POP'],
      ['POP', 'POP', 'POP'],
      ['POP', 'JUMPDEST', 'POP'],
      ['SWAP1', 'POP', 'POP'],
      ['SWAP2', 'POP'],
      ['DUP3', 'SWAP1', 'POP', 'POP', 'POP'],
    ]
    for (const items of pops) {
      const left = items.reduce<number>(
        (sum, item) => sum + (item === 'POP' ? -1 : item === 'DUP3' ? 1 : 0),
        4,
      )
      await runWithAll([...OPERANDS, ...items, ...noted(0, left), 'MSIZE', 0, 'RETURN'])
    }
  })
})

describe('with a conditional jump behind it', () => {
  const comparisons = INSTRUCTIONS.filter(({ name }) =>
    ['LT', 'GT', 'SLT', 'SGT', 'EQ', 'ISZERO'].includes(name),
  )
  const before: readonly (readonly Item[])[] = SOURCES.filter((source) => !source.includes('PC'))

  it.each(comparisons)('$name jumps and leaves the same in both engines', async ({ code, takes }) => {
    const bytes: number[] = []
    const add = (...items: Item[]) => void bytes.push(...assemble(...items))
    let at = 0
    for (const first of before) {
      for (const second of before) {
        for (let zeros = 0; zeros < 4; zeros++) {
          const left = 4 + height(first) + height(second) - takes
          add(...OPERANDS, ...first, ...second, byte(code), ...new Array<Item>(zeros).fill('ISZERO'))
          // PUSH3 destination JUMPI, what is skipped: 1 is noted, JUMPDEST.
          const skipped = assemble(1, at, 'MSTORE')
          const destination = bytes.length + 5 + skipped.length
          bytes.push(
            0x62,
            destination >> 16,
            (destination >> 8) & 0xff,
            destination & 0xff,
            0x57,
            ...skipped,
            0x5b,
          )
          at += 32
          add(...noted(at, left))
          at += 32 * left
        }
      }
    }
    add(at, 0, 'RETURN')
    await runWithAll([Uint8Array.from(bytes)])
  })
})
