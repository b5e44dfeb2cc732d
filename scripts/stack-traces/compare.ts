import { toDigits } from '../../src/bytes/hex.ts'
import { isErrorString, revertReason } from '../../src/model/execution/revertReason.ts'
import type { FailureKind, SolidityFrame } from '../../src/solidity/stackTrace/format.ts'
import type { InferredStackTrace } from '../../src/solidity/stackTrace/stackTrace.ts'
import type { Definition, ExpectedFrame } from './cases.ts'
import type { Compiler } from './compilers.ts'
import type { Played } from './play.ts'

/** A difference of a case. A wrong line is worse than a missing one. */
export interface Difference {
  readonly what:
    | 'outcome'
    | 'frames'
    | 'kind'
    | 'message'
    | 'value'
    | 'function'
    | 'missing line'
    | 'wrong line'
    | 'console'
  readonly detail: string
}

export function differences(
  { transactions }: Definition,
  played: readonly Played[],
  compiler: Compiler,
): readonly Difference[] {
  return transactions.flatMap(({ stackTrace, consoleLogs }, i) => {
    const { outcome, trace, console } = played[i]!
    const differs = (what: Difference['what'], expected: unknown, came: unknown): Difference[] => [
      { what, detail: `transaction ${i}: expected ${expected}, got ${came}` },
    ]
    if ((stackTrace === undefined) !== (outcome.kind === 'success')) {
      return differs('outcome', stackTrace === undefined ? 'success' : 'a failure', outcome.kind)
    }
    if (stackTrace !== undefined) {
      if (trace === undefined) return differs('frames', 'a stack trace', 'none')
      const found = compared(trace, stackTrace, compiler)
      if (found.length > 0)
        return found.map(({ what, detail }) => ({ what, detail: `transaction ${i}: ${detail}` }))
    }
    const lines = consoleLogs?.map((values) => values.join(' '))
    const isSaid = lines === undefined || (outcome.kind !== 'success' && lines.length !== console.length)
    return isSaid || lines.join('\n').toLowerCase() === console.join('\n').toLowerCase()
      ? []
      : differs('console', lines.join(' / '), console.join(' / '))
  })
}

/** Hardhat's names of the kinds of failures. */
const TYPES: Readonly<Record<FailureKind, readonly string[]>> = {
  revert: ['REVERT_ERROR', 'UNMAPPED_SOLC_0_6_3_REVERT_ERROR'],
  invalidOpcode: ['REVERT_ERROR'],
  customError: ['CUSTOM_ERROR'],
  panic: ['PANIC_ERROR'],
  outOfGas: ['CONTRACT_CALL_RUN_OUT_OF_GAS_ERROR', 'OTHER_EXECUTION_ERROR'],
  functionNotPayable: ['FUNCTION_NOT_PAYABLE_ERROR'],
  invalidParams: ['INVALID_PARAMS_ERROR'],
  fallbackNotPayable: ['FALLBACK_NOT_PAYABLE_ERROR'],
  fallbackNotPayableAndNoReceive: ['FALLBACK_NOT_PAYABLE_AND_NO_RECEIVE_ERROR'],
  unrecognizedFunctionWithoutFallback: ['UNRECOGNIZED_FUNCTION_WITHOUT_FALLBACK_ERROR'],
  missingFallbackOrReceive: ['MISSING_FALLBACK_OR_RECEIVE_ERROR'],
  returnDataSize: ['RETURNDATA_SIZE_ERROR'],
  nonContractAccountCalled: ['NONCONTRACT_ACCOUNT_CALLED_ERROR'],
  callFailed: ['CALL_FAILED_ERROR'],
  directLibraryCall: ['DIRECT_LIBRARY_CALL_ERROR'],
  contractTooLarge: ['CONTRACT_TOO_LARGE_ERROR'],
  stackTooDeep: ['OTHER_EXECUTION_ERROR', 'CALL_FAILED_ERROR'],
  precompile: ['PRECOMPILE_ERROR'],
  unrecognizedContract: ['UNRECOGNIZED_CONTRACT_ERROR'],
  unrecognizedCreation: ['UNRECOGNIZED_CREATE_ERROR'],
  otherExecutionError: ['OTHER_EXECUTION_ERROR'],
}

/** Failures for which the sent ether is compared. */
const WITH_VALUE = /NOT_PAYABLE/

function compared(
  trace: InferredStackTrace,
  expected: readonly ExpectedFrame[],
  { mode }: Compiler,
): readonly Difference[] {
  const viaIR = mode !== 'plain'
  const frames = [...trace.frames].reverse()
  const failing = frames.pop()!
  const wanted = [...expected]
  const wantedFailing = wanted.pop()!
  const kinds = TYPES[trace.kind]
  const differs = (what: Difference['what'], want: unknown, came: unknown): Difference[] => [
    { what, detail: `expected ${want}, got ${came}\n${shown(trace)}` },
  ]
  if (!kinds.includes(wantedFailing.type)) {
    // As in Hardhat, any kind is accepted there.
    if (!viaIR || !(kinds.includes('REVERT_ERROR') || kinds.includes('OTHER_EXECUTION_ERROR'))) {
      return differs('kind', wantedFailing.type, trace.kind)
    }
  } else {
    const message = messageOf(trace)
    const wanted = wantedFailing.message ?? ''
    const isSame = message === (trace.kind === 'customError' ? plain(wanted) : wanted)
    if (!isSame && !wantedFailing.type.startsWith('UNMAPPED') && !viaIR) {
      return differs('message', wantedFailing.message, message)
    }
    if (WITH_VALUE.test(wantedFailing.type) && BigInt(wantedFailing.value ?? 0) !== trace.value) {
      return differs('value', wantedFailing.value, trace.value)
    }
    const { errorCode } = wantedFailing
    const code = toDigits(trace.returnData.subarray(4))
    if (errorCode !== undefined && BigInt(`0x${errorCode}`) !== BigInt(`0x${code}`)) {
      return differs('value', errorCode, toDigits(trace.returnData))
    }
  }
  const last = comparedFrame(failing, wantedFailing, viaIR)
  if (last !== undefined) return differs(...last)
  // Via IR functions are inlined, so only frames of unknown contracts are compared.
  const ours = viaIR ? frames.filter(isUnknown) : frames
  const theirs = viaIR ? wanted.filter(({ type }) => type !== 'CALLSTACK_ENTRY') : wanted
  const misplaced = viaIR ? frames.find((frame) => isMisplaced(frame, expected)) : undefined
  if (misplaced !== undefined) {
    return differs('wrong line', `another line of ${misplaced.function}`, misplaced.position?.line)
  }
  if (ours.length !== theirs.length) return differs('frames', `${theirs.length + 1} frames`, ours.length + 1)
  for (const [i, frame] of ours.entries()) {
    const different =
      viaIR && frame.address === undefined ? undefined : comparedFrame(frame, theirs[i]!, viaIR)
    if (different !== undefined) return differs(...different)
  }
  return []
}

/** Whether frames of that function are expected, but all in other lines. */
function isMisplaced(
  { function: name, position }: SolidityFrame,
  expected: readonly ExpectedFrame[],
): boolean {
  const same = expected.filter(({ sourceReference }) => sourceReference?.function === name)
  return (
    position !== undefined &&
    same.length > 0 &&
    same.every(({ sourceReference }) => sourceReference?.line !== position.line)
  )
}

function isUnknown({ contract, function: name }: SolidityFrame): boolean {
  return contract === undefined && name === undefined
}

function comparedFrame(
  frame: SolidityFrame,
  { sourceReference: source }: ExpectedFrame,
  viaIR: boolean,
): [Difference['what'], unknown, unknown] | undefined {
  const { contract, function: name, position } = frame
  if (source === undefined) {
    return isUnknown(frame) ? undefined : ['function', 'a contract that is not known', `${contract}.${name}`]
  }
  if (isUnknown(frame))
    return viaIR ? undefined : ['function', `${source.contract}.${source.function}`, 'none']
  // All contracts with the same code are named.
  const isNamed = contract === source.contract || contract?.split(' | ').includes(source.contract ?? '')
  if (!isNamed || name !== source.function) {
    return ['function', `${source.contract}.${source.function}`, `${contract}.${name}`]
  }
  if (position === undefined) return viaIR ? undefined : ['missing line', source.line, 'none']
  return position.line === source.line && position.file === source.file
    ? undefined
    : ['wrong line', `${source.file}:${source.line}`, `${position.file}:${position.line}`]
}

/** The message of Hardhat's cases: a reason, or a custom error without names of arguments. */
function messageOf({ kind, message, returnData }: InferredStackTrace): string {
  if (kind === 'customError') return plain(message)
  return isErrorString(returnData) ? (revertReason(returnData) ?? '') : ''
}

/** Without names of arguments, quotes and the kinds of brackets. */
function plain(message: string): string {
  return message.replace(/\w+: /g, '').replace(/["']/g, '').replace(/\(/g, '[').replace(/\)/g, ']')
}

function shown({ kind, message, frames }: InferredStackTrace): string {
  const lines = frames.map(
    ({ contract, function: name, position, address }) =>
      `      at ${contract ?? (name === undefined ? address : '')}.${name} (${position?.file}:${position?.line}:${position?.column})`,
  )
  return [`    ${kind}: ${message}`, ...lines].join('\n')
}
