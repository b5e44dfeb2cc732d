/**
 * Since solc 0.6.9 what the compiler adds comes from the source for which it adds it. A revert without data may therefore be one
 * that nobody wrote: which, its last steps tell.
 */

import { CALLDATASIZE, CODECOPY, CODESIZE, DUP1, EXTCODESIZE, ISZERO, LT } from '../opcodes.ts'
import type { Decoded } from './decoded.ts'
import type { Entry } from './entry.ts'
import type { FailureKind } from './stackTrace.ts'
import { versionOf } from './version.ts'

const FIRST = versionOf('0.6.9')

/** Returns the entries with a more exact failure, where there is one. */
export function adjusted(decoded: Decoded, entries: readonly Entry[]): readonly Entry[] {
  const last = entries.at(-1)
  if (last?.kind !== 'revert' || last.message !== decoded.message) return entries
  if (decoded.output.length > 0 || decoded.version < FIRST) return entries
  const kind = addedBy(decoded)
  return kind === undefined ? entries : [...entries.slice(0, -1), { ...last, kind }]
}

function addedBy(decoded: Decoded): FailureKind | undefined {
  if (ran(decoded, -9, [EXTCODESIZE, ISZERO, DUP1, ISZERO])) return 'nonContractAccountCalled'
  const isLess = ran(decoded, -7, [LT, ISZERO])
  if (isLess && ran(decoded, -20, [CODESIZE]) && ran(decoded, -15, [CODECOPY])) return 'invalidParams'
  return isLess && ran(decoded, -11, [CALLDATASIZE]) ? 'invalidParams' : undefined
}

/** Returns whether the steps from `first` on, counted from the end, are these. */
function ran(decoded: Decoded, first: number, opcodes: readonly number[]): boolean {
  if (decoded.length + first < decoded.afterLastMessage) return false
  return opcodes.every((opcode, i) => decoded.step(first + i)?.opcode === opcode)
}
