/** Where entries of a stack trace are: at an instruction, or at the beginning of a function or contract. */
import type { Instruction, SourceRange } from '../opcodes.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import type { Decoded } from './decoded.ts'
import { nameOf, type Place, type Where } from './entry.ts'

/** Returns where an instruction is; `undefined` where it comes from no function. Without a syntax tree functions are not known. */
export function atInstruction(decoded: Decoded, instruction: Instruction | undefined): Where | undefined {
  const range = decoded.rangeOf(instruction)
  if (range !== undefined && decoded.source === undefined && !decoded.isOptimized) {
    return { place: placeOf(decoded, range), function: undefined, functionKind: undefined }
  }
  const one = range && decoded.functionOf(instruction)
  return one && { place: placeOf(decoded, range), function: nameOf(one), functionKind: one.kind }
}

/** Returns the beginning of a function. */
export function atStart(decoded: Decoded, one: SourceFunction): Where {
  return { place: placeOf(decoded, one.range), function: nameOf(one), functionKind: one.kind }
}

/** Returns a place in a function, or the function without a place. */
export function atRange(decoded: Decoded, one: SourceFunction, range: SourceRange | undefined): Where {
  return { ...named(atStart(decoded, one)), place: range && placeOf(decoded, range) }
}

/** Returns the function without the place. */
export function named({ function: name, functionKind, place, file = place?.file }: Where): Where {
  return { place: undefined, function: name, functionKind, file }
}

/** Returns the beginning of the contract, in no function of it. */
export function atContract(decoded: Decoded): Where {
  const { source } = decoded
  return { place: source && placeOf(decoded, source.range), function: undefined, functionKind: undefined }
}

/** Returns the constructor, or the contract where it has none. */
export function atConstructor(decoded: Decoded): Where {
  const { source } = decoded
  const place = source && placeOf(decoded, source.range)
  const own = source?.constructorFunction
  const shown = own && placeOf(decoded, own.range)
  return { place, shown, function: 'constructor', functionKind: 'constructor' }
}

/** Returns where the last step was that comes from a function. */
export function atLast(decoded: Decoded): Where | undefined {
  return atInstruction(decoded, decoded.lastInFunction())
}

function placeOf(decoded: Decoded, range: SourceRange): Place | undefined {
  const file = decoded.model.file(range.file)
  return file && { file, range }
}
