/** Explores the orders of actions on contracts, and reports the shortest story that breaks a rule. */
import { namesOf, requireKnown } from '../model/api/arguments.ts'
import { attributed, callSite } from '../model/api/callSite.ts'
import type { Explored, ExploreOptions, Start, Values } from './exploreOptions.ts'

/** The options that limit an exploration. */
export type Limits = Pick<
  ExploreOptions<Values>,
  'depth' | 'states' | 'seconds' | 'length' | 'seed' | 'onProgress'
>

/** An exploration that tests run, and `preseal explore FILE`. */
export interface Exploration {
  /** Explores with these limits in place of those of the definition. See `explore`. */
  explore(limits?: Limits): Promise<Explored>
}

/** Returns an exploration. `preseal explore FILE` runs every exploration that FILE exports. */
export function defineExploration<V extends Values>(
  start: Start<V>,
  options: ExploreOptions<NoInfer<V>>,
): Exploration {
  return { explore: (limits = {}) => explore(start, { ...options, ...limits }) }
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
  return attributed(callSite(explore), async () => {
    requireKnown('explore', options, OPTIONS)
    // Loaded on demand, because most test files explore nothing.
    const { exploration } = await import('./exploration.ts')
    return exploration(start, options)
  })
}
