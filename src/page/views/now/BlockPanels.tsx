import { type Signal, signal } from '@preact/signals'
import { isReport } from '../../environment.ts'
import { listRows } from '../../live/blockList.ts'
import { pace, rhythm } from '../../live/chain.ts'
import { changesAt } from '../../live/changes.ts'
import { useLiveLoad } from '../../live/load.ts'
import type { LiveState } from '../../live/transactions.ts'
import { LATEST } from '../../moment.ts'
import { hrefOf } from '../../navigation.ts'
import { Answer } from '../../parts/Answer.tsx'
import { Count, GasBar, Wei } from '../../parts/amounts.tsx'
import { Field, Fields } from '../../parts/Fields.tsx'
import { STATE_WORDS } from '../../parts/StateBadge.tsx'
import { Table, type TableColumn } from '../../parts/Table.tsx'
import { source } from '../../source/source.ts'
import { blockCells } from '../blocks/BlocksView.tsx'
import { Panel, StateShape, useUnpaused } from './Panel.tsx'

export function OpenBlock({ isPaused }: { isPaused: Signal<boolean> }) {
  const open = useUnpaused(isPaused, () => rhythm.open && { ...rhythm.open, slices: [...rhythm.open.slices] })
  if (open === undefined) {
    const nothing = isReport ? 'no block was open' : 'no open block: the next transaction or tick opens one'
    return <Panel title="Open block" nothing={nothing} />
  }
  return (
    <Panel title="Open block">
      <Fields>
        <Field name="number">
          <a class="number" href={hrefOf({ view: 'block', id: 'pending' })}>
            {open.number}
          </a>
        </Field>
        <Field name="gas" value={<GasBar used={open.gasUsed} limit={open.gasLimit} state="preconfirmed" />} />
        <Field name="transactions" value={<span class="number">{open.transactions}</span>} />
        <Field
          name="base fee"
          value={open.baseFeePerGas !== undefined && <Wei amount={open.baseFeePerGas} />}
        />
        <Field name="slices">
          <span class="number">{open.slices.length}</span>
          {pace.value?.rhythm === 'interval' && <span class="quiet"> of {pace.value.ticksPerBlock}</span>}
        </Field>
      </Fields>
    </Panel>
  )
}

const MEANINGS: Readonly<Record<LiveState, string>> = {
  waiting: 'accepted, not in a block yet',
  preconfirmed: 'in a slice of the open block',
  sealed: 'in a sealed block',
  dropped: 'will not be in any block',
  reorged: 'its block was replaced',
}

/** The number of transactions of each state, written by `TransactionsPanel`. */
export const totals = signal<Partial<Record<LiveState, number>>>({})

export function Stages() {
  return (
    <ol class="stages" aria-label="states of transactions">
      {(Object.keys(MEANINGS) as LiveState[]).map((state) => (
        <li key={state} class="stage">
          <p class="stage-head">
            <StateShape state={state} /> <strong>{STATE_WORDS[state]}</strong>
            <Count value={totals.value[state] ?? 0} />
          </p>
          <p class="quiet">{MEANINGS[state]}</p>
        </li>
      ))}
    </ol>
  )
}

const ROWS = 10

const COLUMNS: readonly TableColumn[] = [
  { name: 'block' },
  { name: 'time' },
  { name: 'tx', class: 'end' },
  { name: 'slices', class: 'end wide' },
]

export function BlocksPanel({ isPaused }: { isPaused: Signal<boolean> }) {
  const asked = useLiveLoad(
    () => listRows(source(), undefined, 0, ROWS),
    [],
    useUnpaused(isPaused, () => changesAt(LATEST)),
  )
  return (
    <Panel title="Newest blocks" all={hrefOf({ view: 'blocks' })}>
      <Answer asked={asked.value}>
        {({ rows }) => (
          <Table class="blocks" columns={COLUMNS} rows={rows.map((row) => blockCells(row).slice(0, 4))} />
        )}
      </Answer>
    </Panel>
  )
}
