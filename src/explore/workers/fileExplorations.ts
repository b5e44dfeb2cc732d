/** Explorations of a module, with worker threads. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Explored } from '../exploreOptions.ts'
import type { Stories } from '../stories/storyOptions.ts'
import { type ExploreFileOptions, explorationsIn } from './exported.ts'
import { withThreads } from './threads.ts'

/** Runs an exploration. `onProgress` is called with the numbers so far. */
export type Explore = (onProgress?: (covered: object) => void) => Promise<Explored | Stories>

/** Returns the explorations that a module exports, by name. Throws `FileFailed`. */
export async function explorationsOf(
  file: string | URL,
  { workers = 1, ...limits }: ExploreFileOptions,
): Promise<ReadonlyMap<string, Explore>> {
  const path = typeof file === 'string' ? file : fileURLToPath(file)
  const found = await explorationsIn(path)
  return new Map(
    [...found].map(([name, exploration]) => {
      const own = Object.fromEntries(
        Object.entries(limits).filter(([limit]) => exploration.limits.includes(limit)),
      )
      const explore: Explore = (onProgress) =>
        withThreads(workers - 1, { file: resolve(path), name, limits: own }, (threads) =>
          exploration.exploreIn(threads, { ...own, ...(onProgress && { onProgress }) }),
        )
      return [name, explore] as const
    }),
  )
}
