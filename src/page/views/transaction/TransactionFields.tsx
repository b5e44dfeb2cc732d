import type { Hex } from '../../../bytes/hex.ts'
import { loaded, useLoad } from '../../live/load.ts'
import { Field, type KnownField } from '../../parts/Answer.tsx'
import { AddressLink, Count } from '../../parts/chain.tsx'
import { request } from '../../source/source.ts'
import { type Authorization, authorityIn, recoveryOf } from './transaction.ts'

/** Names of transaction types (EIP-2718). */
export const TYPES: Readonly<Record<string, string>> = {
  '0x0': 'legacy',
  '0x1': 'with an access list (EIP-2930)',
  '0x2': 'with a fee market (EIP-1559)',
  '0x3': 'with blobs (EIP-4844)',
  '0x4': 'with authorizations (EIP-7702)',
  '0x7e': 'deposit of an OP chain',
}

export const TRANSACTION_FIELDS: readonly KnownField[] = [
  ['nonce', 'nonce', 'number of earlier transactions of the sender', 'count'],
  ['transactionIndex', 'index', 'position in the block', 'count'],
  ['gas', 'gas limit', 'maximum gas that it may use', 'count'],
  ['gasPrice', 'gas price', 'paid for each unit of gas; until inclusion, the maximum', 'wei'],
  ['maxFeePerGas', 'max fee', 'maximum price for each unit of gas, tip included', 'wei'],
  ['maxPriorityFeePerGas', 'max tip', 'maximum paid to the fee recipient for each unit of gas', 'wei'],
  ['maxFeePerBlobGas', 'max blob fee', 'maximum price for each unit of blob gas', 'wei'],
  ['chainId', 'chain', 'the chain for which it is signed', 'id'],
  ['sourceHash', 'source hash', 'where on L1 the deposit came from', 'hex'],
  ['mint', 'mint', 'ether that the deposit makes on L2', 'wei'],
  ['depositReceiptVersion', 'deposit receipt version', 'form of the receipt of a deposit', 'count'],
]

export const SIGNATURE_FIELDS: readonly KnownField[] = [
  ['v', 'v', 'parity of the public key; for legacy transactions, with the chain id', 'count'],
  ['yParity', 'y parity', 'parity of the public key', 'count'],
  ['r', 'r', 'first half of the signature', 'hex'],
  ['s', 's', 'second half of the signature', 'hex'],
]

/** Members of a transaction that other parts of the view show. */
export const SHOWN_ELSEWHERE = [
  'hash',
  'from',
  'to',
  'value',
  'input',
  'type',
  'blockNumber',
  'blockHash',
  'blockTimestamp',
  'accessList',
  'authorizationList',
  'blobVersionedHashes',
  ...SIGNATURE_FIELDS.map(([member]) => member),
]

export const RECEIPT_FIELDS: readonly KnownField[] = [
  ['cumulativeGasUsed', 'cumulative gas', 'of this transaction and all before it in the block', 'count'],
  ['effectiveGasPrice', 'price paid', 'for each unit of gas', 'wei'],
  ['blobGasUsed', 'blob gas used', '131,072 for each blob', 'count'],
  ['blobGasPrice', 'blob price paid', 'for each unit of blob gas', 'wei'],
  ['contractAddress', 'created contract', 'the account that the transaction created', 'address'],
  ['root', 'state root', 'after the transaction, before Byzantium (EIP-658)', 'hex'],
  ['depositNonce', 'deposit nonce', 'nonce of the sender of a deposit', 'count'],
  ['l1Fee', 'L1 fee', 'paid for the data that goes to L1', 'wei'],
  ['l1GasUsed', 'L1 gas', 'of the data that goes to L1', 'count'],
  ['l1GasPrice', 'L1 base fee', 'of the newest L1 block that the L2 knows', 'wei'],
  ['l1BlobBaseFee', 'L1 blob base fee', 'of the newest L1 block that the L2 knows', 'wei'],
  ['l1BaseFeeScalar', 'L1 base fee scalar', 'weight of the L1 base fee, in millionths', 'count'],
  [
    'l1BlobBaseFeeScalar',
    'L1 blob base fee scalar',
    'weight of the L1 blob base fee, in millionths',
    'count',
  ],
  ['operatorFeeScalar', 'operator fee scalar', 'weight of the gas used, in millionths', 'count'],
  ['operatorFeeConstant', 'operator fee constant', 'paid by each transaction', 'wei'],
  ['daFootprintGasScalar', 'DA footprint scalar', 'gas for each byte of compressed data', 'count'],
]

/** Members of a receipt that other parts of the view show, or that are members of the transaction too. */
export const RECEIPT_ELSEWHERE = [
  ...SHOWN_ELSEWHERE,
  ...TRANSACTION_FIELDS.map(([member]) => member),
  ...['gasUsed', 'logsBloom', 'status', 'logs', 'transactionHash'],
]

type AccessListEntry = { readonly address: string; readonly storageKeys: readonly string[] }

export function AccessList({ list }: { list: readonly AccessListEntry[] }) {
  return (
    <Field name="access list" hint="accounts and slots that are warm from the start (EIP-2930)">
      <ul class="plain-list">
        {list.map(({ address, storageKeys }, i) => (
          <li key={i}>
            <AddressLink address={address} whole />
            {storageKeys.map((key) => (
              <div class="id" key={key}>
                {key}
              </div>
            ))}
          </li>
        ))}
      </ul>
    </Field>
  )
}

export function Authorizations({ list }: { list: readonly Authorization[] }) {
  return (
    <Field name="authorizations" hint="accounts that delegate to the code of others (EIP-7702)">
      <ul class="plain-list">
        {list.map((authorization, i) => (
          <li key={i}>
            <OneAuthorization authorization={authorization} />
          </li>
        ))}
      </ul>
    </Field>
  )
}

function OneAuthorization({ authorization }: { authorization: Authorization }) {
  const { chainId, address, nonce } = authorization
  const recovery = recoveryOf(authorization)
  const asked = useLoad(
    () => request<Hex>('eth_call', [recovery, 'latest']).then(authorityIn),
    [recovery.data],
  )
  const authority = loaded(asked.value)
  return (
    <>
      {authority === undefined ? (
        <span class="quiet">unknown signer</span>
      ) : (
        <AddressLink address={authority} />
      )}{' '}
      {/^0x0*$/.test(address) ? (
        'ends its delegation'
      ) : (
        <>
          delegates to <AddressLink address={address} />
        </>
      )}
      , nonce <Count value={nonce} />,{' '}
      {BigInt(chainId) === 0n ? 'on any chain' : `on chain ${BigInt(chainId)}`}
    </>
  )
}
