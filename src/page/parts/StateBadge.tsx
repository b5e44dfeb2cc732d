/** The state of a transaction or a block: a word with a colour and a shape, the same everywhere. */
import type { State } from './state.ts'

export type { State }

/** How people call each state. */
export const STATE_WORDS: Readonly<Record<State, string>> = {
  accepted: 'accepted',
  waiting: 'waiting',
  preconfirmed: 'pre-confirmed',
  sealed: 'sealed',
  failed: 'failed',
  dropped: 'dropped',
  reorged: 'reorganised away',
}

export function StateBadge({ state }: { state: State }) {
  return <span class={`state state-${state}`}>{STATE_WORDS[state]}</span>
}
