/** The source positions of calls. */

import { toDigits } from '../../bytes/hex.ts'
import type { CallPosition } from '../../model/execution/trace.ts'
import { bytecodeOf, type CompiledContract, type FindCode } from '../artifacts/compilation.ts'
import type { SourcePosition } from '../stackTrace/format.ts'
import { instructionsOf, type SourceRange } from './instructions.ts'
import { type SourceContract, type SourceModel, sourceModelOf } from './sourceModel.ts'

/**
 * Returns the position of a call in its caller's source; for a transaction's call, the entered function.
 * `undefined` for unknown or ambiguous code, and for instructions without a source.
 */
export function callPosition(
  { code, isCreation, pc }: CallPosition,
  input: Uint8Array,
  find: FindCode,
): SourcePosition | undefined {
  const match = find(code, isCreation)
  if (match?.kind !== 'contract') return undefined
  const { contract } = match
  const model = sourceModelOf(contract.compilation)
  const range =
    pc === undefined
      ? entered(model.contract(contract), input, isCreation)
      : rangeAt(contract, isCreation, pc)
  return range && positionOf(model, range)
}

function rangeAt(contract: CompiledContract, isCreation: boolean, pc: number): SourceRange | undefined {
  const bytecode = bytecodeOf(contract, isCreation)
  return bytecode && instructionsOf(bytecode).at(pc)?.range
}

/** Returns the range of the entered function, or of the contract. */
function entered(
  source: SourceContract | undefined,
  input: Uint8Array,
  isCreation: boolean,
): SourceRange | undefined {
  if (source === undefined) return undefined
  if (isCreation) return (source.constructorFunction ?? source).range
  const named = input.length < 4 ? undefined : source.functionOf(toDigits(input.subarray(0, 4)))
  const nameless = input.length === 0 ? (source.receive ?? source.fallback) : source.fallback
  return (named ?? nameless ?? source).range
}

/** Compiler-generated sources are not files. */
function positionOf(model: SourceModel, { file, start }: SourceRange): SourcePosition | undefined {
  const source = model.file(file)
  const place = source?.lines?.at(start)
  return place && { file: source!.path, ...place }
}
