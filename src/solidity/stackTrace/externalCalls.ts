/** Failures at external calls: refused, passed on, to an account without code, with wrong return data. */

import { areEqual } from '../../bytes/bytes.ts'
import { TOO_DEEP } from '../../engine/trace/failures.ts'
import { OP } from '../../model/opcodes.ts'
import type { FindCode } from '../artifacts/compilation.ts'
import type { RecordedMessage } from './callRecorder.ts'
import { ContractRun } from './contractRun.ts'
import { atContract, atInstruction, type Entries, failure, withModifiedFunction } from './entries.ts'
import { isOutOfGas } from './reverts.ts'

/** A call that the EVM refused: too deep, or with too little balance. */
export function refusedCall(run: ContractRun, entries: Entries): Entries | undefined {
  const { refused } = run.message
  const call = refused && run.step(refused.at - 1)
  const range = run.rangeOf(call)
  if (refused === undefined || range === undefined || !run.staysIn(range, refused.at)) return undefined
  const kind = refused.exit.failure?.error === TOO_DEEP ? 'stackTooDeep' : 'callFailed'
  return withModifiedFunction(run, [
    ...entries,
    failure(kind, run, atInstruction(run, call) ?? atContract(run)),
  ])
}

/** Returns whether the code reverted after its last call with nothing in between from another source range. */
export function failsRightAfterCall(run: ContractRun): boolean {
  const range = run.rangeOf(run.lastCall)
  return run.last?.opcode === OP.REVERT && range !== undefined && run.staysIn(range, run.afterLastMessage)
}

/** Returns whether the code failed with the same data as its last call. */
export function isPassedOn(run: ContractRun, called: RecordedMessage): boolean {
  if (!areEqual(run.output, called.exit.output)) return false
  if (isOutOfGas(run.message) && isOutOfGas(called)) return true
  return run.output.length > 0 || failsRightAfterCall(run)
}

/** Returns whether the code is a proxy that passes on its implementation's failure. */
export function isProxyRevert(run: ContractRun, called: RecordedMessage, find: FindCode): boolean {
  if (run.isCreation || run.lastCall?.opcode !== OP.DELEGATECALL || run.last?.opcode !== OP.REVERT)
    return false
  if (!areEqual(run.output, called.exit.output)) return false
  const match = find(called.code, false)
  if (match?.kind !== 'contract' || new ContractRun(called, match.contract).source?.isLibrary) return false
  for (let i = run.afterLastMessage; i < run.length; i++) {
    const step = run.step(i)
    if (step === undefined || run.rangeOf(step) === undefined || step.jump !== 'other') return false
  }
  return true
}

/** A call to an account without code: solc checks EXTCODESIZE before it calls. */
export function emptyAccount(run: ContractRun, entries: Entries): Entries | undefined {
  const number = run.lastWithRange()
  if (number === undefined || number === 0) return undefined
  const isLookedFor =
    run.step(number)?.opcode === OP.ISZERO && run.step(number - 1)?.opcode === OP.EXTCODESIZE
  if (!isLookedFor) return undefined
  const location = atInstruction(run, run.step(number)) ?? atContract(run)
  return [...entries, failure('nonContractAccountCalled', run, location)]
}
