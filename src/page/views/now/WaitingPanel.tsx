/** The transactions that wait, each with the reason why. */
import { type Signal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { numberOf } from '../../format.ts'
import { MOST_WAITING } from '../../live/chain.ts'
import { type LiveTransaction, waitingOf } from '../../live/transactions.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { AddressLink, TransactionLink } from '../../parts/links.tsx'
import { Text } from '../../parts/Value.tsx'
import { type Column, VirtualRows } from '../../parts/VirtualRows.tsx'
import { source } from '../../source/source.ts'
import { Age } from './BlocksPanel.tsx'
import { StateShape } from './OpenBlock.tsx'
import { Panel } from './Panel.tsx'

const ASKED_EACH_MS = 1_000
/** As many rows as there were keep their place, and no more than these. */
const STEADY_ROWS = 2
/** Rows of which the reason is asked at once. */
const MOST_ASKED = 40

const COLUMNS: readonly Column[] = [
  { name: 'transaction, and why it waits' },
  { name: 'for', width: '5.5rem', class: 'end' },
]

/** The reasons of those in sight, by hash. */
const reasons = signal<ReadonlyMap<string, string>>(new Map())
/** How many wait, of which the page knows all as long as they are few. */
const total = signal(0)

export function WaitingPanel({
  waiting,
  nowMs,
  isPaused,
}: {
  waiting: readonly LiveTransaction[]
  nowMs: number | undefined
  isPaused: Signal<boolean>
}) {
  const seen = useRef<readonly [first: number, end: number]>([0, MOST_ASKED])
  const current = useRef(waiting)
  // With each slice the list gets shorter, and what is below it stays.
  const most = useRef(0)
  most.current = Math.max(most.current, Math.min(waiting.length, STEADY_ROWS))
  current.current = waiting
  useEffect(() => {
    let isAsking = false
    async function ask() {
      if (isAsking || isPaused.value || document.hidden) return
      isAsking = true
      const [first] = seen.current
      try {
        const page = await waitingOf(source(), MOST_ASKED, current.current[first - 1]?.hash)
        total.value = numberOf(page.total)
        reasons.value = new Map(page.transactions.map(({ hash, reason }) => [hash, reason]))
      } catch {
        // Asked again soon; that the devnet is gone is told in the head.
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
        <Nothing>nothing waits</Nothing>
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
