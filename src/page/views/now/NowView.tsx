/** The view *Now*: blocks and transactions as they happen. Panels read signals, so that each is rendered separately. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { nameOf } from '../../accounts/names.ts'
import { isReadOnly, isReport, sinceWhen } from '../../environment.ts'
import { bridge } from '../../live/bridge.ts'
import { askPace, lines, pace, rhythm } from '../../live/chain.ts'
import type { Pace } from '../../live/clock.ts'
import { hrefOf } from '../../navigation.ts'
import { AddressLink, TransactionLink } from '../../parts/chain.tsx'
import { Button, Select } from '../../parts/controls.tsx'
import { Text } from '../../parts/Value.tsx'
import { Age, BlocksPanel, OpenBlock, Panel, Stages, TransactionsPanel, useUnpaused } from './Panels.tsx'
import { RhythmLine } from './RhythmLine.tsx'
import './now.css'

const MOST_LINES = 100
const MOST_MARKS = 10

const WINDOWS = [
  [5_000, '5 seconds'],
  [12_000, '12 seconds'],
  [60_000, '1 minute'],
  [300_000, '5 minutes'],
] as const

export function NowView() {
  const isPaused = useSignal(false)
  const chosenMs = useSignal<number | undefined>(undefined)
  // By default, the timeline shows a few blocks, wide enough that their slices are visible.
  const [fittingMs] = (pace.value?.blockMs ?? 0) >= 1_000 ? WINDOWS[1] : WINDOWS[0]
  const windowMs = chosenMs.value ?? fittingMs
  return (
    <>
      <div class="now-head">
        <h1>Now</h1>
        <PaceLine />
        <div class="now-tools">
          <label>
            last{' '}
            <Select value={windowMs} options={WINDOWS} onChosen={(ms) => (chosenMs.value = Number(ms))} />
          </label>
          {!isReport && (
            <Button
              aria-pressed={isPaused.value}
              onClick={() => (isPaused.value = !isPaused.value)}
              text={isPaused.value ? 'resume' : 'pause'}
            />
          )}
        </div>
      </div>
      <RhythmLine windowMs={windowMs} isPaused={isPaused} />
      <Stages />
      <div class="now-panels">
        <div>
          <OpenBlock isPaused={isPaused} />
          <BlocksPanel isPaused={isPaused} />
        </div>
        <div>
          <TransactionsPanel state="preconfirmed" isPaused={isPaused} />
          <TransactionsPanel state="sealed" isPaused={isPaused} />
        </div>
        <div>
          <TransactionsPanel state="waiting" isPaused={isPaused} />
          <TransactionsPanel state="dropped" isPaused={isPaused} />
          <TransactionsPanel state="reorged" isPaused={isPaused} />
          <MarksPanel isPaused={isPaused} />
          <ConsolePanel isPaused={isPaused} />
        </div>
      </div>
    </>
  )
}

interface PausedProps {
  isPaused: Signal<boolean>
}

function ConsolePanel({ isPaused }: PausedProps) {
  const shown = useUnpaused(isPaused, () => lines.slice(-MOST_LINES).reverse())
  return (
    <Panel title="console.log" nothing={shown.length === 0 && `no contract has logged ${sinceWhen}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable. */}
      <ol class="lines" tabIndex={0} aria-label="lines of console.log, the newest first">
        {shown.map(({ id, time, text, from, name, transaction }) => (
          <li key={id}>
            <span class="quiet">
              {name !== null && nameOf(from) === undefined && <Text limit={60}>{name}</Text>}{' '}
              <AddressLink address={from} />{' '}
              {transaction === null ? 'in a call' : <TransactionLink hash={transaction} />}, <Age ms={time} />{' '}
              ago
            </span>
            <br />
            <Text>{text}</Text>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function MarksPanel({ isPaused }: PausedProps) {
  const marks = useUnpaused(isPaused, () => rhythm.marks.slice(-MOST_MARKS).reverse())
  return (
    <Panel title="Faults and reorganisations" nothing={marks.length === 0 && `none ${sinceWhen}`}>
      <ul class="marks">
        {marks.map(({ kind, atMs, text }) => (
          <li key={`${kind} ${atMs} ${text}`}>
            <Text>{text}</Text>{' '}
            <span class="quiet">
              <Age ms={atMs} /> ago
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function PaceLine() {
  // The rhythm may have changed since this view was last shown.
  useEffect(() => void askPace(), [])
  if (isReport)
    return (
      <p class="pace">
        The end of the recorded session. Each <b>tick</b> added the waiting transactions to the{' '}
        <b>open block</b> as a <b>slice</b>, <b>pre-confirmed</b>, until the block was <b>sealed</b>.
      </p>
    )
  if (pace.value === undefined) return <p class="pace">&nbsp;</p>
  return (
    <p class="pace">
      <Sentence pace={pace.value} />{' '}
      {!isReadOnly && pace.value.rhythm === 'manual' && <a href={hrefOf({ view: 'controls' })}>Controls</a>}
    </p>
  )
}

function Sentence({ pace: { rhythm, tickMs, ticksPerBlock, blockMs } }: { pace: Pace }) {
  if (rhythm === 'instant') return <>Each transaction is sealed at once, in its own block.</>
  if (rhythm === 'interval' && ticksPerBlock === 0)
    return (
      <>
        Every <Duration ms={blockMs} /> a <b>tick</b> adds the waiting transactions to a block and{' '}
        <b>seals</b> it.
      </>
    )
  const isManual = rhythm === 'manual'
  if (isManual && bridge.value?.chain === 'l1')
    return (
      <>
        This L1 follows the time of its L2: every <Duration ms={blockMs} /> of it, this chain <b>seals</b> a
        block with the waiting transactions.
      </>
    )
  return (
    <>
      {isManual ? 'The clock is manual: on command' : <>Every {<Duration ms={tickMs} />}</>}, a <b>tick</b>{' '}
      adds the waiting transactions to the <b>open block</b> as a <b>slice</b>, where they are{' '}
      <b>pre-confirmed</b>;{' '}
      {isManual ? 'another command' : <>every {<Duration ms={blockMs} />} the next tick</>} <b>seals</b> the
      block.
    </>
  )
}

function Duration({ ms }: { ms: number }) {
  return <span class="number">{ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`}</span>
}
