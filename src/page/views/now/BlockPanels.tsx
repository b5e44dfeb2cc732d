import { counted } from '../../../model/api/text.ts'
import { isReport, sinceWhen } from '../../environment.ts'
import { pace } from '../../live/chain.ts'
import type { LiveBlock, LiveSlice } from '../../live/rhythm.ts'
import type { Counts, LiveState } from '../../live/transactions.ts'
import { hrefOf } from '../../navigation.ts'
import { GasBar, percent, Wei } from '../../parts/amounts.tsx'
import { Field, Fields } from '../../parts/Fields.tsx'
import { Hint } from '../../parts/Hint.tsx'
import { STATE_WORDS, StateBadge } from '../../parts/StateBadge.tsx'
import { TableHead } from '../../parts/Table.tsx'
import { Age, NumberLink, Panel, StateShape } from './Panel.tsx'
import type { PanelData, ShownData } from './panelData.ts'

const SLICES = 10

export function OpenBlock({ shown }: ShownData) {
  const { open } = shown.value
  if (open === undefined) {
    const nothing = isReport ? 'no block was open' : 'no open block: the next transaction or tick opens one'
    return <Panel title="Open block" nothing={nothing} />
  }
  const planned = plannedSlices(open.slices.length)
  return (
    <Panel title="Open block">
      <Fields>
        <Field name="number">
          <NumberLink block={open} />
        </Field>
        <Field name="gas">
          <GasBar used={open.gasUsed} limit={open.gasLimit} state="preconfirmed" />
        </Field>
        <Field name="transactions">
          <span class="number">{open.transactions}</span>
        </Field>
        {open.baseFeePerGas !== undefined && (
          <Field name="base fee">
            <Wei amount={open.baseFeePerGas} />
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

/** Returns how many slices the open block, which has `count` now, will have when sealed; `undefined` if unknown. */
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

const STAGES: readonly {
  readonly state: LiveState
  readonly meaning: string
  readonly count?: (shown: PanelData) => number
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

export function Stages({ shown: { value: shown } }: ShownData) {
  return (
    <ol class="stages" aria-label="states of transactions">
      {STAGES.map(({ state, meaning, count, rate }) => (
        <li key={state} class="stage">
          <p class="stage-head">
            <StateShape state={state} /> <strong>{STATE_WORDS[state]}</strong>
            {count !== undefined && <span class="number">{count(shown)}</span>}
            {/* In a report, rates would describe the speed of the replay. */}
            {rate !== undefined && !isReport && (
              <span class="stage-rate number">
                <Hint text={`${STATE_WORDS[rate]} transactions per second, over the last five seconds`}>
                  {perSecond(shown.rates[rate])}
                </Hint>
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

export function BlocksPanel({ shown }: ShownData) {
  const { blocks, nowMs } = shown.value
  const nothing = (
    <>
      {isReport ? `none ${sinceWhen}` : 'none yet'}; <a href={hrefOf({ view: 'blocks' })}>all blocks</a>
    </>
  )
  return (
    <Panel title="Newest blocks" nothing={blocks.length === 0 && nothing}>
      <div class="scrolled">
        <table>
          <TableHead
            names={['block', 'state']}
            numbers={['tx', 'slices', 'gas', 'ago']}
            wide={['slices', 'gas']}
          />
          <tbody>
            {blocks.map((block) => (
              <BlockRow key={block.hash} block={block} nowMs={nowMs} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function BlockRow({ block, nowMs }: { block: LiveBlock; nowMs: number | undefined }) {
  const { removedMs, slices, sliceCount, gasUsed, gasLimit } = block
  return (
    <tr class={removedMs === undefined ? undefined : 'removed'}>
      <td>
        <NumberLink block={block} />
      </td>
      <td>
        <StateBadge state={removedMs === undefined ? 'sealed' : 'reorged'} />
      </td>
      <td class="end number">{block.transactions}</td>
      <td class="end number wide">{sliceCount === undefined ? slices.length : (sliceCount ?? '–')}</td>
      <td class="end number wide" title={`${gasUsed} of ${gasLimit} gas`}>
        {percent(gasUsed, gasLimit)}
      </td>
      <td class="end">
        {/* For a block sealed before the page was opened, only the timestamp is known. */}
        {sliceCount !== undefined && (
          <span class="quiet" title="accurate to a second: sealed before the page was opened">
            ≈{' '}
          </span>
        )}
        <Age ms={block.sealedMs ?? 0} nowMs={nowMs} />
      </td>
    </tr>
  )
}
