import type { State } from '../live/transactions.ts'

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
