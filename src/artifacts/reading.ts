/** What was read of artifacts, and what could not be. */
import type { KnownContract } from './knownContract.ts'

/** What was read of one place. */
export interface Reading {
  /** The newest first. */
  readonly contracts: readonly KnownContract[]
  /** What could not be read, or not whole: a sentence each, which begins with the path. */
  readonly problems: readonly string[]
}
