/** Counters that change when the state at a moment may have changed, for views that load again. */
import { signal } from '@preact/signals'
import type { Moment } from '../moment.ts'
import { source } from '../source/source.ts'
import { onEvents } from './events.ts'

/** Limits updates of the views, however many slices a second has. */
const SHORTEST_GAP_MS = 250

const ofPending = signal(0)
const ofSealed = signal(0)
const ofHistory = signal(0)

let isFollowed = false
let isTold = true
let hasSealed = false
let hasReplaced = false

/**
 * Returns a number that changes when the state at `moment` may have changed: for `pending` with each slice, for other tags with each
 * block, for block numbers after a reorg. A component that reads it renders again.
 */
export function changesAt({ text, number }: Moment): number {
  follow()
  if (number !== undefined) return ofHistory.value
  return text === 'pending' ? ofPending.value : ofSealed.value
}

function follow(): void {
  if (isFollowed) return
  isFollowed = true
  let hasOpened = false
  onEvents((events) => {
    for (const { kind } of events) note(kind)
  })
  source().onState((state) => {
    // Events during a lost connection were missed.
    if (state === 'open' && hasOpened) note('restored')
    if (state === 'open') hasOpened = true
  })
}

function note(kind: string): void {
  if (!CHANGES.has(kind)) return
  hasReplaced ||= kind === 'reorged' || kind === 'restored'
  hasSealed ||= hasReplaced || kind === 'sealed' || kind === 'cheatsChanged'
  if (!isTold) return
  isTold = false
  setTimeout(tell, SHORTEST_GAP_MS)
}

function tell(): void {
  isTold = true
  ofPending.value++
  if (hasSealed) ofSealed.value++
  if (hasReplaced) ofHistory.value++
  hasSealed = false
  hasReplaced = false
}

const CHANGES: ReadonlySet<string> = new Set([
  'accepted',
  'dropped',
  'preconfirmed',
  'revealed',
  'sealed',
  'reorged',
  'restored',
  'cheatsChanged',
])
