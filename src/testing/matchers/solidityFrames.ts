/** Solidity frames as lines of the error of a failed assertion. */
import type { Verdict } from './verdict.ts'

/** Returns the lines, without `at`, of the stack trace that `where` finds. */
export async function solidityFrames(where: Verdict['where']): Promise<readonly string[]> {
  const stackTrace = await where?.()
  if (stackTrace === undefined) return []
  const { frameText } = await import('../../index.ts')
  return stackTrace.frames.map(frameText)
}
