import { useSignal } from '@preact/signals'
import type { Hex } from '../../../bytes/hex.ts'
import type { RpcReceipt, RpcTransaction } from '../../../wire/encode.ts'
import { codecsFor, useContracts } from '../../decode/contracts.ts'
import { useLoad } from '../../live/load.ts'
import type { State } from '../../live/transactions.ts'
import { useKept } from '../../navigation.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Count, Time, Wei } from '../../parts/amounts.tsx'
import { AddressLink, BlockLink, TransactionLink } from '../../parts/links.tsx'
import { Method } from '../../parts/Method.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import { DataTable } from '../../parts/Table.tsx'
import { Pager } from '../../parts/Tabs.tsx'
import type { TransactionList } from '../../source/requests.ts'
import { request } from '../../source/source.ts'

const PAGE = 25

interface Found {
  readonly txs: readonly RpcTransaction[]
  readonly receipts: readonly (RpcReceipt & { readonly timestamp?: string | number })[]
  readonly lastPage: boolean
}

interface Row {
  readonly transaction: Pick<RpcTransaction, 'hash' | 'from' | 'to' | 'value' | 'input' | 'blockNumber'>
  readonly receipt: Found['receipts'][number] | undefined
}

export function TransactionsTab({ address }: { address: string }) {
  const before = useKept<readonly number[]>('transactions before', [])
  const asking = useSignal(0)
  // `ots_searchTransactionsBefore` returns the newest page for block 0.
  const from = before.value.at(-1) ?? 0
  const asked = useLoad(() => pageOf(address, from), [address, from, asking.value])
  return (
    <Answer asked={asked.value}>
      {(page) => (
        <>
          <Pager places={before} next={page.next}>
            <button
              type="button"
              onClick={() => {
                before.value = []
                asking.value++
              }}
            >
              newest
            </button>
          </Pager>
          <Transactions address={address} rows={page.rows} />
        </>
      )}
    </Answer>
  )
}

/** Resolves to a page of transactions before block `before`. `next` is the block before which the next page begins. */
async function pageOf(address: string, before: number) {
  const [found, open] = await Promise.all([
    request<Found>('ots_searchTransactionsBefore', [address, before, PAGE]),
    before === 0 ? inOpenBlock(address) : [],
  ])
  const sealed = found.txs.map((transaction, i) => ({ transaction, receipt: found.receipts[i] }))
  const oldest = found.txs.at(-1)
  const isLast = found.lastPage || oldest === undefined
  return { rows: [...open, ...sealed], next: isLast ? null : Number(oldest.blockNumber) }
}

/** Resolves to the newest pre-confirmed transactions of the account. */
async function inOpenBlock(address: string): Promise<readonly Row[]> {
  const part = { address, order: 'newest', limit: PAGE }
  const [pending, latest] = await Promise.all([
    request<TransactionList | null>('preseal_listTransactions', ['pending', part]),
    request<Hex>('eth_blockNumber'),
  ])
  // If no block is open, `pending` returns the latest block.
  if (pending === null || Number(pending.blockNumber) <= Number(latest)) return []
  const { blockNumber, transactions } = pending
  return transactions.map((one) => ({ transaction: { ...one, blockNumber }, receipt: undefined }))
}

function Transactions({ address, rows }: { address: string; rows: readonly Row[] }) {
  const targets = rows.flatMap(({ transaction: { to } }) => (to === null ? [] : [to]))
  const known = useContracts(targets, 'latest')
  if (rows.length === 0) return <Nothing>no transaction involves this account</Nothing>
  return (
    <DataTable
      label="transactions"
      class="account-transactions"
      names={['state', 'transaction', 'block', 'time', 'from', 'to', 'call']}
      numbers={['value', 'gas used']}
    >
      {rows.map(({ transaction, receipt }) => {
        const { hash, from, to, input, value, blockNumber } = transaction
        return (
          <tr key={hash}>
            <td>
              <StateBadge state={stateOf(receipt)} />
            </td>
            <td>
              <TransactionLink hash={hash} />
            </td>
            <td>{blockNumber !== null && <BlockLink id={blockNumber} />}</td>
            <td>{receipt?.timestamp !== undefined && <Time seconds={`${receipt.timestamp}`} />}</td>
            <td>
              <Party address={from} own={address} />
            </td>
            <td>
              {to === null ? (
                <Created address={receipt?.contractAddress} own={address} />
              ) : (
                <Party address={to} own={address} />
              )}
            </td>
            <td>
              <Method to={to} input={input} codecs={codecsFor(to, known.value)} />
            </td>
            <td class="end">
              <Wei amount={value} />
            </td>
            <td class="end">{receipt && <Count value={receipt.gasUsed} />}</td>
          </tr>
        )
      })}
    </DataTable>
  )
}

function stateOf(receipt: Row['receipt']): State {
  if (receipt === undefined) return 'preconfirmed'
  return Number(receipt.status) === 0 ? 'failed' : 'sealed'
}

function Party({ address, own }: { address: Hex; own: string }) {
  return address === own ? <span class="quiet">this account</span> : <AddressLink address={address} />
}

function Created({ address, own }: { address: Hex | null | undefined; own: string }) {
  return (
    <>
      <span class="quiet">creates</span> {address && <Party address={address} own={own} />}
    </>
  )
}
