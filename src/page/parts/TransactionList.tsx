/** A list of the transactions that fit a search, of any length, and the columns that lists of transactions share. */
import type { ComponentChildren } from 'preact'
import type { RpcFoundTransaction } from '../../wire/transactionSearch.ts'
import { type ContractsByAddress, codecsFor, useContracts } from '../decode/contracts.ts'
import { grouped } from '../format.ts'
import { useNewestFirst } from '../live/load.ts'
import { PENDING } from '../moment.ts'
import { findTransactions, type Search } from '../source/source.ts'
import { isNarrow } from '../theme.ts'
import { Answer, Nothing } from './Answer.tsx'
import { BlockLink, Count, StateBadge, Time, TransactionLink, Wei } from './chain.tsx'
import { Method } from './Decoded.tsx'
import { type Column, VirtualRows } from './tables.tsx'
import { Account, Text } from './Value.tsx'

type ShownTransaction = Pick<
  RpcFoundTransaction,
  'hash' | 'from' | 'to' | 'value' | 'input' | 'gasUsed' | 'contractAddress'
>

export const TRANSACTION_COLUMNS: readonly Column[] = [
  { name: 'transaction', width: '8.5rem', class: 'wide' },
  { name: 'call' },
  { name: 'from', class: 'wide' },
  { name: 'to', class: 'wide' },
  { name: 'value', class: 'end wide' },
  { name: 'gas used', width: '7rem', class: 'end wider' },
]

/** Height of a row in rem. A narrow screen shows link, call, sender and recipient in lines of one cell. */
export const transactionRowRem = () => (isNarrow.value ? 6.5 : 2)

export function transactionCells(
  { hash, from, to, value, input, gasUsed, contractAddress }: ShownTransaction,
  known: ContractsByAddress,
): ComponentChildren[] {
  const sender = <Account key="from" address={from} known={known} />
  const recipient =
    to !== null ? (
      <Account key="to" address={to} known={known} />
    ) : (
      contractAddress && (
        <>
          new <Account address={contractAddress} known={known} />
        </>
      )
    )
  const link = <TransactionLink key="hash" hash={hash} />
  const call = <Method key="call" to={to} input={input} codecs={codecsFor(to, known)} />
  if (isNarrow.value)
    return [
      '',
      <>
        {link}
        <span class="second-line">{call}</span>
        <span class="second-line">from {sender}</span>
        <span class="second-line">to {recipient}</span>
      </>,
      ...TRANSACTION_COLUMNS.slice(2).map(() => ''),
    ]
  return [
    link,
    call,
    sender,
    recipient,
    <Wei key="value" amount={value} />,
    gasUsed && <Count key="gas" value={gasUsed} />,
  ]
}

/** Returns the accounts in rows, for `useContracts`. */
export function partiesOf(rows: readonly (ShownTransaction | undefined)[]): string[] {
  return rows.flatMap((row) => (row === undefined ? [] : row.to === null ? [row.from] : [row.from, row.to]))
}

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
