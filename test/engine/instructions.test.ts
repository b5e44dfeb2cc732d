/** Each instruction alone, under each hardfork: its gas, its result, its errors, in both engines and both readings of ours. */
import { describe, expect, it } from 'vitest'
import { createRules } from '../../src/model/hardfork/hardfork.ts'
import { isDefined, OPCODES, type Opcode } from '../../src/model/opcodes.ts'
import { assemble, type Item } from '../support/compilers/assembly.ts'
import { agreed, wordsOf } from '../support/engines/agreement.ts'
import { ALL_HARDFORKS } from '../support/engines/randomRun.ts'
import { address } from '../support/engines/scenes.ts'

/** Operands from the bottom of the stack up, enough for all instructions: small ones that are places and accounts, and large ones. */
const STACKS: readonly (readonly Item[])[] = [
  [...[11, 23, 7, 19, 41, 3, 29, 13, 2, 31, 17, 37, 5], 33, 0, 64, 0x40],
  [
    ...new Array<Item>(13).fill(2n ** 255n + 3n),
    ...[2n ** 130n - 1n, 2n ** 64n + 2n, 2n ** 256n - 5n, 2n ** 192n],
  ],
]

/** An account that operands name. */
const NAMED = {
  address: address(0x40),
  balance: 9n,
  nonce: 1n,
  code: assemble(1, 0, 'SSTORE', 7, 0, 'RETURN'),
}
/** The memory that a program returns; it contains all writes of instructions. */
const RETURNED = 0x200

/** Code that runs an instruction with this stack, and with something in memory and something returned by a call. */
function program(stack: readonly Item[], instruction: Uint8Array): Uint8Array {
  const memory: Item[] = [2n ** 256n - 2n ** 100n, 0, 'MSTORE', 2n ** 250n + 12_345n, 32, 'MSTORE']
  // IDENTITY returns 40 bytes.
  const returns: Item[] = [40, 0x80, 40, 0, 0, 4, 50_000, 'CALL', 'POP']
  const ends: Item[] = [RETURNED - 32, 'MSTORE', RETURNED, 0, 'RETURN']
  return assemble(...memory, ...returns, ...stack, instruction, ...ends)
}

/** The byte of an instruction, and data behind a PUSH. */
function bytesOf(byte: number): Uint8Array {
  const data = byte >= 0x60 && byte <= 0x7f ? byte - 0x5f : 0
  return Uint8Array.of(byte, ...Array.from({ length: data }, (_, i) => 0xa0 + i))
}

const place = (byte: number) => address(0xc0_00_00 + byte)

/** Code that calls the programs of sixteen opcodes, and returns for each its success and the hash of its return data. */
function callsOf(first: number): Item[] {
  const items: Item[] = []
  for (let i = 0; i < 16; i++) {
    items.push(RETURNED, 0x1000, 70, 0, 3, place(first + i), 100_000, 'CALL', 64 * i, 'MSTORE')
    items.push(RETURNED, 0x1000, 'KECCAK256', 64 * i + 32, 'MSTORE')
  }
  return [...items, 1_024, 0, 'RETURN']
}

describe.each(ALL_HARDFORKS)('under %s', (hardfork) => {
  const rules = createRules(hardfork, 31_337n)
  const defined = new Set(OPCODES.filter((opcode) => isDefined(opcode, rules)).map(({ code }) => code))

  it('each instruction costs and leaves the same in both engines, and each byte that is none fails', async () => {
    for (let first = 0; first < 256; first += 16) {
      const bytes = Array.from({ length: 16 }, (_, i) => first + i)
      for (const stack of STACKS) {
        const programs = bytes.map((byte) => ({
          address: place(byte),
          nonce: 1n,
          balance: 50n,
          storage: [[0x40n, 5n] as const],
          code: program(stack, bytesOf(byte)),
        }))
        const accounts = [NAMED, ...programs]
        const words = await wordsOf({ hardfork, accounts, code: callsOf(first), gas: 4_000_000n })
        for (const byte of bytes)
          if (!defined.has(byte)) expect([byte, words[2 * (byte - first)]]).toEqual([byte, 0n])
      }
    }
  })
})

describe('under osaka the stack of', () => {
  const rules = createRules('osaka', 31_337n)
  const all = OPCODES.filter(
    (opcode) => isDefined(opcode, rules) && !/^PUSH([2-9]|[12]\d|30|31)$/.test(opcode.name),
  )
  const outcomeOf = async (height: number, { code }: Opcode) =>
    (await agreed({ code: assemble(...new Array<Item>(height).fill(1), bytesOf(code)) })).outcome

  it.each(all.filter(({ takes }) => takes > 0))('$name has at least $takes items', async (opcode) => {
    expect(await outcomeOf(opcode.takes - 1, opcode)).toMatchObject({
      kind: 'halt',
      reason: 'stackUnderflow',
    })
    expect(await outcomeOf(opcode.takes, opcode)).not.toMatchObject({ reason: 'stackUnderflow' })
  })

  it('an instruction in the middle of a block is too short or too high, however high it is at the end', async () => {
    const ends = async (...code: Item[]) => (await agreed({ code })).outcome
    const ones = (count: number) => new Array<Item>(count).fill(1)
    expect(await ends('POP', 1, 1, 1)).toMatchObject({ reason: 'stackUnderflow' })
    expect(await ends(1, 'SWAP2', 1, 1, 1)).toMatchObject({ reason: 'stackUnderflow' })
    expect(await ends(1, 'ADD', 1, 1, 'POP')).toMatchObject({ reason: 'stackUnderflow' })
    expect(await ends(...ones(1_023), 1, 1, 'POP', 'POP')).toMatchObject({ reason: 'stackOverflow' })
    expect(await ends('JUMPDEST', ...ones(1_024), 'DUP1', 'ADD', 'ADD')).toMatchObject({
      reason: 'stackOverflow',
    })
    expect((await ends(...ones(1_024), 'POP', 1, 'ADD', 1)).kind).toBe('success')
  })

  it.each(all.filter(({ takes, puts }) => puts > takes))(
    '$name has at most 1,024 items afterwards',
    async (opcode) => {
      expect(await outcomeOf(1_024, opcode)).toMatchObject({ kind: 'halt', reason: 'stackOverflow' })
      expect((await outcomeOf(1_023, opcode)).kind).toBe('success')
    },
  )
})
