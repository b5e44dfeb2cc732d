/** The states that a transaction goes through, with how many are in each: also what the colours and shapes of the line mean. */
import type { ReadonlySignal } from '@preact/signals'
import type { Counts } from '../../live/rates.ts'
import type { LiveState } from '../../live/transactions.ts'
import { Hint } from '../../parts/Hint.tsx'
import { STATE_WORDS } from '../../parts/StateBadge.tsx'
import { isReport } from '../../served.ts'
import { StateShape } from './StateShape.tsx'
import type { Shown } from './shown.ts'

/** What is told of each state, the way of most transactions first. */
const STAGES: readonly {
  readonly state: LiveState
  readonly meaning: string
  /** How many are in it now. */
  readonly count?: (shown: Shown) => number
  /** How many came into it, a second. */
  readonly rate?: keyof Counts
}[] = [
  {
    state: 'waiting',
    meaning: 'accepted, in no block yet',
    count: ({ waiting }) => waiting.length,
    rate: 'accepted',
  },
  {
    state: 'preconfirmed',
    meaning: 'in a slice of the open block',
    count: ({ open }) => open?.transactions ?? 0,
    rate: 'preconfirmed',
  },
  { state: 'sealed', meaning: 'in a block of the chain', rate: 'sealed' },
  { state: 'dropped', meaning: 'will not be in any block', rate: 'dropped' },
  { state: 'reorged', meaning: 'its block was replaced' },
]

const RATES: Readonly<Record<keyof Counts, string>> = {
  accepted: 'transactions that were accepted, a second, in the last five seconds',
  preconfirmed: 'transactions that were pre-confirmed, a second, in the last five seconds',
  sealed: 'transactions that were sealed, a second, in the last five seconds',
  dropped: 'transactions that were dropped, a second, in the last five seconds',
}

export function Stages({ shown: { value: shown } }: { shown: ReadonlySignal<Shown> }) {
  return (
    <ol class="stages" aria-label="states of transactions">
      {STAGES.map(({ state, meaning, count, rate }) => (
        <li key={state} class="stage">
          <p class="stage-head">
            <StateShape state={state} /> <strong>{STATE_WORDS[state]}</strong>
            {count !== undefined && <span class="number">{count(shown)}</span>}
            {/* That of a report would be how fast its session was played. */}
            {rate !== undefined && !isReport && (
              <span class="stage-rate number">
                <Hint text={RATES[rate]}>{perSecond(shown.rates[rate])}</Hint>
              </span>
            )}
          </p>
          <p class="quiet">{meaning}</p>
        </li>
      ))}
    </ol>
  )
}

function perSecond(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)}/s`
}
