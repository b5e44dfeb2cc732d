/** Panels of the view *Now*: the open block, and lists of the newest blocks and of the newest transactions of a state. */
import { type Signal, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { unlocked } from '../../accounts/names.ts'
import { codecsFor, useContracts } from '../../decode/contracts.ts'
import { isReadOnly, isReport } from '../../environment.ts'
import { duration } from '../../format.ts'
import { listRows } from '../../live/blockList.ts'
import { change, clock, pace, rhythm } from '../../live/chain.ts'
import { changesAt, loaded, useLiveLoad } from '../../live/load.ts'
import type { LiveState } from '../../live/transactions.ts'
import { LATEST, PENDING } from '../../moment.ts'
import { hrefOf } from '../../navigation.ts'
import { Answer, Field, Fields, Nothing } from '../../parts/Answer.tsx'
import {
  AddressLink,
  BlockLink,
  Count,
  GasBar,
  STATE_WORDS,
  Time,
  TransactionLink,
  Wei,
} from '../../parts/chain.tsx'
import { Method } from '../../parts/Decoded.tsx'
import { partiesOf } from '../../parts/TransactionList.tsx'
import { type Column, Table } from '../../parts/tables.tsx'
import { Text } from '../../parts/Value.tsx'
import { findTransactions, source } from '../../source/source.ts'
import { blockCells } from '../blocks/BlocksView.tsx'
import { type Look, SHAPES } from './rhythmCanvas.ts'

const ROWS = 10

/** Columns of lists of transactions in blocks (`IN_BLOCKS`) and in no block (`LOOSE`). */
const IN_BLOCKS: readonly Column[] = [
  { name: 'transaction' },
  { name: 'call', class: 'called' },
  { name: 'from', class: 'wide' },
  { name: 'block' },
  { name: 'time', class: 'end' },
]
const LOOSE: readonly Column[] = [
  { name: 'transaction' },
  { name: 'why', class: 'called' },
  { name: 'since', class: 'end' },
]

export function TransactionsPanel({ state, isPaused }: { state: LiveState; isPaused: Signal<boolean> }) {
  const asked = useLiveLoad(
    () => findTransactions({ state, deposits: 'omitted', limit: ROWS }),
    [state],
    useUnpaused(isPaused, () => changesAt(PENDING)),
  )
  const { total = 0, transactions = [] } = loaded(asked.value) ?? {}
  useEffect(() => {
    totals.value = { ...totals.peek(), [state]: total }
  }, [total])
  const known = useContracts(partiesOf(transactions))
  // A tick or a seal empties such a list. The list keeps its height, so that the panels below do not move.
  const isEmptied = state === 'preconfirmed' || state === 'waiting'
  const most = useRef(0)
  most.current = Math.max(most.current, transactions.length)
  if (state === 'reorged' && total === 0) return null
  const isLoose = state !== 'preconfirmed' && state !== 'sealed'
  const failed = transactions.filter((one) => one.state === 'failed').length
  return (
    <Panel
      title={
        <>
          <StateShape state={state} /> {state === 'waiting' ? 'Waiting' : `Newest ${STATE_WORDS[state]}`}
        </>
      }
      all={hrefOf({ view: 'transactions' }, new URLSearchParams({ state }))}
      rows={isEmptied && most.current > 0 ? most.current : undefined}
      count={
        failed > 0 && (
          <>
            <StateShape state="failed" /> {failed} failed
          </>
        )
      }
    >
      {transactions.length === 0 ? (
        <None state={state} isLoaded={asked.value.state === 'here'} />
      ) : (
        <div class="scrolled">
          <Table
            columns={isLoose ? LOOSE : IN_BLOCKS}
            rows={transactions.map((one) => [
              <>
                <TransactionLink hash={one.hash} />
                {one.state === 'failed' && <Failed />}
              </>,
              ...(isLoose
                ? [<Text limit={300}>{one.reason ?? ''}</Text>]
                : [
                    <Method to={one.to} input={one.input} codecs={codecsFor(one.to, known.value)} />,
                    <AddressLink address={one.from} />,
                    one.blockNumber !== null && <BlockLink id={one.blockNumber} />,
                  ]),
              <>
                {one.timestamp !== null && <Time seconds={one.timestamp} />}
                {one.since !== null && <Age ms={one.since} />}
              </>,
            ])}
          />
        </div>
      )}
    </Panel>
  )
}

function Failed() {
  return (
    <span class="row-mark" title="failed">
      <StateShape state="failed" />
      <span class="unseen">failed</span>
    </span>
  )
}

function None({ state, isLoaded }: { state: LiveState; isLoaded: boolean }) {
  const isFirst = state === 'sealed' && isLoaded && !isReadOnly
  const text = state === 'waiting' || state === 'preconfirmed' ? 'none at present' : 'none on this chain'
  return (
    <>
      <Nothing>{isFirst ? 'none yet; to send one,' : text}</Nothing>
      {isFirst && <FirstSteps />}
    </>
  )
}

function FirstSteps() {
  const first = unlocked.value[0]?.address
  return (
    <ul class="first-steps">
      <li>use this URL as the JSON-RPC endpoint of a wallet, a library or a test,</li>
      {first !== undefined && (
        <li>
          <a href={hrefOf({ view: 'account', address: first }, new URLSearchParams({ tab: 'transfer' }))}>
            send ether
          </a>{' '}
          from <AddressLink address={first} />, a development account, or
        </li>
      )}
      <li>
        call a function of one of the <a href={hrefOf({ view: 'contracts' })}>contracts</a>.
      </li>
    </ul>
  )
}

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
const totals = signal<Partial<Record<LiveState, number>>>({})

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

const COLUMNS: readonly Column[] = [
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

interface PanelProps {
  title: ComponentChildren
  /** The URL of the view that lists all items. The panel lists the newest items. */
  all?: string
  count?: ComponentChildren
  /** Minimum height, in rows. */
  rows?: number | undefined
  /** Shown instead of the children if the panel is empty. */
  nothing?: ComponentChildren
  children?: ComponentChildren
}

export function Panel({ title, all, count, rows, nothing, children }: PanelProps) {
  const id = useId()
  // A report needs no minimum height, because its lists never shrink.
  const kept = isReport ? undefined : rows
  return (
    <section
      class={kept === undefined ? 'panel' : 'panel steady'}
      style={kept === undefined ? undefined : { '--rows': kept }}
      aria-labelledby={id}
    >
      <h2 id={id}>
        {title} {all !== undefined && <a href={all}>all</a>}{' '}
        {count !== undefined && <span class="count">{count}</span>}
      </h2>
      {nothing ? <Nothing>{nothing}</Nothing> : children}
    </section>
  )
}

export function Age({ ms }: { ms: number }) {
  change.value
  return <span class="number">{duration(Math.max(0, (clock.nowMs(performance.now()) ?? ms) - ms))}</span>
}

export function hrefOfBlock(number: number, isOpen: boolean): string {
  return hrefOf({ view: 'block', id: isOpen ? 'pending' : String(number) })
}

function StateShape({ state }: { state: Look }) {
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

/** Returns the result of `read`. While the view is paused, returns the last result before the pause. */
export function useUnpaused<T>(isPaused: Signal<boolean>, read: () => T): T {
  const last = useRef<T>(undefined)
  // Reading the signal makes the component render again when the chain changes.
  change.value
  const now = read()
  if (!isPaused.value) last.current = now
  last.current ??= now
  return last.current
}
