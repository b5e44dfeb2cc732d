/** The columns that lists of transactions share. */
import type { ComponentChildren } from 'preact'
import type { Address, Hex } from '../../bytes/hex.ts'
import { type ContractsByAddress, codecsFor } from '../decode/contracts.ts'
import { isNarrow } from '../theme.ts'
import { Account } from './Account.tsx'
import { Count, Wei } from './amounts.tsx'
import { TransactionLink } from './links.tsx'
import { Method } from './Method.tsx'
import type { Column } from './VirtualRows.tsx'

interface ShownTransaction {
  readonly hash: string
  readonly from: Address
  readonly to: Address | null
  readonly value: Hex
  readonly input: Hex
  readonly gasUsed: Hex | null
  readonly contractAddress: Address | null
}

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
