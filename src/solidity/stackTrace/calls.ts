/** Failures at calls of other contracts: what was not begun, what is handed on, what is not of the right size. */

import { areEqual } from '../../bytes/bytes.ts'
import { TOO_DEEP } from '../../engine/trace/failures.ts'
import type { FindCode } from '../artifacts/compilation.ts'
import type { Instruction } from '../opcodes.ts'
import { DELEGATECALL, REVERT } from '../opcodes.ts'
import { fromFunction } from './beginnings.ts'
import { Decoded } from './decoded.ts'
import { type Entries, failure } from './entry.ts'
import type { RecordedMessage } from './recorder.ts'
import { atContract, atInstruction } from './where.ts'
import { isOutOfGas } from './words.ts'

/** A call that the EVM did not open: it was too deep, or there was not enough ether. */
export function refusedCall(decoded: Decoded, entries: Entries): Entries | undefined {
  const { refused } = decoded.message
  const call = refused && decoded.step(refused.at - 1)
  const range = decoded.rangeOf(call)
  if (refused === undefined || range === undefined || !decoded.staysIn(range, refused.at)) return undefined
  const kind = refused.exit.failure?.error === TOO_DEEP ? 'stackTooDeep' : 'callFailed'
  return fromFunction(decoded, [
    ...entries,
    failure(kind, decoded, atInstruction(decoded, call) ?? atContract(decoded)),
  ])
}

/** Returns whether the code reverted after a call, and did nothing in between that comes from elsewhere. */
export function failsRightAfter(decoded: Decoded, at: number, call: Instruction): boolean {
  if (decoded.last?.opcode !== REVERT) return false
  const range = decoded.rangeOf(call)
  return range !== undefined && decoded.staysIn(range, at)
}

/** Returns whether the code failed with what its call failed with. */
export function isHandedOn(
  decoded: Decoded,
  called: RecordedMessage,
  at: number,
  call: Instruction,
): boolean {
  if (!areEqual(decoded.output, called.exit.output)) return false
  if (isOutOfGas(decoded.message) && isOutOfGas(called)) return true
  return decoded.output.length > 0 || failsRightAfter(decoded, at, call)
}

/** Returns whether the code is that of a proxy, which fails with what its implementation failed with. */
export function isOfProxy(
  decoded: Decoded,
  called: RecordedMessage,
  call: Instruction,
  find: FindCode,
): boolean {
  if (decoded.isCreation || call.opcode !== DELEGATECALL || decoded.last?.opcode !== REVERT) return false
  if (!areEqual(decoded.output, called.exit.output)) return false
  const match = find(called.code, false)
  if (match?.kind !== 'contract' || new Decoded(called, match.contract).source?.kind === 'library')
    return false
  for (let i = decoded.afterLastMessage; i < decoded.length; i++) {
    const step = decoded.step(i)
    if (step === undefined || decoded.rangeOf(step) === undefined || step.jump !== 'other') return false
  }
  return true
}
