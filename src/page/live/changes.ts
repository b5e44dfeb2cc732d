/** How often what is at a moment may have changed, for views that ask again then. */
import { signal } from '@preact/signals'
import type { Moment } from '../moment.ts'
import { source } from '../source/source.ts'
import { onEvents } from './events.ts'

/** A few of them in a second are enough for eyes, however many slices a second has. */
const SHORTEST_GAP_MS = 250

const ofPending = signal(0)
const ofSealed = signal(0)
const ofHistory = signal(0)

let isFollowed = false
let isTold = true
let hasSealed = false
let hasReplaced = false

/**
 * Returns a number that is another one when state at `moment` may be different: at `pending` with each slice, at other tags with
 * each block, at a number when blocks were replaced. Read within a component, it renders again.
 */
export function changesAt({ text, number }: Moment): number {
  follow()
  if (number !== undefined) return ofHistory.value
  return text === 'pending' ? ofPending.value : ofSealed.value
}

/** Begins to follow what happens, at the first call. */
function follow(): void {
  if (isFollowed) return
  isFollowed = true
  let hasOpened = false
  onEvents((events) => {
    for (const { kind } of events) note(kind)
  })
  source().onState((state) => {
    // What happened while the connection was lost is not told.
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
  // Of what waits.
  'accepted',
  'dropped',
  'preconfirmed',
  'revealed',
  'sealed',
  'reorged',
  'restored',
  'cheatsChanged',
])
