import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { RpcBlob, RpcBlockSummary } from '../../../wire/blockContent.ts'
import type { RpcBlock } from '../../../wire/encode.ts'
import { useContracts } from '../../decode/contracts.ts'
import { changesAt, ListedRows, pagesOf, type Span, useLiveLoad } from '../../live/load.ts'
import { PAST } from '../../moment.ts'
import { Answer, AnswerFields, Field, Fields, type KnownField, Nothing } from '../../parts/Answer.tsx'
import { AddressLink, Count, StateBadge, TransactionLink, Wei } from '../../parts/chain.tsx'
import { Copy } from '../../parts/controls.tsx'
import { EventList, FIRST_EVENTS } from '../../parts/Decoded.tsx'
import { type Tab, tab } from '../../parts/Tabs.tsx'
import {
  partiesOf,
  TRANSACTION_COLUMNS,
  transactionCells,
  transactionRowRem,
} from '../../parts/TransactionList.tsx'
import { type Column, DataTable, MOST_PRINTED, VirtualRows } from '../../parts/tables.tsx'
import { Json } from '../../parts/Value.tsx'
import { type ListedTransaction, request } from '../../source/source.ts'
import type { ShownBlock } from './block.ts'

/** Returns whether a block has no hash, because it is open or shown as of one of its slices. */
export function isUnsealed({ hash }: RpcBlockSummary): boolean {
  return hash === null || /^0x0*$/.test(hash)
}

export function tabsOf(shown: ShownBlock): readonly (Tab | false)[] {
  const { block, transactionCount, logCount } = shown
  const withdrawals = (block.withdrawals ?? []) as readonly Withdrawal[]
  return [
    tab('transactions', 'Transactions', () => <Transactions shown={shown} />, transactionCount),
    tab('logs', 'Logs', () => <Logs shown={shown} />, logCount),
    tab('header', 'Header', () => <Header block={block} />),
    withdrawals.length > 0 &&
      tab('withdrawals', 'Withdrawals', () => <Withdrawals withdrawals={withdrawals} />, withdrawals.length),
    block.blobs.length > 0 && tab('blobs', 'Blobs', () => <Blobs blobs={block.blobs} />),
    tab('raw', 'JSON', () => <BlockJson shown={shown} />),
  ]
}

function Header({ block }: { block: RpcBlockSummary }) {
  const uncles = ((block.uncles ?? []) as readonly string[]).join(' ')
  return (
    <>
      {isUnsealed(block) && <p class="quiet">Hash and roots are computed when the block is sealed.</p>}
      <Fields>
        <AnswerFields answer={block} fields={HEADER_FIELDS} others={NOT_OF_HEADER} />
        <Field name="uncles" hint="none since the merge">
          {uncles === '' ? 'none' : <span class="id">{uncles}</span>}
        </Field>
      </Fields>
    </>
  )
}

function Blobs({ blobs }: { blobs: readonly RpcBlob[] }) {
  return (
    <DataTable
      label="blobs"
      columns={[{ name: '#' }, { name: 'transaction' }, { name: 'versioned hash' }]}
      rows={blobs.map(({ versionedHash, transactionHash }, index) => [
        <span class="number">{index}</span>,
        <TransactionLink hash={transactionHash} />,
        <>
          <span class="id bytes">{versionedHash}</span>{' '}
          <Copy text={versionedHash} what="the versioned hash" />
        </>,
      ])}
    />
  )
}

/** If a block has more transactions, the tab JSON omits their hashes. */
const MOST_TRANSACTIONS = 1_000

function BlockJson({ shown: { block, at, transactionCount } }: { shown: ShownBlock }) {
  const isLong = transactionCount > MOST_TRANSACTIONS
  const asked = useLiveLoad<unknown>(
    () =>
      isLong
        ? Promise.resolve(undefined)
        : request<RpcBlock | null>(at.length === 66 ? 'eth_getBlockByHash' : 'eth_getBlockByNumber', [
            at,
            false,
          ]),
    [at, transactionCount],
    changesAt(PAST),
  )
  return (
    <>
      {isLong && (
        <p class="quiet">
          without the hashes of its <Count value={transactionCount} /> transactions, as{' '}
          <code>preseal_getBlockSummary</code> has it
        </p>
      )}
      <Answer asked={asked.value}>
        {(whole) => <Json value={isLong ? block : whole} what={`block ${Number(block.number)}`} />}
      </Answer>
    </>
  )
}

/** A withdrawal (EIP-4895). */
interface Withdrawal {
  readonly index: string
  readonly validatorIndex: string
  readonly address: string
  /** The amount in gwei. */
  readonly amount: string
}

const MOST_SHOWN = 200

function Withdrawals({ withdrawals }: { withdrawals: readonly Withdrawal[] }) {
  return (
    <>
      <p class="quiet">
        Stakes and rewards that the consensus layer paid at the end of the block, without transactions or gas
        (EIP-4895).
      </p>
      <DataTable
        label="withdrawals"
        class="withdrawals"
        columns={[
          { name: 'address' },
          { name: 'amount', class: 'end' },
          { name: 'validator', class: 'end' },
          { name: 'index', class: 'end' },
        ]}
        rows={withdrawals
          .slice(0, MOST_SHOWN)
          .map(({ index, validatorIndex, address, amount }) => [
            <AddressLink address={address} />,
            <Wei amount={BigInt(amount) * 10n ** 9n} />,
            <span class="number">{String(BigInt(validatorIndex))}</span>,
            <span class="number">{String(BigInt(index))}</span>,
          ])}
      />
      {withdrawals.length > MOST_SHOWN && (
        <p class="quiet">{withdrawals.length - MOST_SHOWN} more are in the tab JSON.</p>
      )}
    </>
  )
}

const HEADER_FIELDS: readonly KnownField[] = [
  ['number', 'number', 'number of earlier blocks', 'count'],
  ['hash', 'hash', 'keccak-256 of the header; a block under construction has none yet', 'hex'],
  ['parentHash', 'parent', 'hash of the previous block', 'block'],
  ['timestamp', 'time', 'of the chain, in seconds since 1970', 'time'],
  ['gasUsed', 'gas used', 'by all its transactions', 'count'],
  ['gasLimit', 'gas limit', 'maximum gas that its transactions may use', 'count'],
  ['baseFeePerGas', 'base fee', 'burnt for each unit of gas (EIP-1559)', 'wei'],
  ['miner', 'fee recipient', 'account that receives the tips (coinbase)', 'address'],
  ['size', 'size', 'bytes of the block in RLP', 'count'],
  ['difficulty', 'difficulty', 'of proof of work; zero since the merge', 'count'],
  ['totalDifficulty', 'total difficulty', 'of this block and all before it', 'count'],
  ['mixHash', 'prevRandao', 'value of PREVRANDAO (EIP-4399)', 'hex'],
  ['nonce', 'nonce', 'of proof of work; zero since the merge', 'hex'],
  ['extraData', 'extra data', 'arbitrary bytes of the builder', 'bytes'],
  ['stateRoot', 'state root', 'root of the trie of all accounts after the block', 'hex'],
  ['transactionsRoot', 'transactions root', 'root of the trie of its transactions', 'hex'],
  ['receiptsRoot', 'receipts root', 'root of the trie of its receipts', 'hex'],
  ['logsBloom', 'logs bloom', 'filter over the addresses and topics of its logs', 'bytes'],
  ['sha3Uncles', 'uncles hash', 'hash of the list of uncles, which is empty since the merge', 'hex'],
  ['withdrawalsRoot', 'withdrawals root', 'root of the trie of its withdrawals (EIP-4895)', 'hex'],
  ['blobGasUsed', 'blob gas used', '131 072 for each blob (EIP-4844)', 'count'],
  ['excessBlobGas', 'excess blob gas', 'determines the blob base fee (EIP-4844)', 'count'],
  ['parentBeaconBlockRoot', 'parent beacon root', 'root of the previous beacon block (EIP-4788)', 'hex'],
  ['requestsHash', 'requests hash', 'of the requests to the consensus layer (EIP-7685)', 'hex'],
]

const NOT_OF_HEADER = [
  'transactions',
  'uncles',
  'withdrawals',
  'transactionCount',
  'logCount',
  'fees',
  'blobs',
  'removed',
]

const COLUMNS: readonly Column[] = [
  { name: '#', width: '3rem', class: 'end wide' },
  ...TRANSACTION_COLUMNS,
  { name: 'status', width: '4.5rem' },
]

const FIRST_SEEN: Span = { first: 0, end: 30 }
const OTHERS_AFTER_MS = 1_000

function Transactions({ shown }: { shown: ShownBlock }) {
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

function Logs({ shown: { block, at, content, logCount } }: { shown: ShownBlock }) {
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
