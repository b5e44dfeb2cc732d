/** Random programs: weighted by opcode, with calls, creations, jumps, precompiles, and too little gas. */

import { OPCODES } from '../../../src/model/opcodes.ts'
import type { Random } from '../../support/random/random.ts'

/** The accounts that programs name: contracts, precompiles, one that does not exist, and one without code. */
export const CONTRACTS = [0xc1, 0xc2, 0xc3].map((last) => `0x${last.toString(16).padStart(40, '1')}` as const)
export const SENDER = `0x${'5'.padStart(40, '5')}` as const
const OTHERS = [1, 2, 3, 4, 5, 9, 0xdead].map(
  (number) => `0x${number.toString(16).padStart(40, '0')}` as const,
)

const SKIPPED = new Set([
  'GAS',
  'PC',
  'JUMP',
  'JUMPI',
  'JUMPDEST',
  'STOP',
  'RETURN',
  'REVERT',
  'SELFDESTRUCT',
  'INVALID',
])
const PLAIN = OPCODES.filter(
  ({ name }) =>
    !SKIPPED.has(name) && !/^(PUSH|DUP|SWAP|LOG|CALL$|CALLCODE|DELEGATE|STATIC|CREATE)/.test(name),
)

/** Returns the code of a random program. */
export function program(random: Random, depth = 0): Uint8Array {
  const code: number[] = []
  let height = 0
  const destinations: number[] = []
  const push = (value: bigint, width?: number) => {
    const digits = value.toString(16)
    const length = width ?? Math.max(1, Math.ceil(digits.length / 2))
    const bytes = Buffer.from(digits.padStart(length * 2, '0'), 'hex')
    code.push(0x5f + length, ...bytes)
    height++
  }
  const account = () => push(BigInt(random.pick([...CONTRACTS, ...CONTRACTS, SENDER, ...OTHERS])))
  const range = () => {
    push(BigInt(random.below(70)))
    push(BigInt(random.below(random.below(10) === 0 ? 3_000 : 200)))
  }
  const value = () => {
    switch (random.below(6)) {
      case 0:
        return push(BigInt(random.below(3)))
      case 1:
        return push((1n << BigInt(random.below(256))) - BigInt(random.below(2)))
      case 2:
        return push(2n ** 256n - 1n - BigInt(random.below(5)))
      case 3:
        return account()
      default:
        return push(BigInt(random.below(300)))
    }
  }
  const store = () => {
    value()
    push(BigInt(random.below(100)))
    code.push(0x52)
    height -= 2
  }
  const call = () => {
    const kind = random.pick([0xf1, 0xf1, 0xf2, 0xf4, 0xfa])
    range()
    range()
    if (kind <= 0xf2) push(BigInt(random.below(3) === 0 ? random.below(1_000) : 0))
    account()
    if (random.below(3) === 0) code.push(0x5a)
    else push(BigInt(random.below(60_000)))
    code.push(kind)
    height -= kind <= 0xf2 ? 5 : 4
  }
  const create = () => {
    // Init code that is a program itself, or that returns some bytes of memory.
    const inner =
      depth > 1 || random.below(2) === 0
        ? Uint8Array.of(0x60, random.below(70), 0x60, 0, 0xf3)
        : program(random, depth + 1).slice(0, 32)
    push(BigInt(`0x${Buffer.from(inner).toString('hex').padEnd(64, '0')}`), 32)
    code.push(0x60, 0, 0x52)
    height--
    const isSalted = random.below(2) === 0
    if (isSalted) push(BigInt(random.below(2)))
    push(BigInt(inner.length))
    push(0n)
    push(BigInt(random.below(3)))
    code.push(isSalted ? 0xf5 : 0xf0)
    height -= isSalted ? 3 : 2
  }
  const jump = () => {
    const isBack = destinations.length > 0 && random.below(3) === 0
    if (isBack) {
      value()
      push(BigInt(random.pick(destinations)), 2)
      code.push(0x57)
      height -= 2
      return
    }
    // Jumps over instructions that leave the height of the stack unchanged.
    const isConditional = random.below(3) > 0
    if (isConditional) {
      value()
      if (random.below(2) === 0) {
        value()
        code.push(random.pick([0x10, 0x11, 0x12, 0x13, 0x14]))
        height--
      }
      for (let i = random.below(3); i > 0; i--) code.push(0x15)
    }
    const at = code.length
    push(0n, 2)
    code.push(isConditional ? 0x57 : 0x56)
    height -= isConditional ? 2 : 1
    for (let i = random.below(3); i > 0; i--) store()
    const target = random.below(25) === 0 ? random.below(300) : code.length
    code[at + 1] = target >> 8
    code[at + 2] = target & 0xff
    code.push(0x5b)
    destinations.push(code.length - 1)
  }
  const put = (opcode: number, more: number) => {
    code.push(opcode)
    height += more
  }
  const sstore = () => {
    if (random.below(2) === 0) value()
    else push(BigInt(random.below(3)))
    push(BigInt(random.below(5)))
    put(random.below(8) === 0 ? 0x5d : 0x55, -2)
  }
  const log = () => {
    const topics = random.below(5)
    for (let i = 0; i < topics; i++) value()
    range()
    put(0xa0 + topics, -topics - 2)
  }
  const copy = () => {
    push(BigInt(random.below(70)))
    push(BigInt(random.below(100)))
    push(BigInt(random.below(100)))
    put(random.pick([0x37, 0x39, 0x3e, 0x5e]), -3)
  }
  const plain = () => {
    const opcode = random.pick(PLAIN)
    while (height < opcode.takes) value()
    put(opcode.code, opcode.puts - opcode.takes)
  }
  const length = 5 + random.below(60)
  const pieces: readonly (readonly [weight: number, write: () => void])[] = [
    [12, value],
    [8, () => put(0x80 + (height > 0 ? random.below(Math.min(16, height)) : 0), 1)],
    [5, () => height > 1 && put(0x90 + random.below(Math.min(16, height - 1)), 0)],
    [7, store],
    [10, sstore],
    [
      5,
      () => {
        push(BigInt(random.below(5)))
        put(random.below(6) === 0 ? 0x5c : 0x54, 0)
      },
    ],
    [6, jump],
    [5, call],
    [3, create],
    [2, log],
    [
      2,
      () => {
        range()
        put(0x20, -1)
      },
    ],
    [3, copy],
    [
      2,
      () => {
        account()
        put(random.pick([0x31, 0x3b, 0x3f]), 0)
      },
    ],
    [2, () => height > 0 && put(0x50, -1)],
    [1, () => put(random.pick([0x58, 0x59, 0x5a]), 1)],
    [27, plain],
  ]
  const whole = pieces.reduce((sum, [weight]) => sum + weight, 0)
  for (let i = 0; i < length && code.length < 20_000; i++) {
    let choice = random.below(whole)
    const piece = pieces.find(([weight]) => {
      choice -= weight
      return choice < 0
    })
    piece![1]()
    // Now and then too few items.
    if (random.below(400) === 0) height += 3
  }
  switch (random.below(12)) {
    case 0:
      return Uint8Array.from([...code, 0x00])
    case 1:
      return Uint8Array.from([...code, 0xfe])
    case 2:
      account()
      return Uint8Array.from([...code, 0xff])
    case 3:
      range()
      return Uint8Array.from([...code, 0xfd])
    case 4:
      return Uint8Array.from(code)
    case 5:
      return Uint8Array.from([...code, random.below(256)])
    default:
      range()
      return Uint8Array.from([...code, 0xf3])
  }
}
