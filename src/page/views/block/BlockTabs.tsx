import type { RpcBlob, RpcBlockSummary } from '../../../wire/blockContent.ts'
import type { RpcBlock } from '../../../wire/encode.ts'
import { changesAt } from '../../live/changes.ts'
import { useLiveLoad } from '../../live/load.ts'
import { PAST } from '../../moment.ts'
import { Answer, AnswerFields, type KnownField } from '../../parts/Answer.tsx'
import { Count, Wei } from '../../parts/amounts.tsx'
import { Copy, Field, Fields, Json } from '../../parts/Fields.tsx'
import { AddressLink, TransactionLink } from '../../parts/links.tsx'
import { DataTable } from '../../parts/Table.tsx'
import { request } from '../../source/source.ts'
import type { ShownBlock } from './block.ts'

/** Returns whether a block has no hash, because it is open or shown as of one of its slices. */
export function isUnsealed({ hash }: RpcBlockSummary): boolean {
  return hash === null || /^0x0*$/.test(hash)
}

export function Header({ block }: { block: RpcBlockSummary }) {
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

export function Blobs({ blobs }: { blobs: readonly RpcBlob[] }) {
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

export function BlockJson({ shown: { block, at, transactionCount } }: { shown: ShownBlock }) {
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
export interface Withdrawal {
  readonly index: string
  readonly validatorIndex: string
  readonly address: string
  /** The amount in gwei. */
  readonly amount: string
}

const MOST_SHOWN = 200

export function Withdrawals({ withdrawals }: { withdrawals: readonly Withdrawal[] }) {
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
