import { signal } from '@preact/signals'
import type { Moment } from '../moment.ts'
import { source } from '../source/source.ts'
import { onEvents, type PresealEvent } from './events.ts'

/** Minimum time between two updates of the views. */
const SHORTEST_GAP_MS = 250

/** Counters of changes: of the pending state, of the newest sealed state, and of earlier states. */
const COUNTERS = [signal(0), signal(0), signal(0)] as const

/** The number of `COUNTERS`, from the first on, that an event of each kind increments. */
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
/** The number of `COUNTERS`, from the first on, that the next update increments. */
let reach = 0

/**
 * Returns a number that changes when the state at `moment` may have changed: for `pending` with each event in
 * `REACHES`, for other tags with each block or cheat, for block numbers after a reorg. Then the caller renders again.
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
  source().state.subscribe((state) => {
    if (state !== 'open') return
    // Events may have been missed while the connection was lost.
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
