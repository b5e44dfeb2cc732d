/** Counts the hits of source ranges in one bytecode: the maximum, if several instruction sequences have one range. */

import { grouped } from '../../model/collections/grouped.ts'
import { OP } from '../../model/opcodes.ts'
import type { Instructions, SourceRange } from '../source/instructions.ts'
import type { SourceMap } from '../source/sourceMap.ts'

/** Number of executions; `undefined` for a range without instructions. */
export type Hits = number | undefined

const INTO = 1

/** Maximum number of instructions to follow after a jump. */
const MOST_FOLLOWED = 200

export interface ConditionalJump {
  /** Index of the instruction that pushes the jump's target. */
  readonly push: number
  readonly taken: JumpOutcome
  readonly next: JumpOutcome
}

export interface JumpOutcome {
  readonly hits: number
  /** Index of the instruction that runs next; -1 if unknown. */
  readonly to: number
}

/** Returns the hits of a contract's code by source id. `hits` has the number of executions by pc. */
export function measuredFiles(instructions: Instructions, hits: Float64Array): Map<number, MeasuredFile> {
  const { files, length } = instructions.map
  const mapped = Array.from({ length: Math.min(length, instructions.length) }, (_, index) => index)
  const byFile = grouped(mapped, (index) => files[index]!)
  byFile.delete(-1)
  const byIndex = instructions.byIndex(hits)
  return new Map(
    [...byFile].map(([file, indexes]) => [file, new MeasuredFile(instructions, byIndex, file, indexes)]),
  )
}

/** The hits of one contract's code in one source file. The methods ignore the file ids of the ranges they receive. */
export class MeasuredFile {
  readonly #code: Instructions
  readonly #map: SourceMap
  readonly #hits: Float64Array
  readonly #file: number
  /** Indexes of the file's instructions, sorted by their ranges. */
  readonly #indexes: Int32Array

  constructor(code: Instructions, hits: Float64Array, file: number, indexes: readonly number[]) {
    const { starts } = code.map
    this.#code = code
    this.#map = code.map
    this.#hits = hits
    this.#file = file
    this.#indexes = Int32Array.from(indexes).sort((a, b) => starts[a]! - starts[b]! || a - b)
  }

  hitsIn(range: SourceRange): Hits {
    return this.#mostOf(this.#within(range))
  }

  /** Returns the hits of instructions with exactly this range. */
  hitsOfWhole(range: SourceRange): Hits {
    return this.#mostOf(this.#of(range))
  }

  /** Returns the hits of a function's entry: a JUMPDEST with its range, before an instruction with another range. */
  hitsOfEntry(range: SourceRange): Hits {
    const { starts, lengths, files } = this.#map
    const entries = this.#of(range).filter((index) => {
      const next = index + 1
      if (this.#code.opcodeOf(index) !== OP.JUMPDEST) return false
      return files[next] !== this.#file || starts[next] !== range.start || lengths[next] !== range.length
    })
    return this.#mostOf(entries)
  }

  /** Returns the hits of the most executed sequence, at its first executed instruction: later instructions may loop. */
  #mostOf(indexes: readonly number[]): Hits {
    if (indexes.length === 0) return undefined
    let most = 0
    let ofPiece = 0
    let last = -2
    for (const index of indexes) {
      if (index !== last + 1) ofPiece = 0
      if (ofPiece === 0) ofPiece = this.#hits[index]!
      if (ofPiece > most) most = ofPiece
      last = index
    }
    return most
  }

  /** Returns the instructions within `range`, in the order of the code. */
  #within({ start, length }: SourceRange): number[] {
    const { starts, lengths } = this.#map
    const found: number[] = []
    const indexes = this.#indexes
    for (let i = this.#firstFrom(start); i < indexes.length; i++) {
      const index = indexes[i]!
      if (starts[index]! >= start + length) break
      if (starts[index]! + lengths[index]! <= start + length && !this.#isPushedFor(index)) found.push(index)
    }
    return found.sort((a, b) => a - b)
  }

  /** Returns whether the instruction pushes the target of a JUMPI that belongs to another source range. */
  #isPushedFor(index: number): boolean {
    const { files, starts, lengths } = this.#map
    const next = index + 1
    return (
      this.#code.opcodeOf(next) === OP.JUMPI &&
      (files[next] !== files[index] || starts[next] !== starts[index] || lengths[next] !== lengths[index])
    )
  }

  #of(range: SourceRange): number[] {
    const { starts, lengths } = this.#map
    return this.#within(range).filter(
      (index) => starts[index] === range.start && lengths[index] === range.length,
    )
  }

  #firstFrom(start: number): number {
    const indexes = this.#indexes
    const { starts } = this.#map
    let low = 0
    let high = indexes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[indexes[middle]!]! < start) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the outcomes of conditional jumps with exactly this range. */
  conditionalJumpsAt(range: SourceRange): ConditionalJump[] {
    return this.#of(range).flatMap((index) => {
      if (this.#code.opcodeOf(index) !== OP.JUMPI || index + 1 >= this.#code.length) return []
      const to = this.#pushedTarget(index)
      const next = index + 1
      const isShared = this.#code.opcodeOf(next) === OP.JUMPDEST
      const all = this.#hits[index]!
      // The instruction after the JUMPI runs only if the jump is not taken, unless that instruction is a JUMPDEST.
      const behind = isShared ? all - Math.min(all, to < 0 ? 0 : this.#hits[to]!) : this.#hits[next]!
      return [{ push: index - 1, taken: { hits: all - behind, to }, next: { hits: behind, to: next } }]
    })
  }

  /** Returns how often calls in `range` began and returned. */
  callsFrom(range: SourceRange): { readonly begun: number; readonly ended: number }[] {
    const { jumps } = this.#map
    return this.#of(range).flatMap((index) => {
      if (this.#code.opcodeOf(index) !== OP.JUMP || jumps[index] !== INTO) return []
      if (this.#code.opcodeOf(index + 1) !== OP.JUMPDEST) return []
      return [{ begun: this.#hits[index]!, ended: this.#hits[index + 1]! }]
    })
  }

  /** Returns whether code from instruction `from` on fails before it branches. */
  fails(from: number): boolean {
    return this.#reaches(from, (index) => FAILURES.has(this.#code.opcodeOf(index)))
  }

  /** Returns whether code from instruction `from` on reaches `range` before it branches. */
  leadsInto(from: number, range: SourceRange): boolean {
    return this.#reaches(from, (index) => this.comesFrom(index, range))
  }

  comesFrom(index: number, { start, length: size }: SourceRange): boolean {
    const { files, starts, lengths, length } = this.#map
    return (
      index < length &&
      files[index] === this.#file &&
      starts[index]! >= start &&
      starts[index]! + lengths[index]! <= start + size
    )
  }

  /** Returns whether code from `from` on reaches an instruction with `fits(index)` before the code branches or ends. */
  #reaches(from: number, fits: (index: number) => boolean): boolean {
    let index = from
    for (let i = 0; i < MOST_FOLLOWED && index >= 0 && index < this.#code.length; i++) {
      if (fits(index)) return true
      const opcode = this.#code.opcodeOf(index)
      if (BRANCHES_AND_ENDS.has(opcode)) return false
      index = opcode === OP.JUMP ? this.#after(index) : index + 1
    }
    return false
  }

  /** Returns the index of a jump's target or, for a function call, of the JUMPDEST to return to; -1 if unknown. */
  #after(index: number): number {
    if (this.#map.jumps[index] !== INTO) return this.#pushedTarget(index)
    return this.#code.opcodeOf(index + 1) === OP.JUMPDEST ? index + 1 : -1
  }

  /** Returns the index of the target pushed before the jump `index`; -1 if the instruction before is no PUSH. */
  #pushedTarget(index: number): number {
    const opcode = this.#code.opcodeOf(index - 1)
    if (opcode <= OP.PUSH0 || opcode > OP.PUSH4) return -1
    return this.#code.indexOf(this.#code.operandOf(index - 1))
  }
}

const FAILURES: ReadonlySet<number> = new Set([OP.REVERT, OP.INVALID])

const BRANCHES_AND_ENDS: ReadonlySet<number> = new Set([OP.JUMPI, OP.STOP, OP.RETURN, OP.SELFDESTRUCT])
