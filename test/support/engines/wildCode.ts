/**
 * Random bytecode that no compiler writes: any instruction in any order, with words on which arithmetic goes wrong,
 * jumps between blocks and to odd places, and now and then a stack that is too short or too long. For comparing EVMs.
 */
import type { Address } from '../../../src/bytes/hex.ts'
import { toMinimalBytes } from '../../../src/bytes/hex.ts'
import type { Random } from '../random/random.ts'

export const WORDS = [
  ...[0n, 1n, 2n, 3n, 5n, 31n, 32n, 33n, 63n, 64n, 95n, 255n, 256n, 257n, 0xffffn, 0xffffffffn, 2n ** 32n],
  ...[
    2n ** 63n,
    2n ** 64n - 1n,
    2n ** 64n,
    2n ** 127n,
    2n ** 128n - 1n,
    2n ** 128n,
    2n ** 160n - 1n,
    2n ** 192n,
  ],
  ...[2n ** 255n - 1n, 2n ** 255n, 2n ** 255n + 1n, 2n ** 256n - 2n, 2n ** 256n - 1n],
]

/** What an instruction takes from the stack, so that it mostly makes sense: words, places in memory, and so on. */
export type Operand = 'word' | 'offset' | 'size' | 'slot' | 'account' | 'gas' | 'value' | 'salt' | 'block'

/** Operands from the top of the stack down. */
export const OPERANDS: Readonly<Record<number, readonly Operand[]>> = {
  32: ['offset', 'size'],
  49: ['account'],
  53: ['offset'],
  55: ['offset', 'offset', 'size'],
  57: ['offset', 'offset', 'size'],
  59: ['account'],
  60: ['account', 'offset', 'offset', 'size'],
  62: ['offset', 'offset', 'size'],
  63: ['account'],
  64: ['block'],
  73: ['value'],
  81: ['offset'],
  82: ['offset', 'word'],
  83: ['offset', 'word'],
  84: ['slot'],
  85: ['slot', 'word'],
  92: ['slot'],
  93: ['slot', 'word'],
  94: ['offset', 'offset', 'size'],
  160: ['offset', 'size'],
  161: ['offset', 'size', 'word'],
  162: ['offset', 'size', 'word', 'word'],
  163: ['offset', 'size', 'word', 'word', 'word'],
  164: ['offset', 'size', 'word', 'word', 'word', 'word'],
  240: ['value', 'offset', 'size'],
  241: ['gas', 'account', 'value', 'offset', 'size', 'offset', 'size'],
  242: ['gas', 'account', 'value', 'offset', 'size', 'offset', 'size'],
  243: ['offset', 'size'],
  244: ['gas', 'account', 'offset', 'size', 'offset', 'size'],
  245: ['value', 'offset', 'size', 'salt'],
  250: ['gas', 'account', 'offset', 'size', 'offset', 'size'],
  253: ['offset', 'size'],
  255: ['account'],
}

const COMPUTING = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
]
const READING = [48, 50, 51, 52, 54, 56, 58, 61, 65, 66, 67, 68, 69, 70, 71, 72, 74, 88, 89, 90]
const WITH_OPERANDS = Object.keys(OPERANDS).map(Number)
const ENDING = new Set([243, 253, 255])

/** Returns random code that may call `others`, of some `size` instructions. */
export function wildCode(random: Random, others: readonly Address[], size: number): Uint8Array {
  const blocks = random.between(1, 6)
  const bytes: number[] = []
  /** Where the two bytes of a destination are, and which block it is. */
  const jumps: { at: number; block: number }[] = []
  const starts: number[] = []
  const push = (value: bigint): void => {
    const word = toMinimalBytes(value)
    // Zero as PUSH1 0 more often than as PUSH0, which older hardforks do not know.
    if (word.length === 0) bytes.push(...(random.chance(0.7) ? [0x60, 0] : [0x5f]))
    else bytes.push(0x5f + word.length, ...word)
  }
  const jumpTo = (block: number): void => {
    bytes.push(0x61, 0, 0)
    jumps.push({ at: bytes.length - 2, block })
  }

  for (let block = 0; block < blocks; block++) {
    starts.push(bytes.length)
    bytes.push(0x5b)
    const length = random.between(1, Math.ceil((2 * size) / blocks))
    for (let i = 0; i < length; i++) writeOne(random, others, bytes, push)
    // Mostly forwards: gas ends the others.
    const next = random.chance(0.85) ? random.between(block, blocks) : random.below(blocks)
    const choice = random.below(10)
    if (choice < 3) jumpTo(next)
    if (choice < 2) bytes.push(0x56)
    else if (choice < 5) {
      push(random.pick(WORDS))
      if (random.chance(0.5)) bytes.push(random.pick([0x14, 0x10, 0x11, 0x15]))
      jumpTo(next)
      bytes.push(0x57)
    } else if (choice === 5 && random.chance(0.2)) {
      push(BigInt(random.below(bytes.length + 3)))
      bytes.push(random.pick([0x56, 0x57]))
    }
  }
  for (const { at, block } of jumps) {
    const start = starts[block] ?? bytes.length
    bytes[at] = start >> 8
    bytes[at + 1] = start & 0xff
  }
  // Data behind an unfinished PUSH, sometimes.
  if (random.chance(0.1)) bytes.push(0x60 + random.below(32))
  return Uint8Array.from(bytes)
}

function writeOne(
  random: Random,
  others: readonly Address[],
  bytes: number[],
  push: (value: bigint) => void,
): void {
  const kind = random.below(100)
  if (kind < 22) push(random.chance(0.5) ? random.pick(WORDS) : random.bigint(256))
  else if (kind < 32) bytes.push(0x80 + (random.chance(0.8) ? random.below(4) : random.below(16)))
  else if (kind < 40) bytes.push(0x90 + (random.chance(0.8) ? random.below(4) : random.below(16)))
  else if (kind < 58) {
    const opcode = random.pick(COMPUTING)
    // Operands of one's own half of the time; what happens to be there otherwise.
    if (random.chance(0.5))
      for (let i = 0; i < 3; i++) push(random.chance(0.6) ? random.pick(WORDS) : random.bigint(256))
    bytes.push(opcode)
  } else if (kind < 66) bytes.push(random.pick(READING))
  else if (kind < 70) bytes.push(random.pick([0x50, 0x5b, 0x50]))
  else if (kind < 71) bytes.push(random.below(256))
  else {
    const opcode = random.pick(WITH_OPERANDS)
    if (ENDING.has(opcode) && random.chance(0.8)) return
    if (random.chance(0.95))
      for (const operand of [...OPERANDS[opcode]!].reverse()) push(wordFor(random, others, operand))
    bytes.push(opcode)
    // A creation runs what is in memory, which is mostly zeros: code of its own makes it worth it.
  }
}

/** Returns a word that an operand of a kind may be; places and sizes in memory are `sensible` with a probability. */
export function wordFor(
  random: Random,
  others: readonly Address[],
  operand: Operand,
  sensible = 0.97,
): bigint {
  switch (operand) {
    case 'word':
      return random.chance(0.5) ? random.pick(WORDS) : random.bigint(256)
    case 'offset':
      return random.chance(sensible)
        ? BigInt(random.pick([0, 0, 1, 31, 32, 64, 100, 1_000]))
        : random.pick(WORDS)
    case 'size':
      return random.chance(sensible)
        ? BigInt(random.pick([0, 1, 4, 31, 32, 33, 64, 96, 200]))
        : random.pick(WORDS)
    case 'slot':
      return random.chance(0.9) ? BigInt(random.below(5)) : random.pick(WORDS)
    case 'account':
      if (random.chance(0.25)) return BigInt(random.between(0, 18))
      return random.chance(0.95) ? BigInt(random.pick(others)) : random.bigint(256)
    case 'gas':
      return random.chance(0.5) ? BigInt(random.below(60_000)) : random.pick(WORDS)
    case 'value':
      return random.chance(0.7) ? 0n : BigInt(random.below(5))
    case 'salt':
      return BigInt(random.below(3))
    case 'block':
      return random.chance(0.8) ? BigInt(1_000 - random.below(300)) : random.pick(WORDS)
  }
}
