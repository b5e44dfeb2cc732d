/** Failures that code did not mean: gas that was used up, stacks that were full, code that is too large. */
import {
  CODE_TOO_LARGE,
  DEPOSIT_OUT_OF_GAS,
  GAS_OVERFLOW,
  invalidOpcode,
  OUT_OF_GAS,
  STACK_OVERFLOW,
} from '../../engine/trace/failures.ts'
import { INVALID } from '../opcodes.ts'
import { fromFunction, placed } from './beginnings.ts'
import type { Decoded } from './decoded.ts'
import { type Entries, failure } from './entry.ts'
import type { InternalCalls } from './internalCalls.ts'
import type { RecordedMessage } from './recorder.ts'
import type { FailureKind } from './stackTrace.ts'
import { atConstructor, named } from './where.ts'

const HALTS: Readonly<Record<string, FailureKind>> = {
  [OUT_OF_GAS]: 'outOfGas',
  [GAS_OVERFLOW]: 'outOfGas',
  [DEPOSIT_OUT_OF_GAS]: 'outOfGas',
  [STACK_OVERFLOW]: 'stackTooDeep',
  [CODE_TOO_LARGE]: 'contractTooLarge',
}

/** Returns whether a message failed because its gas was used up. */
export function isOutOfGas({ exit }: RecordedMessage): boolean {
  return exit.failure !== undefined && HALTS[exit.failure.error] === 'outOfGas'
}

/** The kind of a failure that the code did not mean; `undefined` for a revert. */
export function kindOfHalt({ exit: { failure: why }, trail }: RecordedMessage): FailureKind | undefined {
  if (why?.kind !== 'halt') return undefined
  if (why.error === invalidOpcode(trail.lastOpcode)) return 'invalidOpcode'
  return HALTS[why.error] ?? 'otherExecutionError'
}

/** A failure that the code did not mean, other than by the instruction that solc means to be invalid. */
export function halted(decoded: Decoded, calls: InternalCalls): Entries | undefined {
  const kind = kindOfHalt(decoded.message)
  if (kind === undefined || decoded.last?.opcode === INVALID) return undefined
  if (kind === 'contractTooLarge') return [failure(kind, decoded, atConstructor(decoded))]
  const where = placed(decoded, decoded.last, calls)
  return fromFunction(decoded, [
    ...calls.entries,
    failure(kind, decoded, decoded.isOptimized ? named(where) : where),
  ])
}
