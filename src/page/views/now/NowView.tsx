/** What happens on the chain, as it happens. */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { pace } from '../../live/chain.ts'
import { isReport } from '../../served.ts'
import { BlocksPanel } from './BlocksPanel.tsx'
import { ConsolePanel } from './ConsolePanel.tsx'
import { MarksPanel } from './MarksPanel.tsx'
import { OpenBlock } from './OpenBlock.tsx'
import { PaceLine } from './PaceLine.tsx'
import { RhythmLine } from './RhythmLine.tsx'
import { Stages } from './Stages.tsx'
import type { Shown } from './shown.ts'
import { TransactionsPanel } from './TransactionsPanel.tsx'
import { useShown } from './useShown.ts'
import { WaitingPanel } from './WaitingPanel.tsx'
import './now.css'

const WINDOWS = [
  [5_000, '5 seconds'],
  [12_000, '12 seconds'],
  [60_000, '1 minute'],
  [300_000, '5 minutes'],
] as const

export function NowView() {
  const isPaused = useSignal(false)
  const chosenMs = useSignal<number | undefined>(undefined)
  const windowMs = chosenMs.value ?? fittingMs(pace.value?.blockMs ?? 0)
  const [head, left, middle, right] = useShown(isPaused)
  return (
    <>
      <div class="now-head">
        <h1>Now</h1>
        <PaceLine />
        <div class="now-tools">
          <label>
            last{' '}
            <select
              value={windowMs}
              onChange={({ currentTarget }) => {
                chosenMs.value = Number(currentTarget.value)
              }}
            >
              {WINDOWS.map(([ms, name]) => (
                <option key={ms} value={ms}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {!isReport && (
            <button
              type="button"
              aria-pressed={isPaused.value}
              onClick={() => {
                isPaused.value = !isPaused.value
              }}
            >
              {isPaused.value ? 'go on' : 'pause'}
            </button>
          )}
        </div>
      </div>
      <RhythmLine windowMs={windowMs} isPaused={isPaused} />
      <Stages shown={head} />
      <div class="now-panels">
        <Column shown={left}>
          {(shown) => (
            <>
              <OpenBlock open={shown.open} />
              <BlocksPanel blocks={shown.blocks} nowMs={shown.nowMs} />
            </>
          )}
        </Column>
        <Column shown={middle}>
          {(shown) => (
            <>
              <TransactionsPanel state="preconfirmed" shown={shown} />
              <TransactionsPanel state="sealed" shown={shown} />
            </>
          )}
        </Column>
        <Column shown={right}>
          {(shown) => (
            <>
              <WaitingPanel waiting={shown.waiting} nowMs={shown.nowMs} isPaused={isPaused} />
              <TransactionsPanel state="dropped" shown={shown} />
              {shown.reorged.length > 0 && <TransactionsPanel state="reorged" shown={shown} />}
              <MarksPanel marks={shown.marks} nowMs={shown.nowMs} />
              <ConsolePanel lines={shown.lines} nowMs={shown.nowMs} />
            </>
          )}
        </Column>
      </div>
    </>
  )
}

/** Renders again by itself when `shown` changes. */
function Column({
  shown,
  children,
}: {
  shown: ReadonlySignal<Shown>
  children: (shown: Shown) => ComponentChildren
}) {
  return <div>{children(shown.value)}</div>
}

/** Returns what is seen at first: some blocks, so wide that one sees what is in them. */
function fittingMs(blockMs: number): number {
  return blockMs >= 1_000 ? WINDOWS[1][0] : WINDOWS[0][0]
}
