/**
 * Random bytecode that mostly runs to its end, and returns all that it computed: its stack is never too short, its
 * instructions are those of its hardfork, and at the end the stack is written behind memory, and memory returned. What
 * an EVM gets wrong then shows in the outcome. `wildCode` is for what fails.
 */
import type { Address } from '../../../src/bytes/hex.ts'
import { toMinimalBytes } from '../../../src/bytes/hex.ts'
import type { AnyHardfork, Rules } from '../../../src/model/hardfork/hardfork.ts'
import { assemble, creationOf } from '../compilers/assembly.ts'
import type { Random } from '../random/random.ts'
import { OPERANDS, WORDS, wordFor } from './wildCode.ts'

/** The instructions that came after Frontier. */
const SINCE: ReadonlyMap<number, AnyHardfork> = new Map<number, AnyHardfork>([
  [0xf4, 'homestead'],
  ...[0x3d, 0x3e, 0xfa, 0xfd].map((opcode) => [opcode, 'byzantium'] as const),
  ...[0x1b, 0x1c, 0x1d, 0x3f, 0xf5].map((opcode) => [opcode, 'constantinople'] as const),
  ...[0x46, 0x47].map((opcode) => [opcode, 'istanbul'] as const),
  [0x48, 'london'],
  [0x5f, 'shanghai'],
  ...[0x49, 0x4a, 0x5c, 0x5d, 0x5e].map((opcode) => [opcode, 'cancun'] as const),
  [0x1e, 'osaka'],
])

const UNARY = [0x15, 0x19, 0x1e, 0x35]
const BINARY = [
  ...range(0x01, 0x07),
  0x0a,
  0x0b,
  ...range(0x10, 0x14),
  ...range(0x16, 0x18),
  ...range(0x1a, 0x1d),
]
const TERNARY = [0x08, 0x09]
const COMPARISONS = range(0x10, 0x14)
const READING = [0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, ...range(0x41, 0x48), 0x4a, 0x58, 0x59, 0x5a]
/** Instructions with operands of a kind that leave a word, and those that leave nothing. */
const ANSWERING = [0x20, 0x31, 0x3b, 0x3f, 0x40, 0x49, 0x51, 0x54, 0x5c, 0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa]
const SILENT = [0x37, 0x39, 0x3c, 0x3e, 0x52, 0x53, 0x55, 0x55, 0x5d, 0x5e, ...range(0xa0, 0xa4)]

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

/** Returns code of some `size` instructions that may call `others`. */
export function wholeCode(
  random: Random,
  rules: Rules,
  others: readonly Address[],
  size: number,
): Uint8Array {
  const writer = new Writer(random, rules, others)
  writer.write(size, 0)
  return writer.end()
}

class Writer {
  readonly #random: Random
  readonly #rules: Rules
  readonly #others: readonly Address[]
  readonly #bytes: number[] = []
  #height = 0

  constructor(random: Random, rules: Rules, others: readonly Address[]) {
    this.#random = random
    this.#rules = rules
    this.#others = others
  }

  /** Writes `count` instructions and groups of them that leave the lowest `floor` items of the stack alone. */
  write(count: number, floor: number): void {
    for (let i = 0; i < count; i++) this.#writeOne(floor)
  }

  /** Ends the code: writes the stack behind memory, and returns memory. */
  end(): Uint8Array {
    for (; this.#height > 0; this.#height--) this.#op(0x59, 0x52)
    if (this.#random.chance(0.3)) this.#op(0x59, 0x60, 0, 0xa0)
    const kind = this.#random.below(20)
    // Reverts and destroys itself now and then.
    if (kind === 0 && this.#has(0xfd)) this.#op(0x59, 0x60, 0, 0xfd)
    else if (kind === 1) this.#op(0x73, ...Buffer.from(this.#random.pick(this.#others).slice(2), 'hex'), 0xff)
    else this.#op(0x59, 0x60, 0, 0xf3)
    return Uint8Array.from(this.#bytes)
  }

  #has(opcode: number): boolean {
    const since = SINCE.get(opcode)
    return since === undefined || this.#rules.since(since)
  }

  #op(...bytes: number[]): void {
    this.#bytes.push(...bytes)
  }

  #pick(opcodes: readonly number[]): number {
    return this.#random.pick(opcodes.filter((opcode) => this.#has(opcode)))
  }

  #push(value: bigint): void {
    const word = toMinimalBytes(value)
    if (word.length > 0) this.#op(0x5f + word.length, ...word)
    else if (this.#has(0x5f) && this.#random.chance(0.5)) this.#op(0x5f)
    else this.#op(0x60, 0)
    this.#height++
  }

  #pushWord(): void {
    this.#push(this.#random.chance(0.6) ? this.#random.pick(WORDS) : this.#random.bigint(256))
  }

  /** Makes sure that there are `count` items above `floor`. */
  #need(count: number, floor: number): void {
    while (this.#height - floor < count) this.#pushWord()
  }

  /** Pushes a place in code that `here` sets; returns `here`. */
  #pushPlace(): () => void {
    this.#op(0x61, 0, 0)
    this.#height++
    const at = this.#bytes.length - 2
    return () => {
      this.#bytes[at] = this.#bytes.length >> 8
      this.#bytes[at + 1] = this.#bytes.length & 0xff
      this.#op(0x5b)
    }
  }

  #writeOne(floor: number): void {
    const random = this.#random
    const kind = this.#height > floor + 40 ? 97 : random.below(100)
    if (kind < 15) this.#pushWord()
    else if (kind < 27) {
      const depth = random.chance(0.8) ? random.between(1, 3) : random.between(1, 16)
      this.#need(depth, floor)
      this.#op(0x7f + depth)
      this.#height++
    } else if (kind < 37) {
      const depth = random.chance(0.8) ? random.between(1, 2) : random.between(1, 16)
      this.#need(depth + 1, floor)
      this.#op(0x8f + depth)
    } else if (kind < 62) this.#compute(floor)
    else if (kind < 67) {
      this.#op(this.#pick(READING))
      this.#height++
    } else if (kind < 75) this.#withOperands(this.#pick(SILENT), false)
    else if (kind < 84) this.#withOperands(this.#pick(ANSWERING), true)
    else if (kind < 86) this.#memoryAtCopy(floor)
    else if (kind < 88) this.#create()
    else if (kind < 94) this.#branch(floor)
    else if (kind < 95) this.#jump(floor)
    else if (kind < 96) this.#loop()
    else if (this.#height > floor) {
      this.#op(0x50)
      this.#height--
    }
  }

  #compute(floor: number): void {
    const takes = this.#random.pick([1, 2, 2, 2, 2, 2, 3])
    this.#need(takes, floor)
    // Shifts and bytes by small numbers, which fewer words are.
    const opcode = this.#pick(takes === 1 ? UNARY : takes === 2 ? BINARY : TERNARY)
    if ((opcode === 0x0b || opcode > 0x19) && takes === 2 && this.#random.chance(0.7)) {
      this.#push(BigInt(this.#random.below(opcode > 0x1a ? 258 : 34)))
      this.#height--
      this.#op(opcode)
      return
    }
    this.#op(opcode)
    this.#height -= takes - 1
  }

  #withOperands(opcode: number, answers: boolean): void {
    if (opcode === 0x3e && this.#random.chance(0.9)) {
      // All return data, or those from their end on: more would fail.
      const isAll = this.#random.chance(0.5)
      this.#op(...(isAll ? [0x3d, 0x60, 0] : [0x60, 0, 0x3d]), 0x60, this.#random.below(100), opcode)
      return
    }
    const operands = OPERANDS[opcode]!
    for (const operand of [...operands].reverse()) {
      const isAllGas = operand === 'gas' && this.#random.chance(0.5)
      // Slots that are cleared and set again have refunds.
      const isBit = opcode === 0x55 && operand === 'word' && this.#random.chance(0.7)
      const word = isBit ? BigInt(this.#random.below(2)) : wordFor(this.#random, this.#others, operand, 0.999)
      this.#push(isAllGas ? 2n ** 64n : word)
    }
    this.#op(opcode)
    this.#height -= operands.length - (answers ? 1 : 0)
  }

  /** A place in memory that was copied from the stack. */
  #memoryAtCopy(floor: number): void {
    this.#push(BigInt(this.#random.below(300)))
    const depth = this.#random.between(1, 2)
    this.#need(depth, floor)
    // The place is under another item, now and then.
    if (depth === 2) this.#op(0x90)
    const isLoad = this.#random.chance(0.5)
    this.#op(0x7f + depth, isLoad ? 0x51 : 0x52)
    this.#height += isLoad ? 1 : -1
  }

  /** A creation of a small contract, and now and then a call of it. */
  #create(): void {
    const random = this.#random
    const initCode = this.#initCode()
    const word = new Uint8Array(32)
    word.set(initCode)
    this.#op(0x7f, ...word, 0x60, 0, 0x52)
    const isSalted = this.#has(0xf5) && random.chance(0.4)
    if (isSalted) this.#op(0x60, random.below(3))
    this.#op(0x60, initCode.length, 0x60, 0, 0x60, random.chance(0.7) ? 0 : random.below(3))
    this.#op(isSalted ? 0xf5 : 0xf0)
    this.#height++
    if (random.chance(0.5)) return
    this.#op(
      0x60,
      random.pick([0, 0, 32]),
      0x60,
      0,
      0x60,
      0,
      0x60,
      0,
      0x60,
      random.pick([0, 0, 1]),
      0x85,
      0x5a,
      0xf1,
    )
    this.#height++
  }

  /** Returns init code of at most 32 bytes. */
  #initCode(): Uint8Array {
    const random = this.#random
    const other = random.pick(this.#others)
    switch (random.below(8)) {
      case 0:
        return assemble(random.pick([0, 1, 5, 40]), 0, 'RETURN')
      case 1:
        return assemble(0xef, 0, 'MSTORE8', random.between(1, 2), 0, 'RETURN')
      case 2:
        return assemble(other, 'SELFDESTRUCT')
      case 3:
        return assemble(random.below(3), random.below(3), 'SSTORE', 3, 0, 'RETURN')
      case 4:
        return assemble(random.below(3), random.below(3), 'SSTORE', 3, 0, 'REVERT')
      case 5:
        return creationOf(assemble('CALLER', 'SELFDESTRUCT'))
      case 6:
        return creationOf(assemble('CALLVALUE', random.below(3), 'SSTORE', 7, 0, 'REVERT'))
      default:
        return creationOf(assemble('ADDRESS', 'SELFDESTRUCT'))
    }
  }

  /** A part that is skipped on a condition. */
  #branch(floor: number): void {
    const random = this.#random
    const kind = random.below(4)
    if (kind === 0) {
      // A copy compared with a constant, as selectors are.
      const depth = random.between(1, 3)
      this.#need(depth, floor)
      this.#op(0x7f + depth)
      this.#height++
      this.#pushWord()
    } else if (kind === 1) {
      // Two copies.
      const [a, b] = [random.between(1, 4), random.between(1, 4)]
      this.#need(4, floor)
      this.#op(0x7f + a, 0x7f + b)
      this.#height += 2
    } else this.#need(2, floor)
    this.#op(random.pick(kind === 0 ? [0x11, 0x14] : COMPARISONS))
    this.#height--
    for (let i = random.below(3); i > 0; i--) this.#op(0x15)
    const here = this.#pushPlace()
    this.#op(0x57)
    this.#height -= 2
    this.#part(floor)
    here()
  }

  /** Writes a part that leaves the stack as high as it was. */
  #part(floor: number): void {
    const height = this.#height
    this.write(this.#random.between(1, 4), floor)
    this.#need(height, 0)
    for (; this.#height > height; this.#height--) this.#op(0x50)
  }

  /** A jump over what looks like code, to a place that is known or computed. */
  #jump(floor: number): void {
    const random = this.#random
    const here = this.#pushPlace()
    if (random.chance(0.5)) this.#op(0x80, 0x90, 0x50)
    const isConditional = random.chance(0.5)
    if (isConditional) this.#op(0x60, random.below(2), 0x90)
    this.#op(isConditional ? 0x57 : 0x56)
    this.#height--
    if (isConditional) this.#part(floor)
    else this.#op(...random.pick([[], [0xfe], [0x61, 0x5b, 0x5b], [0x50, 0x60, 0x5b, 0x50]]))
    here()
  }

  #loop(): void {
    this.#push(BigInt(this.#random.between(2, 4)))
    const start = this.#bytes.length
    this.#op(0x5b)
    this.#part(this.#height)
    this.#op(0x60, 1, 0x90, 0x03, 0x80, 0x61, start >> 8, start & 0xff, 0x57)
  }
}
