import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { useContracts } from '../../decode/contracts.ts'
import { changesAt } from '../../live/changes.ts'
import { useLiveLoad } from '../../live/load.ts'
import { ListedRows, pagesOf, type Span } from '../../live/pages.ts'
import { PAST } from '../../moment.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { EventList, FIRST_EVENTS } from '../../parts/EventList.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import {
  partiesOf,
  TRANSACTION_COLUMNS,
  transactionCells,
  transactionRowRem,
} from '../../parts/transactionCells.tsx'
import { type Column, MOST_PRINTED, VirtualRows } from '../../parts/VirtualRows.tsx'
import type { ListedTransaction } from '../../source/requests.ts'
import type { ShownBlock } from './block.ts'

const COLUMNS: readonly Column[] = [
  { name: '#', width: '3rem', class: 'end wide' },
  ...TRANSACTION_COLUMNS,
  { name: 'status', width: '4.5rem' },
]

const FIRST_SEEN: Span = { first: 0, end: 30 }
const OTHERS_AFTER_MS = 1_000

export function Transactions({ shown }: { shown: ShownBlock }) {
  const count = shown.transactionCount
  const seen = useSignal(FIRST_SEEN)
  const rows = useRows(shown, seen.value)
  const visible = Array.from({ length: seen.value.end - seen.value.first }, (_, i) =>
    rows.at(seen.value.first + i),
  )
  const known = useContracts(partiesOf(visible), shown.at)
  if (count === 0) return <Nothing>the block has no transactions</Nothing>
  return (
    <VirtualRows
      label="transactions"
      rowRem={transactionRowRem()}
      columns={COLUMNS}
      count={count}
      onShown={(first, end) => (seen.value = { first, end })}
      row={(index) => {
        const number = (
          <span key="index" class="number">
            {index}
          </span>
        )
        const transaction = rows.at(index)
        if (transaction === undefined)
          return [number, <span class="nothing">…</span>, ...COLUMNS.slice(2).map(() => '')]
        const { status } = transaction
        return [
          number,
          ...transactionCells(transaction, known.value),
          status &&
            (status === '0x0' ? (
              <StateBadge key="status" state="failed" />
            ) : (
              <span key="status" class="quiet">
                ok
              </span>
            )),
        ]
      }}
    />
  )
}

/** Loads the visible rows. After a second, also loads the rows that appear when the page is printed. */
function useRows({ block, at, content, transactionCount: count }: ShownBlock, seen: Span) {
  const come = useSignal(0)
  const rows = useMemo(() => new ListedRows<ListedTransaction>(), [block.number])
  const span = pagesOf(seen, count)
  // Only a reorg makes loaded transactions invalid.
  const replaced = changesAt(PAST)
  // Visible rows stay until they have been loaded again.
  useMemo(() => rows.keep(span), [at, replaced])
  const ask = async ({ first, end }: Span) => {
    const found = await content.transactions(first, end)
    rows.take(first, found)
    come.value++
  }
  useLiveLoad(() => ask(span), [rows, at, span.first, span.end], replaced)
  useEffect(() => {
    const timer = setTimeout(() => {
      const end = Math.min(count, MOST_PRINTED)
      const first = rows.missing(end)
      if (first !== undefined) void ask({ first, end }).catch(() => {})
    }, OTHERS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [rows, at, replaced, count])
  // Reading the signal makes the component render again when rows have loaded.
  come.value
  return rows
}

export function Logs({ shown: { block, at, content, logCount } }: { shown: ShownBlock }) {
  const shown = useSignal(FIRST_EVENTS)
  const end = Math.min(shown.value, logCount)
  const asked = useLiveLoad(() => content.logs(0, end), [block.number, at, end], changesAt(PAST))
  return (
    <Answer asked={asked.value}>
      {(logs) => (
        <EventList
          // The logs may have been loaded for the whole block, which has more logs than the shown slice.
          logs={logs.slice(0, logCount)}
          count={logCount}
          shown={shown}
          at={at}
          withTransaction
        />
      )}
    </Answer>
  )
}
