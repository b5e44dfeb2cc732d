/** Collects which code the devnets of this process run: what coverage of Solidity is made of. */

import { observeDevnets } from '../devnet/events.ts'
import { collectHits, hitCollector, reportHits } from '../engine/hits.ts'
import type { Artifacts } from '../solidity/artifacts/artifacts.ts'
import { type CodeHits, CollectedCode } from '../solidity/coverage/codeHits.ts'

/** What ran, and where its artifacts may be. */
export interface CollectedRun {
  readonly codes: readonly CodeHits[]
  /** The paths that devnets were given as artifacts. */
  readonly artifacts: readonly string[]
}

/** A collection that has begun. */
export interface Collection {
  /** Returns what ran so far. */
  ran(): CollectedRun
  /** Ends it: what runs later is not collected. */
  end(): void
}

/** Begins to collect. Who began last in this process collects alone. */
export function collectRun(): Collection {
  const collected = new CollectedCode()
  const known = new Set<Artifacts>()
  collectHits(collected)
  const endObserving = observeDevnets(({ artifacts }) => {
    known.add(artifacts)
    return () => {}
  })
  return {
    ran() {
      reportHits()
      const paths = [...known].flatMap(({ folders = [] }) => folders)
      return { codes: collected.hits(), artifacts: [...new Set(paths)] }
    },
    end() {
      endObserving()
      if (hitCollector() === collected) collectHits(undefined)
    },
  }
}
