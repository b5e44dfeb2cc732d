/** The transactions of a block. */
import { useSignal } from '@preact/signals'
import { codecsFor, useContracts } from '../../decode/index.ts'
import { Method } from '../../decode/words.tsx'
import { Account } from '../../parts/Account.tsx'
import { Nothing } from '../../parts/Answer.tsx'
import { Count, Wei } from '../../parts/amounts.tsx'
import { AddressLink, TransactionLink } from '../../parts/links.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import { type Column, VirtualRows } from '../../parts/VirtualRows.tsx'
import type { WholeBlock } from './block.ts'

const COLUMNS: readonly Column[] = [
  { name: '#', width: '3rem', class: 'end wide' },
  { name: 'hash', width: '8.5rem' },
  { name: 'method' },
  { name: 'from', width: '9rem', class: 'wide' },
  { name: 'to', class: 'wide' },
  { name: 'value', class: 'end wide' },
  { name: 'gas', width: '7rem', class: 'end wide' },
  { name: 'status', width: '4.5rem' },
]

const FIRST_ROWS = 30

export function Transactions({ block, transactions, receipts }: WholeBlock) {
  const first = useSignal(0)
  const end = useSignal(FIRST_ROWS)
  const known = useContracts(
    // A block may have thousands: what is out of sight is not asked for.
    transactions.slice(first.value, end.value).flatMap(({ to }) => (to === null ? [] : [to])),
    block.hash === null ? 'pending' : block.number,
  )
  if (transactions.length === 0) return <Nothing>the block has no transactions</Nothing>
  return (
    <VirtualRows
      label="transactions"
      columns={COLUMNS}
      count={transactions.length}
      onShown={(from, to) => {
        first.value = from
        end.value = to
      }}
      keyOf={(index) => transactions[index]!.hash}
      row={(index) => {
        const { hash, from, to, input, value } = transactions[index]!
        const receipt = receipts.get(hash)
        const created = receipt?.contractAddress
        return [
          index,
          <TransactionLink key="hash" hash={hash} />,
          <Method key="method" to={to} input={input} codecs={codecsFor(to, known.value)} />,
          <AddressLink key="from" address={from} />,
          to !== null ? (
            <Account key="to" address={to} known={known.value} />
          ) : created ? (
            <span key="to">
              new <AddressLink address={created} />
            </span>
          ) : (
            ''
          ),
          <Wei key="value" amount={value} />,
          receipt && <Count key="gas" value={receipt.gasUsed} />,
          receipt &&
            (receipt.status === '0x0' ? (
              <StateBadge key="status" state="failed" />
            ) : (
              <span key="status">ok</span>
            )),
        ]
      }}
    />
  )
}
