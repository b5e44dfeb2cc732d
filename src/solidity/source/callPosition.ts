/** The source positions of calls. */

import type { CallPosition } from '../../model/execution/trace.ts'
import { bytecodeOf, type CompiledContract, type FindCode } from '../artifacts/compilation.ts'
import type { SourcePosition } from '../stackTrace/format.ts'
import { instructionsOf, type SourceRange } from './instructions.ts'
import { type SourceContract, sourceModelOf } from './sourceModel.ts'

/** Returns a call's position in its caller's source; for a transaction's call, the entered function's. */
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
      ? enteredIn(model.contract(contract), input, isCreation)
      : rangeAt(contract, isCreation, pc)
  // Compiler-generated sources are not files.
  return range && model.file(range.file)?.positionAt(range.start)
}

function rangeAt(contract: CompiledContract, isCreation: boolean, pc: number): SourceRange | undefined {
  const bytecode = bytecodeOf(contract, isCreation)
  return bytecode && instructionsOf(bytecode).at(pc)?.range
}

/** Returns the range of the entered function, or of the contract. */
function enteredIn(source: SourceContract | undefined, input: Uint8Array, isCreation: boolean) {
  const one = isCreation ? source?.constructorFunction : source?.entered(input)
  return (one ?? source)?.range
}
