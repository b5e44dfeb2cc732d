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

/** The newest slices that are shown. */
const SLICES = 10

export function OpenBlock({ open }: { open: LiveBlock | undefined }) {
  if (open === undefined)
    return (
      <Panel title="Open block">
        <Nothing>
          {isReport ? 'no block was open' : 'no open block: the next transaction or tick opens one'}
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

/** Returns how many slices the open block will have; `undefined` if that is unknown. */
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

/** The states of transactions, in their usual order. */
const STAGES: readonly {
  readonly state: LiveState
  readonly meaning: string
  /** Transactions in this state now. */
  readonly count?: (shown: Shown) => number
  /** Transactions per second that enter this state. */
  readonly rate?: keyof Counts
}[] = [
  {
    state: 'waiting',
    meaning: 'accepted, not in a block yet',
    count: ({ waiting }) => waiting.length,
    rate: 'accepted',
  },
  {
    state: 'preconfirmed',
    meaning: 'in a slice of the open block',
    count: ({ open }) => open?.transactions ?? 0,
    rate: 'preconfirmed',
  },
  { state: 'sealed', meaning: 'in a sealed block', rate: 'sealed' },
  { state: 'dropped', meaning: 'will not be in any block', rate: 'dropped' },
  { state: 'reorged', meaning: 'its block was replaced' },
]

const RATES: Readonly<Record<keyof Counts, string>> = {
  accepted: 'accepted transactions per second, over the last five seconds',
  preconfirmed: 'pre-confirmed transactions per second, over the last five seconds',
  sealed: 'sealed transactions per second, over the last five seconds',
  dropped: 'dropped transactions per second, over the last five seconds',
}

export function Stages({ shown: { value: shown } }: { shown: ReadonlySignal<Shown> }) {
  return (
    <ol class="stages" aria-label="states of transactions">
      {STAGES.map(({ state, meaning, count, rate }) => (
        <li key={state} class="stage">
          <p class="stage-head">
            <StateShape state={state} /> <strong>{STATE_WORDS[state]}</strong>
            {count !== undefined && <span class="number">{count(shown)}</span>}
            {/* In a report, rates would be those of the replay. */}
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

/** The symbol of a state, as on the timeline. */
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
