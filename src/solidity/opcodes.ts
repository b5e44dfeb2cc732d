/** Instructions of compiled code, and the opcodes that the tools of Solidity look at. */
import { OP, pushedBytes } from '../model/opcodes.ts'
import type { SolcBytecode } from './artifacts/solcJson.ts'
import { decodeSourceMap, JUMP_KINDS, type JumpKind, type SourceMap } from './source/sourceMap.ts'

export const {
  CALLDATASIZE,
  CODECOPY,
  CODESIZE,
  DELEGATECALL,
  DUP1,
  EXTCODESIZE,
  INVALID,
  ISZERO,
  JUMP,
  JUMPDEST,
  JUMPI,
  KECCAK256,
  LOG0,
  LOG4,
  LT,
  PUSH0,
  PUSH4,
  RETURN,
  REVERT,
  SELFDESTRUCT,
  SLOAD,
  SSTORE,
  STOP,
  SWAP16,
  TLOAD,
  TSTORE,
} = OP

/** A range of a source file. */
export interface SourceRange {
  /** The id of the file in its compilation: of a source, or of a text that the code generator wrote. */
  readonly file: number
  /** The offset of the first byte. */
  readonly start: number
  /** In bytes. */
  readonly length: number
}

/** An instruction of compiled code. */
export interface Instruction {
  /** Where it stands among the instructions, from 0; data of pushes is not counted. */
  readonly index: number
  readonly pc: number
  readonly opcode: number
  readonly jump: JumpKind
  /** What it comes from; `undefined`: from no source. May be a range in generated sources. */
  readonly range: SourceRange | undefined
}

/**
 * The instructions of one code by their position. What stands behind the instructions (the code that a constructor returns,
 * metadata) is decoded as if it were code, and comes from no source.
 */
export class Instructions {
  readonly #opcodes: readonly number[]
  readonly #pcs: readonly number[]
  /** The number of the instruction at each position of the code; -1 in data of pushes. */
  readonly #indexes: Int32Array
  readonly #code: Uint8Array
  readonly map: SourceMap

  constructor(code: Uint8Array, map: SourceMap) {
    this.map = map
    this.#code = code
    this.#indexes = new Int32Array(code.length).fill(-1)
    const opcodes: number[] = []
    const pcs: number[] = []
    for (let pc = 0; pc < code.length; pc += 1 + pushedBytes(code[pc]!)) {
      this.#indexes[pc] = pcs.length
      opcodes.push(code[pc]!)
      pcs.push(pc)
    }
    this.#opcodes = opcodes
    this.#pcs = pcs
  }

  /** The number of instructions, with what stands behind them. */
  get length(): number {
    return this.#pcs.length
  }

  /** Returns the number of the instruction at `pc`; -1 where none begins. */
  indexOf(pc: number): number {
    return this.#indexes[pc] ?? -1
  }

  /** Returns the instruction at `pc`; `undefined` where none begins. */
  at(pc: number): Instruction | undefined {
    const index = this.indexOf(pc)
    return index < 0 ? undefined : this.nth(index)
  }

  /** Returns the instruction with the number `index`, which is one of them. */
  nth(index: number): Instruction {
    return {
      index,
      pc: this.#pcs[index]!,
      opcode: this.#opcodes[index]!,
      jump: JUMP_KINDS[this.map.jumps[index] ?? 0]!,
      range: this.rangeOf(index),
    }
  }

  /** Returns what the push at `pc` puts on the stack; exact for up to six bytes. */
  operandAt(pc: number): number {
    return this.#code
      .subarray(pc + 1, pc + 1 + pushedBytes(this.#code[pc]!))
      .reduce((value, byte) => value * 256 + byte, 0)
  }

  /** Returns what the instruction with the number `index` comes from; `undefined`: from no source. */
  rangeOf(index: number): SourceRange | undefined {
    const { length, files, starts, lengths } = this.map
    if (index >= length || files[index]! < 0) return undefined
    return { file: files[index]!, start: starts[index]!, length: lengths[index]! }
  }

  /** Iterates over the instructions, those that come from no source too. */
  *[Symbol.iterator](): Generator<Instruction> {
    for (let index = 0; index < this.length; index++) yield this.nth(index)
  }
}

const decoded = new WeakMap<SolcBytecode, Instructions>()

/** Returns the instructions of `bytecode`, decoded at the first call. Addresses of libraries are taken as zeros. */
export function instructionsOf(bytecode: SolcBytecode): Instructions {
  let instructions = decoded.get(bytecode)
  if (instructions === undefined) {
    instructions = new Instructions(bytesOf(bytecode.object), decodeSourceMap(bytecode.sourceMap ?? ''))
    decoded.set(bytecode, instructions)
  }
  return instructions
}

/** Digits that are none are those of placeholders, which stand in operands of pushes. */
function bytesOf(object: string): Uint8Array {
  const digits = object.startsWith('0x') ? object.slice(2) : object
  const bytes = new Uint8Array(digits.length >> 1)
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16) || 0
  }
  return bytes
}
