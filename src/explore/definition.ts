/** Explorations that a module exports: for tests, for `preseal explore FILE` and for worker threads. */
import type { Play, Thread } from './pool.ts'

export interface Definition<Limits, Result> {
  /** Explores with these limits in place of those of the definition. */
  explore(limits?: Limits): Promise<Result>
  /** @internal The names of the limits. */
  readonly limits: readonly string[]
  /** @internal Explores with worker threads, which play a part of the search. */
  exploreIn(threads: readonly Thread[], limits: Limits): Promise<Result>
  /** @internal Returns the player of a worker thread. */
  player(limits: Limits): Promise<Play>
}
