/** Counters that change when the state at a moment may have changed, for views that load again. */
import { signal } from '@preact/signals'
import type { Moment } from '../moment.ts'
import { source } from '../source/source.ts'
import { onEvents, type PresealEvent } from './events.ts'

/** Limits updates of the views, however many slices a second has. */
const SHORTEST_GAP_MS = 250

/** The counters of the pending state, of the newest sealed state, and of earlier states. */
const COUNTERS = [signal(0), signal(0), signal(0)] as const

/** How many of the counters an event changes. */
const REACHES: Partial<Record<PresealEvent['kind'], number>> = {
  accepted: 1,
  dropped: 1,
  preconfirmed: 1,
  revealed: 1,
  sealed: 2,
  cheatsChanged: 2,
  reorged: 3,
  restored: 3,
}

let isFollowed = false
/** The number of counters that are about to change. */
let reach = 0

/**
 * Returns a number that changes when the state at `moment` may have changed: for `pending` with each slice, for other tags with each
 * block, for block numbers after a reorg. A component that reads it renders again.
 */
export function changesAt({ text, number }: Moment): number {
  follow()
  const [pending, sealed, past] = COUNTERS
  if (number !== undefined) return past.value
  return text === 'pending' ? pending.value : sealed.value
}

function follow(): void {
  if (isFollowed) return
  isFollowed = true
  let hasOpened = false
  onEvents((events) => {
    for (const { kind } of events) note(kind)
  })
  source().onState((state) => {
    if (state !== 'open') return
    // Events during a lost connection were missed.
    if (hasOpened) note('restored')
    hasOpened = true
  })
}

function note(kind: PresealEvent['kind']): void {
  const next = REACHES[kind] ?? 0
  if (reach === 0 && next > 0) setTimeout(tell, SHORTEST_GAP_MS)
  reach = Math.max(reach, next)
}

function tell(): void {
  for (const counter of COUNTERS.slice(0, reach)) counter.value++
  reach = 0
}
