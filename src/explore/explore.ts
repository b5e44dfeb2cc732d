/** Explores the orders of actions on contracts, and reports the shortest story that breaks a rule. */
import { namesOf, requireKnown } from '../model/api/arguments.ts'
import { attributed, callSite } from '../model/api/callSite.ts'
import type { Definition } from './definition.ts'
import type { Explored, ExploreOptions, Start, Values } from './exploreOptions.ts'
import type { Thread } from './pool.ts'

/** The options that limit an exploration. */
export type Limits = Pick<
  ExploreOptions<Values>,
  'depth' | 'states' | 'seconds' | 'length' | 'seed' | 'onProgress'
>

const LIMITS: readonly (keyof Limits)[] = ['depth', 'states', 'seconds', 'length', 'seed', 'onProgress']

/** An exploration of contracts. See `explore`. */
export type Exploration = Definition<Limits, Explored>

/** Returns an exploration. `preseal explore FILE` and `exploreFile` run every exploration that FILE exports. */
export function defineExploration<V extends Values>(
  start: Start<V>,
  options: ExploreOptions<NoInfer<V>>,
): Exploration {
  return {
    explore: (limits) => explored(start, { ...options, ...limits }),
    limits: LIMITS,
    exploreIn: (threads, limits) => explored(start, { ...options, ...limits }, threads),
    async player(limits) {
      const { sequencesOf } = await import('./exploration.ts')
      return sequencesOf(start, { ...options, ...limits })
    },
  }
}

const OPTIONS = namesOf<ExploreOptions<Values>>({
  actions: true,
  invariants: true,
  actors: true,
  depth: true,
  states: true,
  seconds: true,
  length: true,
  seed: true,
  onProgress: true,
  reusesRuns: true,
})

/**
 * Plays the actions in every order, and then in long random sequences, on the state that `start` builds. Rejects with
 * `RuleBroken` for the shortest story found that breaks an invariant, an assertion in Solidity, or `mustSucceed`.
 * Otherwise returns what was covered.
 */
export function explore<V extends Values>(
  start: Start<V>,
  options: ExploreOptions<NoInfer<V>>,
): Promise<Explored> {
  return attributed(callSite(explore), () => explored(start, options))
}

async function explored<V extends Values>(
  start: Start<V>,
  options: ExploreOptions<V>,
  threads: readonly Thread[] = [],
): Promise<Explored> {
  requireKnown('explore', options, OPTIONS)
  // Loaded on demand, because most test files explore nothing.
  const { exploration } = await import('./exploration.ts')
  return exploration(start, options, threads)
}
