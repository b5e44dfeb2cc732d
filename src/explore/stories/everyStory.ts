/** Plays stories of faults against an app, and reports the shortest in which the app fails. */
import { namesOf, requireKnown } from '../../model/api/arguments.ts'
import { attributed, callSite } from '../../model/api/callSite.ts'
import type { Definition } from '../definition.ts'
import type { Values } from '../exploreOptions.ts'
import type { Thread } from '../pool.ts'
import type { EveryStoryOptions, Stories, StoryStart } from './storyOptions.ts'

const OPTIONS = namesOf<EveryStoryOptions<Values, unknown>>({
  run: true,
  acts: true,
  holds: true,
  always: true,
  faults: true,
  maxFaults: true,
  ticks: true,
  stories: true,
  seconds: true,
  seed: true,
  onProgress: true,
  story: true,
  settle: true,
  advance: true,
})

/** The options that limit the stories. */
export type StoryLimits = Pick<
  EveryStoryOptions<Values, unknown>,
  'maxFaults' | 'stories' | 'seconds' | 'seed' | 'story' | 'onProgress'
>

const LIMITS: readonly (keyof StoryLimits)[] = [
  'maxFaults',
  'stories',
  'seconds',
  'seed',
  'story',
  'onProgress',
]

/** An exploration of an app. See `everyStory`. */
export type StoryExploration = Definition<StoryLimits, Stories>

/** Returns an exploration. `preseal explore FILE` and `exploreFile` run every exploration that FILE exports. */
export function defineStories<V extends Values, App>(
  start: StoryStart<V>,
  options: EveryStoryOptions<NoInfer<V>, App>,
): StoryExploration {
  return {
    explore: (limits) => everyStory(start, { ...options, ...limits }),
    limits: LIMITS,
    exploreIn: (threads, limits) => inTurn(start, { ...options, ...limits }, threads),
    async player(limits) {
      const { storiesOf } = await import('./playStories.ts')
      return storiesOf(start, { ...options, ...limits })
    },
  }
}

/**
 * Runs an app against every order of faults: which transactions a slice includes; lost, late and repeated slices;
 * drops; reorgs, also of an L1; withheld batches; stale and absent `pending`; slow, refused and lagging requests; cut
 * connections. Each story has a fork of its own. Rejects with `StoryFailed` for the shortest story found in which the
 * app fails. Otherwise returns what was covered. Only one exploration of a process runs at a time.
 */
export function everyStory<V extends Values, App>(
  start: StoryStart<V>,
  options: EveryStoryOptions<NoInfer<V>, App>,
): Promise<Stories> {
  return attributed(callSite(everyStory), () => inTurn(start, options))
}

/** Resolves when the last exploration has ended. */
let last: Promise<unknown> = Promise.resolve()

async function inTurn<V extends Values, App>(
  start: StoryStart<V>,
  options: EveryStoryOptions<V, App>,
  threads: readonly Thread[] = [],
): Promise<Stories> {
  requireKnown('everyStory', options, OPTIONS)
  const before = last
  // Loaded on demand, because most test files play no stories.
  const { playStories } = await import('./playStories.ts')
  const playing = before.then(() => playStories(start, options, threads))
  last = playing.then(
    () => {},
    () => {},
  )
  return playing
}
