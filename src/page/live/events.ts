/** What happens on the chain (`eth_subscribe` of kind `presealEvents`): one subscription for all who listen. */
import { source } from '../source/index.ts'
import type { PresealEvent } from './presealEvent.ts'

type Tell = (events: readonly PresealEvent[]) => void

const listeners = new Set<Tell>()
let isFollowed = false

/** Calls `tell` with what happens from now on, some events at once. Returns a function that ends it. */
export function onEvents(tell: Tell): () => void {
  listeners.add(tell)
  if (!isFollowed) {
    isFollowed = true
    source().subscribe('presealEvents', [], (events: readonly PresealEvent[]) => {
      for (const listener of listeners) listener(events)
    })
  }
  return () => listeners.delete(tell)
}
