/** The transactions that involve an account, the newest first, a page at a time. */
import { useSignal } from '@preact/signals'
import { decodeCall } from '../../decode/decode.ts'
import { codecsFor, useContracts } from '../../decode/index.ts'
import { useAsked } from '../../live/asked.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Count, Time, Wei } from '../../parts/amounts.tsx'
import { AddressLink, BlockLink, TransactionLink } from '../../parts/links.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import { Text } from '../../parts/Text.tsx'
import type { BlockAnswer, Hex, ReceiptAnswer, TransactionAnswer } from '../../source/answers.ts'
import { source } from '../../source/index.ts'
import { WideTable } from './WideTable.tsx'

const PAGE = 25

/** The answer of `ots_searchTransactionsBefore`. */
interface Found {
  readonly txs: readonly TransactionAnswer[]
  readonly receipts: readonly (ReceiptAnswer & { readonly timestamp?: string | number })[]
  readonly firstPage: boolean
  readonly lastPage: boolean
}

interface Row {
  readonly transaction: TransactionAnswer
  readonly receipt: Found['receipts'][number] | undefined
}

interface Page {
  readonly rows: readonly Row[]
  readonly open: readonly Row[]
  readonly isFirst: boolean
  readonly isLast: boolean
}

export function TransactionsTab({ address }: { address: string }) {
  /** The block before which the page begins; zero: the newest. Those of the pages before are kept, to go back. */
  const before = useSignal<readonly number[]>([0])
  const asking = useSignal(0)
  const from = before.value.at(-1)!
  const asked = useAsked(() => pageOf(address, from), [address, from, asking.value])
  return (
    <Answer asked={asked.value}>
      {(page) => (
        <>
          <p class="pager">
            <button
              type="button"
              onClick={() => {
                before.value = [0]
                asking.value++
              }}
            >
              newest
            </button>
            <button
              type="button"
              disabled={before.value.length === 1}
              onClick={() => {
                before.value = before.value.slice(0, -1)
              }}
            >
              newer
            </button>
            <button
              type="button"
              disabled={page.isLast || page.rows.length === 0}
              onClick={() => {
                before.value = [...before.value, Number(page.rows.at(-1)!.transaction.blockNumber)]
              }}
            >
              older
            </button>
          </p>
          <Transactions address={address} rows={[...page.open, ...page.rows]} />
        </>
      )}
    </Answer>
  )
}

async function pageOf(address: string, before: number): Promise<Page> {
  const [found, open] = await Promise.all([
    source().request<Found>('ots_searchTransactionsBefore', [address, before, PAGE]),
    before === 0 ? openBlock() : [],
  ])
  const rows = found.txs.map((transaction, i) => ({ transaction, receipt: found.receipts[i] }))
  return {
    rows,
    open: open
      .filter((one) => one.from === address || one.to === address)
      .reverse()
      .slice(0, PAGE)
      .map((transaction) => ({ transaction, receipt: undefined })),
    isFirst: found.firstPage,
    isLast: found.lastPage,
  }
}

/** Resolves with the transactions that are pre-confirmed and not sealed. */
async function openBlock(): Promise<readonly TransactionAnswer[]> {
  const [pending, latest] = await Promise.all(
    ['pending', 'latest'].map((tag) =>
      source().request<BlockAnswer | null>('eth_getBlockByNumber', [tag, tag === 'pending']),
    ),
  )
  if (!pending || pending.number === latest?.number) return []
  return pending.transactions.filter((one): one is TransactionAnswer => typeof one !== 'string')
}

function Transactions({ address, rows }: { address: string; rows: readonly Row[] }) {
  const targets = rows.flatMap(({ transaction: { to } }) => (to === null ? [] : [to]))
  const known = useContracts(targets, 'latest')
  if (rows.length === 0) return <Nothing>no transaction involves this account</Nothing>
  return (
    <WideTable label="transactions">
      <table>
        <thead>
          <tr>
            {['state', 'transaction', 'block', 'time', 'from', 'to', 'call', 'value', 'gas used'].map(
              (name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ transaction, receipt }) => {
            const { hash, from, to, input, value, blockNumber } = transaction
            const call = decodeCall(input, codecsFor(to, known.value))
            return (
              <tr key={hash}>
                <td>
                  <StateBadge
                    state={
                      receipt === undefined
                        ? 'preconfirmed'
                        : Number(receipt.status) === 0
                          ? 'failed'
                          : 'sealed'
                    }
                  />
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
                <td>{call ? <Text limit={60}>{call.name}</Text> : <Selector input={input} to={to} />}</td>
                <td>
                  <Wei amount={value} />
                </td>
                <td>{receipt && <Count value={receipt.gasUsed} />}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </WideTable>
  )
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

function Selector({ input, to }: { input: Hex; to: Hex | null }) {
  if (to === null) return <span class="quiet">creation</span>
  return input === '0x' ? <span class="quiet">transfer</span> : <code>{input.slice(0, 10)}</code>
}
