/** A transaction's call, its failure, its fees, and all its fields. */
import { decodeCall, decodeResult } from '../../decode/decode.ts'
import { codecsFor, useContracts } from '../../decode/index.ts'
import { useAsked } from '../../live/asked.ts'
import { Account } from '../../parts/Account.tsx'
import { AnswerFields } from '../../parts/AnswerFields.tsx'
import { Count, Time, Wei } from '../../parts/amounts.tsx'
import { Bytes } from '../../parts/Bytes.tsx'
import { Field, Fields } from '../../parts/Fields.tsx'
import { AddressLink, BlockLink } from '../../parts/links.tsx'
import { Text } from '../../parts/Text.tsx'
import { Values } from '../../parts/Value.tsx'
import type { BlockAnswer, Hex, TransactionAnswer } from '../../source/answers.ts'
import { source } from '../../source/index.ts'
import { ConsoleLines } from './ConsoleLines.tsx'
import type { CallFrame } from './callTree.ts'
import { Failure } from './Failure.tsx'
import { blockOf, feesOf, type WholeTransaction } from './transaction.ts'
import {
  RECEIPT_ELSEWHERE,
  RECEIPT_FIELDS,
  SHOWN_ELSEWHERE,
  SIGNATURE_FIELDS,
  TRANSACTION_FIELDS,
  TYPES,
} from './transactionFields.ts'

export function Overview({
  whole,
  hash,
  root,
}: {
  whole: WholeTransaction
  hash: string
  root: CallFrame | undefined
}) {
  const { transaction, receipt, explained } = whole
  const at = blockOf(whole)
  if (transaction === null) return <p class="quiet">What it would have done is not kept.</p>
  const { type, blobVersionedHashes, accessList, authorizationList } = transaction
  return (
    <>
      {explained.failure !== undefined && at !== undefined && (
        <Failure hash={hash} failure={explained.failure} at={at} />
      )}
      <Call transaction={transaction} root={root} at={at} created={receipt?.contractAddress ?? null} />
      {root !== undefined && at !== undefined && <ConsoleLines hash={hash} root={root} at={at} isBrief />}
      {receipt !== null && (
        <>
          <h2>Receipt</h2>
          <Fields>
            <Field name="status">{receipt.status === '0x0' ? 'failed' : 'success'}</Field>
            <Field name="block">
              <BlockLink id={receipt.blockNumber} />{' '}
              {typeof transaction.blockTimestamp === 'string' && (
                <Time seconds={transaction.blockTimestamp} />
              )}
            </Field>
            <Fees whole={whole} />
            <AnswerFields answer={receipt} fields={RECEIPT_FIELDS} others={RECEIPT_ELSEWHERE} />
          </Fields>
        </>
      )}
      <h2>Transaction</h2>
      <Fields>
        <Field name="type" hint="EIP-2718">
          {Number(type)} <span class="quiet">{TYPES[type]}</span>
        </Field>
        <Field name="from">
          <AddressLink address={transaction.from} whole />
        </Field>
        <Field name="to">
          {transaction.to === null ? 'creates a contract' : <AddressLink address={transaction.to} whole />}
        </Field>
        <Field name="value">
          <Wei amount={transaction.value} />
        </Field>
        <AnswerFields answer={transaction} fields={TRANSACTION_FIELDS} others={SHOWN_ELSEWHERE} />
        <Field name="input" hint="calldata, or the code of a creation">
          <Bytes hex={transaction.input} what="the input" />
        </Field>
        {blobVersionedHashes !== undefined && (
          <Field name="blobs" hint="versioned hashes">
            {(blobVersionedHashes as readonly string[]).map((blob) => (
              <div class="id" key={blob}>
                {blob}
              </div>
            ))}
          </Field>
        )}
        {Array.isArray(accessList) && accessList.length > 0 && <AccessList list={accessList} />}
        {Array.isArray(authorizationList) && <Authorizations list={authorizationList} />}
      </Fields>
      <details class="signature">
        <summary>signature</summary>
        <Fields>
          <AnswerFields answer={pick(transaction)} fields={SIGNATURE_FIELDS} />
        </Fields>
      </details>
    </>
  )
}

function pick(transaction: TransactionAnswer): Record<string, unknown> {
  return Object.fromEntries(SIGNATURE_FIELDS.map(([name]) => [name, transaction[name]]))
}

/** What the transaction calls, decoded: arguments and, of what succeeded, the returned values. */
function Call({
  transaction: { to, input },
  root,
  at,
  created,
}: {
  transaction: TransactionAnswer
  root: CallFrame | undefined
  at: string | undefined
  created: Hex | null
}) {
  const target = to ?? created
  const known = useContracts(target === null ? [] : [target], at)
  if (to === null) {
    return (
      <>
        <h2>Creation</h2>
        <p>
          {created === null ? 'a contract' : <Account address={created} known={known.value} whole />} from{' '}
          <Count value={(input.length - 2) / 2} /> bytes of code and arguments
        </p>
      </>
    )
  }
  if (input === '0x') return null
  const codecs = codecsFor(to, known.value)
  const call = decodeCall(input, codecs)
  const isDone = root !== undefined && root.error === undefined && root.output !== undefined
  const result = isDone ? decodeResult(input, root.output!, codecs) : undefined
  return (
    <>
      <h2>Call</h2>
      {call === undefined ? (
        <p>
          <span class="id">{input.slice(0, 10)}</span>{' '}
          <span class="quiet">
            no known ABI has this function: artifacts or <code>devnet.abis.add</code> make it known
          </span>
        </p>
      ) : (
        <>
          <p>
            <strong>
              <Text limit={80}>{call.name}</Text>
            </strong>{' '}
            <span class="quiet">
              <Text>{call.signature}</Text> {call.stateMutability}
            </span>
          </p>
          <Values values={call.args} />
        </>
      )}
      {result !== undefined && result.length > 0 && (
        <>
          <h3>returned</h3>
          <Values values={result} />
        </>
      )}
    </>
  )
}

function Fees({ whole: { transaction, receipt } }: { whole: WholeTransaction }) {
  const number = receipt!.blockNumber
  const block = useAsked(
    () =>
      source()
        .request<BlockAnswer | null>('eth_getBlockByNumber', [number, false])
        .catch(() => null),
    [number],
  )
  const own = block.value.state === 'here' ? block.value.value : null
  const fees = feesOf(receipt!, own?.baseFeePerGas)
  if (transaction!.type === '0x7e') return null
  const sum = fees.reduce((total, { amount }) => total + amount, 0n)
  return (
    <Field name="fee" hint="what the sender paid besides the value">
      <Wei amount={hex(sum)} />
      {fees.length > 0 && (
        <span class="fee-parts">
          {fees.map(({ name, hint, amount }) => (
            <span key={name} title={hint}>
              {name} <Wei amount={hex(amount)} />
            </span>
          ))}
        </span>
      )}
    </Field>
  )
}

function hex(amount: bigint): string {
  return `0x${amount.toString(16)}`
}

function AccessList({
  list,
}: {
  list: readonly { readonly address: string; readonly storageKeys: readonly string[] }[]
}) {
  return (
    <Field name="access list" hint="accounts and slots that are warm from the beginning (EIP-2930)">
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

interface Authorization {
  readonly chainId: string
  readonly address: string
  readonly nonce: string
}

function Authorizations({ list }: { list: readonly Authorization[] }) {
  return (
    <Field name="authorizations" hint="accounts that take the code of others (EIP-7702)">
      <ul class="plain-list">
        {list.map(({ chainId, address, nonce }, i) => (
          <li key={i}>
            code of <AddressLink address={address} />, nonce <Count value={nonce} />,{' '}
            {BigInt(chainId) === 0n ? 'on any chain' : `on chain ${BigInt(chainId)}`}
          </li>
        ))}
      </ul>
    </Field>
  )
}
