import { type Signal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { numberOf } from '../../format.ts'
import { MOST_WAITING } from '../../live/chain.ts'
import { waitingOf } from '../../live/transactions.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { AddressLink, TransactionLink } from '../../parts/links.tsx'
import { Text } from '../../parts/Value.tsx'
import { type Column, VirtualRows } from '../../parts/VirtualRows.tsx'
import { source } from '../../source/source.ts'
import { Age, Panel, StateShape } from './Panel.tsx'
import type { ShownData } from './panelData.ts'

const ASKED_EACH_MS = 1_000
/** The height of the panel while it is empty, if it had this number of rows before. */
const STEADY_ROWS = 2
/** Number of reasons per request. */
const MOST_ASKED = 40

const COLUMNS: readonly Column[] = [
  { name: 'transaction, and reason' },
  { name: 'for', width: '5.5rem', class: 'end' },
]

/** Why transactions in sight wait, by hash. */
const reasons = signal<ReadonlyMap<string, string>>(new Map())
/** Number of waiting transactions, of which the page may know only some. */
const total = signal(0)

export function WaitingPanel({ shown, isPaused }: ShownData & { isPaused: Signal<boolean> }) {
  const { waiting, nowMs } = shown.value
  const seen = useRef<readonly [first: number, end: number]>([0, MOST_ASKED])
  // Each slice empties the list. A fixed height keeps the panels below in place.
  const most = useRef(0)
  most.current = Math.max(most.current, Math.min(waiting.length, STEADY_ROWS))
  useEffect(() => {
    let isAsking = false
    async function ask() {
      if (isAsking || isPaused.value || document.hidden) return
      isAsking = true
      const [first] = seen.current
      try {
        const page = await waitingOf(source(), MOST_ASKED, shown.peek().waiting[first - 1]?.hash)
        total.value = numberOf(page.total)
        reasons.value = new Map(page.transactions.map(({ hash, reason }) => [hash, reason]))
      } catch {
        // The next interval retries; the head of the page shows a lost connection.
      }
      isAsking = false
    }
    const timer = setInterval(() => void ask(), ASKED_EACH_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <Panel
      title={
        <>
          <StateShape state="waiting" /> Waiting
        </>
      }
      count={waiting.length < MOST_WAITING ? waiting.length : Math.max(total.value, waiting.length)}
      class="waiting"
      rows={most.current === 0 ? undefined : most.current}
    >
      {waiting.length === 0 ? (
        <Nothing>no waiting transactions</Nothing>
      ) : (
        <VirtualRows
          label="waiting transactions"
          columns={COLUMNS}
          count={waiting.length}
          rowRem={4.5}
          keyOf={(index) => waiting[index]!.hash}
          onShown={(first, end) => {
            seen.current = [first, end]
          }}
          row={(index) => {
            const { hash, sent, sinceMs } = waiting[index]!
            return [
              <>
                <TransactionLink hash={hash} />{' '}
                {sent !== undefined && (
                  <span class="quiet">
                    from <AddressLink address={sent.from} />
                  </span>
                )}
                <span class="reason" title={reasons.value.get(hash)}>
                  <Text>{reasons.value.get(hash) ?? '…'}</Text>
                </span>
              </>,
              <Age ms={sinceMs} nowMs={nowMs} />,
            ]
          }}
        />
      )}
    </Panel>
  )
}
