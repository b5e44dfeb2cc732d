/** A list of the transactions that fit a search, of any length: only the visible part is requested. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Hex } from '../../../bytes/hex.ts'
import type { RpcFoundTransaction } from '../../../wire/transactionSearch.ts'
import { codecsFor, useContracts } from '../../decode/contracts.ts'
import { grouped } from '../../format.ts'
import { changesAt } from '../../live/changes.ts'
import { useLiveLoad } from '../../live/load.ts'
import { ListedRows, pagesOf } from '../../live/pages.ts'
import { PAST, PENDING } from '../../moment.ts'
import { Account } from '../../parts/Account.tsx'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Count, Time, Wei } from '../../parts/amounts.tsx'
import { BlockLink, TransactionLink } from '../../parts/links.tsx'
import { Method } from '../../parts/Method.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import { Text } from '../../parts/Value.tsx'
import { type Column, VirtualRows } from '../../parts/VirtualRows.tsx'
import { request } from '../../source/source.ts'
import { isNarrow } from '../../theme.ts'
import type { Search } from './search.ts'

const PLACED: readonly Column[] = [
  { name: 'state', width: '7.5rem' },
  { name: 'transaction', width: '8.5rem' },
  { name: 'call' },
  { name: 'from', class: 'wide' },
  { name: 'to', class: 'wide' },
  { name: 'value', class: 'end wide' },
  { name: 'gas used', width: '7rem', class: 'end wider' },
  { name: 'block', width: '6rem', class: 'wide' },
  { name: 'time', width: '7rem', class: 'wider' },
]

/** Transactions in no block have a reason in place of gas, block and time. */
const LOOSE: readonly Column[] = [...PLACED.slice(0, 6), { name: 'reason', class: 'wide' }]

const ROW_REM = 2
/** Height of a row on a narrow screen, where sender and recipient are below the call. */
const NARROW_ROW_REM = 5
/** Enough rows for the first screen. */
const FIRST_SEEN = { first: 0, end: 50 }

interface FoundAnswer {
  readonly total: Hex
  readonly transactions: readonly RpcFoundTransaction[]
}

export function FoundTransactions({ search }: { search: Search }) {
  const seen = useSignal(FIRST_SEEN)
  // Rows are stored by their place counted from the oldest, which new transactions do not change.
  const rows = useMemo(() => new ListedRows<RpcFoundTransaction>(), [changesAt(PAST)])
  const { first: offset, end } = pagesOf(seen.value, Number.MAX_SAFE_INTEGER)
  const asked = useLiveLoad(
    async () => {
      const part = { ...search, offset, limit: Math.min(end - offset, 1_000) }
      const { total, transactions } = await request<FoundAnswer>('preseal_searchTransactions', [part])
      rows.take(Number(total) - offset - transactions.length, transactions.toReversed())
      return { total: Number(total) }
    },
    [rows, offset, end],
    changesAt(PENDING),
  )
  const total = asked.value.state === 'here' ? asked.value.value.total : 0
  const visible: RpcFoundTransaction[] = []
  for (let index = seen.value.first; index < Math.min(seen.value.end, total); index++) {
    const found = rows.at(total - 1 - index)
    if (found !== undefined) visible.push(found)
  }
  const targets = visible.flatMap(({ from, to }) => (to === null ? [from] : [from, to]))
  const known = useContracts(targets)
  const isLoose = search.state === 'waiting' || search.state === 'dropped' || search.state === 'reorged'
  const columns = isLoose ? LOOSE : PLACED
  return (
    <Answer asked={asked.value}>
      {() =>
        total === 0 ? (
          <Nothing>no such transaction on this chain</Nothing>
        ) : (
          <>
            <p class="quiet" role="status">
              {grouped(total)} {total === 1 ? 'transaction' : 'transactions'}, newest first
            </p>
            <VirtualRows
              label="transactions"
              columns={columns}
              count={total}
              grows="above"
              rowRem={isNarrow.value ? NARROW_ROW_REM : ROW_REM}
              keyOf={(index) => total - 1 - index}
              onShown={(first, end) => {
                seen.value = { first, end }
              }}
              row={(index) => {
                const found = rows.at(total - 1 - index)
                if (found === undefined) return columns.map((_, i) => (i === 1 ? '…' : ''))
                const { hash, from, to, input, value, state, blockNumber, timestamp, gasUsed } = found
                const sender = <Account key="from" address={from} known={known.value} />
                const created = found.contractAddress
                const recipient =
                  to !== null ? (
                    <Account key="to" address={to} known={known.value} />
                  ) : (
                    created && (
                      <>
                        new <Account address={created} known={known.value} />
                      </>
                    )
                  )
                return [
                  <StateBadge key="state" state={state} />,
                  <TransactionLink key="hash" hash={hash} />,
                  <>
                    <Method to={to} input={input} codecs={codecsFor(to, known.value)} withArguments />
                    {isNarrow.value && (
                      <>
                        <span class="second-line">from {sender}</span>
                        <span class="second-line">to {recipient}</span>
                      </>
                    )}
                  </>,
                  isNarrow.value ? '' : sender,
                  isNarrow.value ? '' : recipient,
                  <Wei key="value" amount={value} />,
                  ...(isLoose
                    ? [
                        <span key="reason" class="reason" title={found.reason ?? undefined}>
                          <Text limit={300}>{found.reason ?? ''}</Text>
                        </span>,
                      ]
                    : [
                        gasUsed && <Count key="gas" value={gasUsed} />,
                        blockNumber && <BlockLink key="block" id={blockNumber} />,
                        timestamp && <Time key="time" seconds={timestamp} />,
                      ]),
                ]
              }}
            />
          </>
        )
      }
    </Answer>
  )
}
