/** What was read of artifacts, and what could not be. */
import type { KnownContract } from './knownContract.ts'
import type { Run } from './run.ts'

/** What is said of a run of which names and ABIs only can be used. */
export function namesOnlyProblem({ namesOnly, contracts }: Run): readonly string[] {
  if (namesOnly === undefined) return []
  const [first, ...others] = new Set(contracts.map(({ sourceName }) => sourceName))
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return [`only names and ABIs are known of ${first}${more}: ${namesOnly}`]
}

/** What was read of one place. */
export interface Reading {
  /** The newest first. */
  readonly contracts: readonly KnownContract[]
  /** What could not be read, or not whole: a sentence each, which begins with the path. */
  readonly problems: readonly string[]
}
