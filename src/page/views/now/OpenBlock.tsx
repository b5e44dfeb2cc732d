/** The block under construction. */
import type { ReadonlySignal } from '@preact/signals'
import { counted } from '../../../model/api/text.ts'
import { isReport } from '../../environment.ts'
import { pace } from '../../live/chain.ts'
import type { LiveBlock, LiveSlice } from '../../live/rhythm.ts'
import type { Counts, LiveState } from '../../live/transactions.ts'
import { hrefOf } from '../../navigation.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { GasBar, Wei } from '../../parts/amounts.tsx'
import { Field, Fields } from '../../parts/Fields.tsx'
import { Hint } from '../../parts/Hint.tsx'
import { STATE_WORDS } from '../../parts/StateBadge.tsx'
import { Panel } from './Panel.tsx'
import { type Look, SHAPES } from './rhythmCanvas.ts'
import type { Shown } from './shown.ts'

/** The newest slices that are shown one by one. */
const SLICES = 10

export function OpenBlock({ open }: { open: LiveBlock | undefined }) {
  if (open === undefined)
    return (
      <Panel title="Open block">
        <Nothing>
          {isReport ? 'no block was open' : 'no block is open: the next transaction or tick opens one'}
        </Nothing>
      </Panel>
    )
  const planned = plannedSlices(open.slices.length)
  return (
    <Panel title="Open block">
      <Fields>
        <Field name="number">
          <a class="number" href={hrefOf({ view: 'block', id: 'pending' })}>
            {open.number}
          </a>
        </Field>
        <Field name="gas">
          <GasBar used={open.gasUsed} limit={open.gasLimit} state="preconfirmed" />
        </Field>
        <Field name="transactions">
          <span class="number">{open.transactions}</span>
        </Field>
        {open.baseFeePerGas !== undefined && (
          <Field name="base fee">
            <Wei amount={`0x${open.baseFeePerGas.toString(16)}`} />
          </Field>
        )}
        <Field name="slices">
          <span class="number">{open.slices.length === 0 ? 'none yet' : open.slices.length}</span>
          {planned !== undefined && <span class="quiet"> of {planned}</span>}
        </Field>
      </Fields>
      <Slices slices={open.slices} planned={planned} />
    </Panel>
  )
}

/** Returns how many slices the open block will have by its rhythm; `undefined` where that is not known, or it has more already. */
function plannedSlices(count: number): number | undefined {
  const { rhythm, ticksPerBlock } = pace.value ?? { rhythm: 'manual', ticksPerBlock: 0 }
  return rhythm === 'interval' && ticksPerBlock >= Math.max(1, count) ? ticksPerBlock : undefined
}

function Slices({ slices, planned = 0 }: { slices: readonly LiveSlice[]; planned: number | undefined }) {
  const hidden = Math.max(0, slices.length - SLICES)
  const awaited = planned <= SLICES ? Math.max(0, planned - slices.length) : 0
  if (slices.length + awaited === 0) return null
  return (
    <ul class="slices" aria-label="slices">
      {hidden > 0 && <li class="nothing">{hidden} earlier</li>}
      {slices.slice(-SLICES).map(({ index, transactions, gasUsed }) => (
        <li key={index} title={`slice ${index}: ${counted(transactions, 'transaction')}, ${gasUsed} gas`}>
          <span class="slice-index">{index}</span>
          <span class="number">{transactions} tx</span>
        </li>
      ))}
      {Array.from({ length: awaited }, (_, i) => (
        <li key={`awaited ${i}`} class="slice-awaited" aria-hidden="true" />
      ))}
    </ul>
  )
}

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

/** The shape of a state in its colour: what the line draws, beside the word. */
export function StateShape({ state }: { state: Look }) {
  const { path, isFilled } = SHAPES[state]
  return (
    <svg class={`shape shape-${state}`} viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">
      <path
        d={path}
        fill={isFilled ? 'currentColor' : 'none'}
        stroke={isFilled ? 'none' : 'currentColor'}
        stroke-width="0.4"
      />
    </svg>
  )
}
