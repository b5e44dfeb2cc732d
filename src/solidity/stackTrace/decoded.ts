/** A recorded message whose contract is known: which instructions ran, and what they come from. */

import { toDigits } from '../../bytes/hex.ts'
import { isCreation } from '../../engine/trace/operands.ts'
import { bytecodeOf, type CompiledContract } from '../artifacts/compilation.ts'
import { type Instruction, type Instructions, instructionsOf, type SourceRange } from '../opcodes.ts'
import { isSameRange } from '../source/selectors.ts'
import {
  type SourceContract,
  type SourceFunction,
  type SourceModel,
  sourceModelOf,
} from '../source/sourceModel.ts'
import type { RecordedMessage } from './recorder.ts'
import { type Version, versionOf } from './version.ts'

/** A message and the contract whose code it ran. */
export class Decoded {
  readonly message: RecordedMessage
  readonly contract: CompiledContract
  readonly model: SourceModel
  /** `undefined` without a syntax tree. */
  readonly source: SourceContract | undefined
  readonly instructions: Instructions
  readonly isCreation: boolean
  readonly version: Version
  /** Whether the compiler may have moved instructions together that come from different places. */
  readonly isOptimized: boolean
  /** Whether it compiled by way of Yul: what it wrote itself comes from the contract as a whole. */
  readonly isYul: boolean
  /** The functions of instructions by their numbers, as far as they were asked for. */
  readonly #functions = new Map<number, SourceFunction | undefined>()

  constructor(message: RecordedMessage, contract: CompiledContract) {
    const { kind } = message.frame
    const { input, solcVersion } = contract.compilation
    this.message = message
    this.contract = contract
    this.model = sourceModelOf(contract.compilation)
    this.source = this.model.contract(contract)
    this.isCreation = isCreation(kind)
    this.instructions = instructionsOf(bytecodeOf(contract, this.isCreation) ?? { object: '' })
    this.version = versionOf(solcVersion)
    const { optimizer, viaIR } = input.settings ?? {}
    this.isYul = viaIR === true
    this.isOptimized = optimizer?.enabled === true || this.isYul
  }

  /** The number of steps. */
  get length(): number {
    return this.message.trail.length
  }

  /** The number of the first step that may be looked at: after the last message that was made. */
  get afterLastMessage(): number {
    return this.message.last?.at ?? 0
  }

  /** Returns the instruction of the step with that number; of negative numbers counted from the end. */
  step(number: number): Instruction | undefined {
    const pc = this.message.trail.pc(number < 0 ? this.length + number : number)
    return pc === undefined ? undefined : this.instructions.at(pc)
  }

  /** The last instruction; `undefined` if none ran. */
  get last(): Instruction | undefined {
    return this.step(-1)
  }

  /** Returns what an instruction comes from; `undefined` for what the compiler wrote itself. */
  rangeOf(instruction: Instruction | undefined): SourceRange | undefined {
    const range = instruction?.range
    if (range === undefined || this.model.file(range.file) === undefined) return undefined
    return this.isYul && this.functionOf(instruction) === undefined ? undefined : range
  }

  /** Returns the function, modifier or getter from which an instruction comes. */
  functionOf(instruction: Instruction | undefined): SourceFunction | undefined {
    if (instruction?.range === undefined) return undefined
    const { index } = instruction
    if (!this.#functions.has(index)) this.#functions.set(index, this.model.functionAt(instruction.range))
    return this.#functions.get(index)
  }

  /** Returns the number of the last step after the last message that comes from a source. */
  lastWithRange(): number | undefined {
    for (let i = this.length - 1; i >= Math.max(this.afterLastMessage, this.message.trail.first); i--) {
      if (this.rangeOf(this.step(i)) !== undefined) return i
    }
    return undefined
  }

  /** Returns the last instruction that comes from a function; `undefined` if none is known. */
  lastInFunction(): Instruction | undefined {
    for (let i = this.length - 1; i >= this.message.trail.first; i--) {
      const step = this.step(i)
      if (this.functionOf(step) !== undefined) return step
    }
    return undefined
  }

  /** Returns whether all steps from `number` on come from `range` or no source. */
  staysIn(range: SourceRange, number: number): boolean {
    if (number < this.message.trail.first || number < this.afterLastMessage) return false
    for (let i = number; i < this.length; i++) {
      const other = this.rangeOf(this.step(i))
      if (other !== undefined && !isSameRange(other, range)) return false
    }
    return true
  }

  /** The function that the call data name. */
  get calledFunction(): SourceFunction | undefined {
    return this.source?.functionOf(toDigits(this.message.frame.input.subarray(0, 4)))
  }

  /** In wei. */
  get value(): bigint {
    return this.message.frame.value ?? 0n
  }

  get output(): Uint8Array {
    return this.message.exit.output
  }
}
