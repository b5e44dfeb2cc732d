/** Failures before a function of the contract began: they follow from what was sent, and from what the contract has. */

import { CODESIZE, REVERT } from '../opcodes.ts'
import { isSameRange } from '../source/ast.ts'
import type { Decoded } from './decoded.ts'
import { type Entry, failure } from './entry.ts'
import { versionOf } from './version.ts'
import { atConstructor, atContract, atStart } from './where.ts'

/** The first that have `receive`. */
const WITH_RECEIVE = versionOf('0.6.0')
/** The first whose constructors check their arguments. */
const WITH_CHECKED_ARGUMENTS = versionOf('0.5.9')

/** Returns the failure of a call that its contract refused; `undefined` where it failed in a function, or may have. */
export function failureBeforeCall(decoded: Decoded): Entry | undefined {
  const { source, message, calledFunction, value } = decoded
  if (source === undefined) return undefined
  if (message.depth === 0 && source.kind === 'library') {
    const where = calledFunction === undefined ? atContract(decoded) : atStart(decoded, calledFunction)
    return failure('directLibraryCall', decoded, where)
  }
  // What follows says nothing.
  if (decoded.output.length > 0 || message.exit.failure?.kind !== 'revert') return undefined
  if (calledFunction !== undefined) {
    const isRefused = value > 0n && source.kind !== 'library' && !calledFunction.isPayable
    return isRefused ? failure('functionNotPayable', decoded, atStart(decoded, calledFunction)) : undefined
  }
  const isEmpty = message.frame.input.length === 0
  if (isEmpty && source.receive !== undefined) return undefined
  const lacksReceive = isEmpty && decoded.version >= WITH_RECEIVE
  const { fallback } = source
  if (fallback === undefined) {
    const kind = lacksReceive ? 'missingFallbackOrReceive' : 'unrecognizedFunctionWithoutFallback'
    return failure(kind, decoded, atContract(decoded))
  }
  if (value === 0n || fallback.isPayable) return undefined
  const kind = lacksReceive ? 'fallbackNotPayableAndNoReceive' : 'fallbackNotPayable'
  return failure(kind, decoded, atStart(decoded, fallback))
}

/** Returns the failure of a creation before its constructor began; `undefined` where it began, or may have. */
export function failureBeforeCreation(decoded: Decoded): Entry | undefined {
  if (decoded.output.length > 0 || decoded.message.exit.failure?.kind !== 'revert') return undefined
  const own = decoded.source?.constructorFunction
  if (own === undefined) return undefined
  if (decoded.value > 0n && !own.isPayable) {
    return failure('functionNotPayable', decoded, atConstructor(decoded))
  }
  return areArgumentsInvalid(decoded) ? failure('invalidParams', decoded, atConstructor(decoded)) : undefined
}

/** Whether the code reverted, in code of the compiler, after it looked how long its arguments are, before anything else. */
function areArgumentsInvalid(decoded: Decoded): boolean {
  const { source, last, message, version } = decoded
  if (version < WITH_CHECKED_ARGUMENTS || message.last !== undefined || message.trail.first > 0) return false
  if (last?.opcode !== REVERT || decoded.rangeOf(last) !== undefined) return false
  let hasLooked = false
  for (let i = 0; i < decoded.length; i++) {
    const instruction = decoded.step(i)
    const range = decoded.rangeOf(instruction)
    if (range !== undefined && !isSameRange(range, source!.range)) {
      if (!isSameRange(range, source!.constructorFunction!.range)) return false
    }
    if (instruction?.opcode === CODESIZE) hasLooked = true
  }
  return hasLooked
}
