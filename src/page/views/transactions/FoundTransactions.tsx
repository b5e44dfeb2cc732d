/** A list of the transactions that fit a search, of any length: only the visible part is requested. */
import type { RpcFoundTransaction } from '../../../wire/transactionSearch.ts'
import { useContracts } from '../../decode/contracts.ts'
import { grouped } from '../../format.ts'
import { useNewestFirst } from '../../live/pages.ts'
import { PENDING } from '../../moment.ts'
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
import { findTransactions, type Search } from '../../source/requests.ts'
import './transactions.css'

const PLACED: readonly Column[] = [
  { name: 'state', width: '7.5rem' },
  ...TRANSACTION_COLUMNS,
  { name: 'block', width: '6rem', class: 'wide' },
  { name: 'time', width: '7rem', class: 'wider' },
]

/** Transactions in no block have a reason in place of gas, block and time. */
const LOOSE: readonly Column[] = [...PLACED.slice(0, 6), { name: 'reason', class: 'wide' }]

export function FoundTransactions({ search }: { search: Search }) {
  const { asked, total, seen, at, ...virtual } = useNewestFirst(
    async (offset, limit) => {
      const { total, transactions } = await findTransactions({ ...search, offset, limit })
      return { total, rows: transactions }
    },
    [],
    PENDING,
  )
  const visible: RpcFoundTransaction[] = []
  for (let index = seen.first; index < Math.min(seen.end, total); index++) {
    const found = at(index)
    if (found !== undefined) visible.push(found)
  }
  const known = useContracts(partiesOf(visible))
  const isLoose = search.state === 'waiting' || search.state === 'dropped' || search.state === 'reorged'
  const columns = isLoose ? LOOSE : PLACED
  return (
    <Answer asked={asked}>
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
              {...virtual}
              row={(index) => {
                const found = at(index)
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
