/** What this process asks other nodes, told to those who show it. */
import type { UpstreamFailureKind } from './upstreamFailed.ts'

/**
 * What became of requests to another node, which is named by its host, because URLs hold keys:
 *
 * - `begun`, `ended`: somebody waits for their answers, and no longer does.
 * - `delayed`: an attempt has failed, and there will be another one.
 * - `cached`: their answers were there from before.
 * - `kept`: their answers are kept, on the disk for the next run or in memory.
 */
export type Traffic =
  | { readonly kind: 'begun' | 'ended' | 'cached'; readonly node: string; readonly requests: number }
  | { readonly kind: 'delayed'; readonly node: string; readonly problem: UpstreamFailureKind }
  | {
      readonly kind: 'kept'
      readonly node: string
      readonly requests: number
      readonly isOnDisk: boolean
    }

const watchers = new Set<(traffic: Traffic) => void>()

/** Calls `watcher` with all traffic from now on. Returns a function that ends that. */
export function watchTraffic(watcher: (traffic: Traffic) => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Tells those who watch. */
export function tellTraffic(traffic: Traffic): void {
  for (const watcher of watchers) watcher(traffic)
}
