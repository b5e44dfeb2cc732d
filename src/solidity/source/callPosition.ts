/** Where calls stand in source files. */

import { toDigits } from '../../bytes/hex.ts'
import type { CallSite } from '../../model/execution/trace.ts'
import { bytecodeOf, type CompiledContract, type FindCode } from '../artifacts/compilation.ts'
import { instructionsOf, type SourceRange } from '../opcodes.ts'
import type { SourcePosition } from '../stackTrace/format.ts'
import { type SourceContract, type SourceModel, sourceModelOf } from './sourceModel.ts'

/**
 * Returns where a call was made in the source of its caller; for one that no code made the function that it enters.
 * `undefined` if the code is that of no known contract, or of several, or comes from no source there.
 */
export function callPosition(
  { code, isCreation, pc }: CallSite,
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

/** Returns the function that a call with `input` enters, or the contract where it has none. */
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

/** Texts that the code generator wrote are no files. */
function positionOf(model: SourceModel, { file, start }: SourceRange): SourcePosition | undefined {
  const source = model.file(file)
  const place = source?.lines?.at(start)
  return place && { file: source!.path, ...place }
}
