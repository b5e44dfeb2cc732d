/** Solidity frames in the errors of failed assertions. */
import { withSolidityFrames } from '../../solidity/stackTrace/locatedError.ts'
import type { Verdict } from './verdict.ts'

/** Returns `error` with the Solidity frames that `where` finds above its own. */
export async function locatedBy<E extends Error>(where: Verdict['where'], error: E): Promise<E> {
  const stackTrace = await where?.()
  return stackTrace === undefined ? error : withSolidityFrames(error, stackTrace)
}
