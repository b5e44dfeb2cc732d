import { oncePer } from '../../model/collections/oncePer.ts'
import { OP, pushedBytes } from '../../model/opcodes.ts'
import type { SolcBytecode } from '../artifacts/solcJson.ts'
import { decodeSourceMap, JUMP_KINDS, type JumpKind, type SourceMap } from './sourceMap.ts'

export interface SourceRange {
  /** The id of a source file or a compiler-generated source. */
  readonly file: number
  /** Offset of the first byte in the source. */
  readonly start: number
  /** Number of bytes. */
  readonly length: number
}

export interface Instruction {
  /** Number of the instruction from 0. PUSH data is not counted. */
  readonly index: number
  readonly pc: number
  readonly opcode: number
  readonly jump: JumpKind
  /** The source range, which may be in a compiler-generated source; `undefined` if there is no source. */
  readonly range: SourceRange | undefined
}

/** The instructions of a contract's bytecode. Data after the code is decoded as instructions without a source. */
export class Instructions {
  readonly #pcs: readonly number[]
  /** Instruction index by pc; -1 in PUSH data. */
  readonly #indexes: Int32Array
  readonly #code: Uint8Array
  readonly map: SourceMap

  constructor(code: Uint8Array, map: SourceMap) {
    this.map = map
    this.#code = code
    this.#indexes = new Int32Array(code.length).fill(-1)
    const pcs: number[] = []
    for (let pc = 0; pc < code.length; pc += 1 + pushedBytes(code[pc]!)) {
      this.#indexes[pc] = pcs.length
      pcs.push(pc)
    }
    this.#pcs = pcs
  }

  get length(): number {
    return this.#pcs.length
  }

  /** Returns the index of the instruction at `pc`; -1 in PUSH data. */
  indexOf(pc: number): number {
    return this.#indexes[pc] ?? -1
  }

  at(pc: number): Instruction | undefined {
    const index = this.indexOf(pc)
    return index < 0 ? undefined : this.nth(index)
  }

  nth(index: number): Instruction {
    return {
      index,
      pc: this.#pcs[index]!,
      opcode: this.opcodeOf(index),
      jump: JUMP_KINDS[this.map.jumps[index] ?? 0]!,
      range: this.rangeOf(index),
    }
  }

  /** Returns the opcode of an instruction; beyond the code, STOP. */
  opcodeOf(index: number): number {
    return this.#code[this.#pcs[index] ?? -1] ?? OP.STOP
  }

  /** Returns the operand of a PUSH instruction, exact for operands of up to six bytes. */
  operandOf(index: number): number {
    const pc = this.#pcs[index]!
    return this.#code
      .subarray(pc + 1, pc + 1 + pushedBytes(this.#code[pc]!))
      .reduce((value, byte) => value * 256 + byte, 0)
  }

  byIndex(byPc: Float64Array): Float64Array {
    return Float64Array.from(this.#pcs, (pc) => byPc[pc] ?? 0)
  }

  rangeOf(index: number): SourceRange | undefined {
    const { length, files, starts, lengths } = this.map
    if (index >= length || files[index]! < 0) return undefined
    return { file: files[index]!, start: starts[index]!, length: lengths[index]! }
  }

  *[Symbol.iterator](): Generator<Instruction> {
    for (let index = 0; index < this.length; index++) yield this.nth(index)
  }
}

/** Returns the instructions of `bytecode`, decoded once. Addresses of unlinked libraries are zero. */
export const instructionsOf = oncePer(
  ({ object, sourceMap = '' }: SolcBytecode) => new Instructions(bytesOf(object), decodeSourceMap(sourceMap)),
)

/** Replaces placeholders of unlinked libraries, which are operands of PUSH, by zeros. */
function bytesOf(object: string): Uint8Array {
  const digits = object.startsWith('0x') ? object.slice(2) : object
  const bytes = new Uint8Array(digits.length >> 1)
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16) || 0
  }
  return bytes
}
