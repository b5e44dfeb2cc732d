/** A list of the transactions that fit a search, of any length: only the visible part is requested. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Hex } from '../../../bytes/hex.ts'
import type { RpcFoundTransaction } from '../../../wire/transactionSearch.ts'
import { useContracts } from '../../decode/contracts.ts'
import { grouped } from '../../format.ts'
import { changesAt } from '../../live/changes.ts'
import { useLiveLoad } from '../../live/load.ts'
import { ListedRows, pagesOf } from '../../live/pages.ts'
import { PAST, PENDING } from '../../moment.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Time } from '../../parts/amounts.tsx'
import { BlockLink } from '../../parts/links.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import {
  partiesOf,
  TRANSACTION_COLUMNS,
  transactionCells,
  transactionRowRem,
} from '../../parts/transactionCells.tsx'
import { Text } from '../../parts/Value.tsx'
import { type Column, VirtualRows } from '../../parts/VirtualRows.tsx'
import { request } from '../../source/source.ts'
import type { Search } from './search.ts'
import './transactions.css'

const PLACED: readonly Column[] = [
  { name: 'state', width: '7.5rem' },
  ...TRANSACTION_COLUMNS,
  { name: 'block', width: '6rem', class: 'wide' },
  { name: 'time', width: '7rem', class: 'wider' },
]

/** Transactions in no block have a reason in place of gas, block and time. */
const LOOSE: readonly Column[] = [...PLACED.slice(0, 6), { name: 'reason', class: 'wide' }]

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
  const known = useContracts(partiesOf(visible))
  const isLoose = search.state === 'waiting' || search.state === 'dropped' || search.state === 'reorged'
  const columns = isLoose ? LOOSE : PLACED
  return (
    <Answer asked={asked.value}>
      {() =>
        total === 0 ? (
          <Nothing>no such transaction on this chain</Nothing>
        ) : (
          <div class="transactions">
            <p class="quiet" role="status">
              {grouped(total)} {total === 1 ? 'transaction' : 'transactions'}, newest first
            </p>
            <VirtualRows
              label="transactions"
              columns={columns}
              count={total}
              grows="above"
              rowRem={transactionRowRem()}
              keyOf={(index) => total - 1 - index}
              onShown={(first, end) => {
                seen.value = { first, end }
              }}
              row={(index) => {
                const found = rows.at(total - 1 - index)
                if (found === undefined) return columns.map((_, i) => (i === 1 ? '…' : ''))
                const { state, blockNumber, timestamp, reason } = found
                const cells = transactionCells(found, known.value)
                return [
                  <StateBadge key="state" state={state} />,
                  ...cells.slice(0, isLoose ? 5 : 6),
                  ...(isLoose
                    ? [
                        <span key="reason" class="reason" title={reason ?? undefined}>
                          <Text limit={300}>{reason ?? ''}</Text>
                        </span>,
                      ]
                    : [
                        blockNumber && <BlockLink key="block" id={blockNumber} />,
                        timestamp && <Time key="time" seconds={timestamp} />,
                      ]),
                ]
              }}
            />
          </div>
        )
      }
    </Answer>
  )
}
