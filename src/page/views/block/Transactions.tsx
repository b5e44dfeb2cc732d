import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { codecsFor, useContracts } from '../../decode/contracts.ts'
import { changesAt } from '../../live/changes.ts'
import { useLiveLoad } from '../../live/load.ts'
import { ListedRows, pagesOf, type Span } from '../../live/pages.ts'
import { PAST } from '../../moment.ts'
import { Account } from '../../parts/Account.tsx'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Count, Wei } from '../../parts/amounts.tsx'
import { EventList, FIRST_EVENTS } from '../../parts/EventList.tsx'
import { AddressLink, TransactionLink } from '../../parts/links.tsx'
import { Method } from '../../parts/Method.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import { type Column, MOST_PRINTED, VirtualRows } from '../../parts/VirtualRows.tsx'
import type { ListedTransaction } from '../../source/requests.ts'
import { isNarrow } from '../../theme.ts'
import type { ShownBlock } from './block.ts'

const COLUMNS: readonly Column[] = [
  { name: '#', width: '3rem', class: 'end wide' },
  { name: 'transaction', width: '8.5rem' },
  { name: 'call' },
  { name: 'from', width: '9rem', class: 'wide' },
  { name: 'to', class: 'wide' },
  { name: 'value', class: 'end wide' },
  { name: 'gas used', width: '7rem', class: 'end wider' },
  { name: 'status', width: '4.5rem' },
]

const FIRST_SEEN: Span = { first: 0, end: 30 }
const OTHERS_AFTER_MS = 1_000
const ROW_REM = 2
/** Height of a row on a narrow screen, where value and recipient are on a second line. */
const NARROW_ROW_REM = 3.5

export function Transactions({ shown }: { shown: ShownBlock }) {
  const count = shown.transactionCount
  const seen = useSignal(FIRST_SEEN)
  const rows = useRows(shown, seen.value)
  const targets: string[] = []
  for (let index = seen.value.first; index < seen.value.end; index++) {
    const to = rows.at(index)?.to
    if (to) targets.push(to)
  }
  const known = useContracts(targets, shown.at)
  if (count === 0) return <Nothing>the block has no transactions</Nothing>
  return (
    <VirtualRows
      label="transactions"
      rowRem={isNarrow.value ? NARROW_ROW_REM : ROW_REM}
      columns={COLUMNS}
      count={count}
      onShown={(first, end) => {
        seen.value = { first, end }
      }}
      row={(index) => {
        const number = (
          <span key="index" class="number">
            {index}
          </span>
        )
        const transaction = rows.at(index)
        if (transaction === undefined)
          return [number, <span class="nothing">…</span>, ...COLUMNS.slice(2).map(() => '')]
        const { hash, from, to, input, value, status, gasUsed, contractAddress: created } = transaction
        const receiver =
          to !== null ? (
            <Account address={to} known={known.value} />
          ) : created ? (
            <>
              new <AddressLink address={created} />
            </>
          ) : (
            ''
          )
        return [
          number,
          <>
            <TransactionLink hash={hash} />
            {isNarrow.value && (
              <span class="second-line">
                <Wei amount={value} />
              </span>
            )}
          </>,
          <>
            <Method to={to} input={input} codecs={codecsFor(to, known.value)} />
            {isNarrow.value && (
              <span class="second-line">
                {to !== null && 'to '}
                {receiver}
              </span>
            )}
          </>,
          <AddressLink key="from" address={from} />,
          isNarrow.value ? '' : receiver,
          <Wei key="value" amount={value} />,
          gasUsed && <Count key="gas" value={gasUsed} />,
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
