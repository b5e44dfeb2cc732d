import type { RpcBlob, RpcBlockSummary } from '../../../wire/blockContent.ts'
import type { RpcBlock } from '../../../wire/encode.ts'
import { changesAt } from '../../live/changes.ts'
import { useLiveLoad } from '../../live/load.ts'
import { PAST } from '../../moment.ts'
import { Answer, type KnownField } from '../../parts/Answer.tsx'
import { Count, Wei } from '../../parts/amounts.tsx'
import { Copy, Json } from '../../parts/Fields.tsx'
import { AddressLink, TransactionLink } from '../../parts/links.tsx'
import { TableHead, WideTable } from '../../parts/Table.tsx'
import { request } from '../../source/source.ts'
import type { ShownBlock } from './block.ts'

/** Returns whether a block has no hash, because it is open or shown as of one of its slices. */
export function isUnsealed({ hash }: RpcBlockSummary): boolean {
  return hash === null || /^0x0*$/.test(hash)
}

export function Blobs({ blobs }: { blobs: readonly RpcBlob[] }) {
  return (
    <WideTable label="blobs">
      <table aria-label="blobs">
        <TableHead names={['#', 'transaction', 'versioned hash']} />
        <tbody>
          {blobs.map(({ versionedHash, transactionHash }, index) => (
            <tr key={versionedHash + String(index)}>
              <td class="number">{index}</td>
              <td>
                <TransactionLink hash={transactionHash} />
              </td>
              <td>
                <span class="id bytes">{versionedHash}</span>{' '}
                <Copy text={versionedHash} what="the versioned hash" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
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
      <WideTable label="withdrawals">
        <table class="withdrawals" aria-label="withdrawals">
          <TableHead names={['address']} numbers={['amount', 'validator', 'index']} />
          <tbody>
            {withdrawals.slice(0, MOST_SHOWN).map(({ index, validatorIndex, address, amount }) => (
              <tr key={index}>
                <td>
                  <AddressLink address={address} />
                </td>
                <td class="end">
                  <Wei amount={BigInt(amount) * 10n ** 9n} />
                </td>
                <td class="end number">{String(BigInt(validatorIndex))}</td>
                <td class="end number">{String(BigInt(index))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {withdrawals.length > MOST_SHOWN && (
        <p class="quiet">{withdrawals.length - MOST_SHOWN} more are in the tab JSON.</p>
      )}
    </>
  )
}

export const HEADER_FIELDS: readonly KnownField[] = [
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

export const NOT_OF_HEADER = [
  'transactions',
  'uncles',
  'withdrawals',
  'transactionCount',
  'logCount',
  'fees',
  'blobs',
  'removed',
]
