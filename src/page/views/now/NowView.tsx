/** What happens on the chain, as it happens. */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { change } from '../../live/chain.ts'
import { BlocksPanel } from './BlocksPanel.tsx'
import { ConsolePanel } from './ConsolePanel.tsx'
import { Legend } from './Legend.tsx'
import { MarksPanel } from './MarksPanel.tsx'
import { OpenBlock } from './OpenBlock.tsx'
import { RhythmLine } from './RhythmLine.tsx'
import { readShown, type Shown } from './shown.ts'
import { TransactionsPanel } from './TransactionsPanel.tsx'
import { WaitingPanel } from './WaitingPanel.tsx'
import './now.css'

const WINDOWS = [
  [12_000, '12 seconds'],
  [60_000, '1 minute'],
  [300_000, '5 minutes'],
] as const

export function NowView() {
  const isPaused = useSignal(false)
  const windowMs = useSignal<number>(WINDOWS[0][0])
  const last = useRef<Shown>(undefined)
  // Read also while paused, so that it goes on when that ends.
  const number = change.value
  if (!isPaused.value || last.current === undefined) last.current = readShown(number)
  const shown = last.current
  return (
    <>
      <div class="now-head">
        <h1>Now</h1>
        <Rates shown={shown} />
        <label>
          seen{' '}
          <select
            value={windowMs.value}
            onChange={({ currentTarget }) => {
              windowMs.value = Number(currentTarget.value)
            }}
          >
            {WINDOWS.map(([ms, name]) => (
              <option key={ms} value={ms}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          aria-pressed={isPaused.value}
          onClick={() => {
            isPaused.value = !isPaused.value
          }}
        >
          {isPaused.value ? 'go on' : 'pause'}
        </button>
      </div>
      <RhythmLine windowMs={windowMs.value} isPaused={isPaused} />
      <Legend />
      <div class="now-panels">
        <div>
          <OpenBlock open={shown.open} />
          <BlocksPanel blocks={shown.blocks} nowMs={shown.nowMs} />
          <MarksPanel marks={shown.marks} nowMs={shown.nowMs} />
        </div>
        <div>
          <TransactionsPanel state="preconfirmed" shown={shown} />
          <TransactionsPanel state="sealed" shown={shown} />
        </div>
        <div>
          <WaitingPanel waiting={shown.waiting} nowMs={shown.nowMs} isPaused={isPaused} />
          <TransactionsPanel state="dropped" shown={shown} />
          {shown.reorged.length > 0 && <TransactionsPanel state="reorged" shown={shown} />}
          <ConsolePanel lines={shown.lines} nowMs={shown.nowMs} />
        </div>
      </div>
    </>
  )
}

function Rates({ shown: { rates } }: { shown: Shown }) {
  return (
    <p class="rates" title="transactions a second, of the last five seconds">
      {(
        [
          ['accepted', rates.accepted],
          ['pre-confirmed', rates.preconfirmed],
          ['sealed', rates.sealed],
          ['dropped', rates.dropped],
        ] as const
      ).map(([name, rate]) => (
        <span key={name}>
          {name} <span class="number">{rate.toFixed(rate < 10 ? 1 : 0)}/s</span>
        </span>
      ))}
    </p>
  )
}
