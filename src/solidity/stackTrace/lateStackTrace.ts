/** A stack trace that is found when somebody asks for it: most errors that tests expect are never looked into. */
import type { SolidityStackTrace } from './stackTrace.ts'

/** Where in Solidity code failed. Whichever member is called first finds it; the other returns the same then. */
export interface LateStackTrace {
  /** Returns it, found in one piece; `undefined` where it cannot be told. */
  now(): SolidityStackTrace | undefined
  /** Resolves to it, found as a part of the request's work: with its pauses and its time limit. */
  soon(): Promise<SolidityStackTrace | undefined>
}

/** Returns a stack trace that is known already. */
export function knownStackTrace(stackTrace: SolidityStackTrace): LateStackTrace {
  return { now: () => stackTrace, soon: async () => stackTrace }
}
