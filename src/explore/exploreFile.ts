/** Runs the explorations that a module exports, over worker threads. */
import { namesOf, requireKnown } from '../model/api/arguments.ts'
import type { Explored } from './exploreOptions.ts'
import type { Stories } from './stories/storyOptions.ts'
import type { ExploreFileOptions } from './workers/exported.ts'

const OPTIONS = namesOf<ExploreFileOptions>({
  depth: true,
  states: true,
  length: true,
  maxFaults: true,
  stories: true,
  story: true,
  seconds: true,
  seed: true,
  workers: true,
})

/**
 * Runs every exploration that a module exports, one after the other, and returns what each covered, by the name of its
 * export. Rejects with the first `RuleBroken` or `StoryFailed`. Worker threads import the module anew, through jiti, so
 * it must not import a test runner.
 */
export async function exploreFile(
  file: string | URL,
  options: ExploreFileOptions = {},
): Promise<Readonly<Record<string, Explored | Stories>>> {
  requireKnown('exploreFile', options, OPTIONS)
  const { workers = 1 } = options
  if (!Number.isSafeInteger(workers) || workers < 1) {
    throw new RangeError(`exploreFile: workers: expected a whole number of at least 1, got ${workers}`)
  }
  // Loaded on demand, because few tests use worker threads.
  const { explorationsOf } = await import('./workers/fileExplorations.ts')
  const results: Record<string, Explored | Stories> = {}
  for (const [name, explore] of await explorationsOf(file, options)) results[name] = await explore()
  return results
}
