/** A recorded call or creation of a known contract: its instructions with their source ranges. */

import { toDigits } from '../../bytes/hex.ts'
import { isCreation } from '../../engine/trace/operands.ts'
import type { Contract } from '../abi/contract.ts'
import { abiOf, bytecodeOf, type CompiledContract } from '../artifacts/compilation.ts'
import { isSameRange } from '../source/ast.ts'
import {
  type Instruction,
  type Instructions,
  instructionsOf,
  type SourceRange,
} from '../source/instructions.ts'
import {
  type SourceContract,
  type SourceFunction,
  type SourceModel,
  sourceModelOf,
} from '../source/sourceModel.ts'
import type { RecordedMessage } from './callRecorder.ts'

export class ContractRun {
  readonly message: RecordedMessage
  readonly contract: CompiledContract
  readonly model: SourceModel
  /** `undefined` if the compiler output contains no AST. */
  readonly source: SourceContract | undefined
  readonly instructions: Instructions
  readonly abi: Contract
  readonly isCreation: boolean
  readonly input: Uint8Array
  readonly output: Uint8Array
  /** The transferred wei. */
  readonly value: bigint
  /** The version of solc as a number: see `versionOf`. */
  readonly version: number
  /** Whether the optimizer may have merged instructions of different places. */
  readonly isOptimized: boolean
  /** Whether the contract was compiled via IR. Compiler-generated code then has the range of the whole contract. */
  readonly isYul: boolean
  readonly #functions = new Map<number, SourceFunction | undefined>()

  constructor(message: RecordedMessage, contract: CompiledContract) {
    const { input, solcVersion } = contract.compilation
    contract.compilation.reportMissing?.(contract)
    this.message = message
    this.contract = contract
    this.model = sourceModelOf(contract.compilation)
    this.source = this.model.contract(contract)
    this.abi = abiOf(contract)
    this.isCreation = isCreation(message.frame.kind)
    this.input = message.frame.input
    this.output = message.exit.output
    this.value = message.frame.value ?? 0n
    this.instructions = instructionsOf(bytecodeOf(contract, this.isCreation) ?? { object: '' })
    this.version = versionOf(solcVersion)
    const { optimizer, viaIR } = input.settings ?? {}
    this.isYul = viaIR === true
    this.isOptimized = optimizer?.enabled === true || this.isYul
  }

  get length(): number {
    return this.message.trail.length
  }

  get afterLastMessage(): number {
    return this.message.last?.at ?? 0
  }

  /** Returns the instruction of a step; negative numbers count from the end. */
  step(number: number): Instruction | undefined {
    const pc = this.message.trail.pc(number < 0 ? this.length + number : number)
    return pc === undefined ? undefined : this.instructions.at(pc)
  }

  get last(): Instruction | undefined {
    return this.step(-1)
  }

  /** Returns an instruction's source range; `undefined` for compiler-generated code. */
  rangeOf(instruction: Instruction | undefined): SourceRange | undefined {
    const range = instruction?.range
    if (range === undefined || this.model.file(range.file) === undefined) return undefined
    return this.isYul && this.functionOf(instruction) === undefined ? undefined : range
  }

  functionOf(instruction: Instruction | undefined): SourceFunction | undefined {
    if (instruction?.range === undefined) return undefined
    const { index } = instruction
    if (!this.#functions.has(index)) this.#functions.set(index, this.model.functionAt(instruction.range))
    return this.#functions.get(index)
  }

  /** Returns the number of the last step with a source range, if that step is after the last inner message. */
  lastWithRange(): number | undefined {
    for (let i = this.length - 1; i >= Math.max(this.afterLastMessage, this.message.trail.first); i--) {
      if (this.rangeOf(this.step(i)) !== undefined) return i
    }
    return undefined
  }

  /** Returns the last instruction whose function is known. */
  lastInFunction(): Instruction | undefined {
    for (let i = this.length - 1; i >= this.message.trail.first; i--) {
      const step = this.step(i)
      if (this.functionOf(step) !== undefined) return step
    }
    return undefined
  }

  /** Returns whether all steps from `number` on are in `range` or have no source. */
  staysIn(range: SourceRange, number: number): boolean {
    if (number < this.message.trail.first || number < this.afterLastMessage) return false
    for (let i = number; i < this.length; i++) {
      const other = this.rangeOf(this.step(i))
      if (other !== undefined && !isSameRange(other, range)) return false
    }
    return true
  }

  get lastCall(): Instruction | undefined {
    const { last } = this.message
    return last && this.step(last.at - 1)
  }

  get calledFunction(): SourceFunction | undefined {
    return this.source?.functionOf(toDigits(this.input.subarray(0, 4)))
  }

  /** The function that the calldata selects, including fallback and receive. */
  get entered(): SourceFunction | undefined {
    return this.source?.entered(this.input)
  }
}

/** Returns the version in a text such as `0.8.28` as a number for comparison; 0 for other texts. */
export function versionOf(text: string): number {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text) ?? []
  return patch === undefined ? 0 : (Number(major) * 1_000 + Number(minor)) * 1_000 + Number(patch)
}

/** The first version of solc whose failed checks panic. Code of older versions runs INVALID instead. */
export const WITH_PANICS = versionOf('0.8.0')
