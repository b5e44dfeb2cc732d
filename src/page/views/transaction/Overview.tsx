/** The overview of a transaction: call, failure, fees and all fields. */
import type { Hex } from '../../../bytes/hex.ts'
import type { SolidityFrame } from '../../../solidity/stackTrace/format.ts'
import type { RpcBlock, RpcTransaction } from '../../../wire/encode.ts'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { percent } from '../../format.ts'
import { loaded, useLoad } from '../../live/load.ts'
import { hrefOf, route } from '../../navigation.ts'
import { AnswerFields } from '../../parts/Answer.tsx'
import { Count, Time, Wei } from '../../parts/amounts.tsx'
import { Bytes, Field, Fields } from '../../parts/Fields.tsx'
import { Hint } from '../../parts/Hint.tsx'
import { AddressLink, BlockLink } from '../../parts/links.tsx'
import { SourceExcerpt } from '../../parts/SourceText.tsx'
import { Text } from '../../parts/Value.tsx'
import type { Explained } from '../../source/requests.ts'
import { request } from '../../source/source.ts'
import { Call } from './Call.tsx'
import { ConsoleLines } from './ConsoleLines.tsx'
import { Transfers } from './Transfers.tsx'
import {
  type Authorization,
  authorityIn,
  blockOf,
  feesOf,
  recoveryOf,
  type WholeTransaction,
} from './transaction.ts'
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
  root: RpcCallFrame | undefined
}) {
  const { transaction, receipt, explained } = whole
  const at = blockOf(whole)
  if (transaction === null) return <p class="quiet">Its content is no longer known.</p>
  const { type, blobVersionedHashes, accessList, authorizationList } = transaction
  return (
    <>
      {explained.failure !== undefined && at !== undefined && (
        <Failure hash={hash} failure={explained.failure} at={at} />
      )}
      <Call
        transaction={transaction}
        root={root}
        at={at}
        created={receipt?.contractAddress ?? null}
        hasFailed={receipt?.status === '0x0'}
      />
      {at !== undefined && receipt !== null && <Transfers root={root} logs={receipt.logs} at={at} />}
      {root !== undefined && at !== undefined && <ConsoleLines hash={hash} root={root} at={at} isBrief />}
      {receipt !== null && (
        <>
          <h2>Receipt</h2>
          <Fields>
            <Field name="status">{receipt.status === '0x0' ? 'failed' : 'success'}</Field>
            <Field name="block">
              <BlockLink id={receipt.blockNumber} />
              {typeof transaction.blockTimestamp === 'string' && (
                <span class="quiet">
                  , <Time seconds={transaction.blockTimestamp} />
                </span>
              )}
            </Field>
            <Fees whole={whole} />
            <Field name="gas used" hint="of the gas limit of the transaction">
              <Count value={receipt.gasUsed} /> <span class="quiet">of</span>{' '}
              <Count value={transaction.gas} />{' '}
              <span class="quiet">{percent(Number(receipt.gasUsed), Number(transaction.gas))}</span>
            </Field>
            <AnswerFields
              answer={receipt}
              fields={receipt.status === '0x0' ? FAILED_FIELDS : RECEIPT_FIELDS}
              others={
                receipt.status === '0x0' ? [...RECEIPT_ELSEWHERE, 'contractAddress'] : RECEIPT_ELSEWHERE
              }
            />
            {typeof receipt.logsBloom === 'string' && <Bloom bloom={receipt.logsBloom} />}
          </Fields>
        </>
      )}
      <h2>Transaction</h2>
      <Fields>
        <Field name="type" hint="EIP-2718">
          <span class="number">{Number(type)}</span> <span class="quiet">{TYPES[type]}</span>
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
        <AnswerFields
          answer={transaction}
          fields={receipt === null ? TRANSACTION_FIELDS : INCLUDED_FIELDS}
          others={[...SHOWN_ELSEWHERE, ...IN_RECEIPT]}
        />
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
      {type !== '0x7e' && (
        <details class="signature">
          <summary>signature</summary>
          <Fields>
            <AnswerFields answer={pick(transaction)} fields={SIGNATURE_FIELDS} />
          </Fields>
        </details>
      )}
    </>
  )
}

/** Fields that the receipt section shows for included transactions. */
const IN_RECEIPT = ['gas', 'gasPrice']
/** A failed creation has no contract. */
const FAILED_FIELDS = RECEIPT_FIELDS.filter(([name]) => name !== 'contractAddress')
const INCLUDED_FIELDS = TRANSACTION_FIELDS.filter(([name]) => !IN_RECEIPT.includes(name))

function Bloom({ bloom }: { bloom: string }) {
  return (
    <Field name="logs bloom" hint="filter over the addresses and topics of its logs">
      {/^0x0*$/.test(bloom) ? <span class="quiet">empty</span> : <Bytes hex={bloom} what="the logs bloom" />}
    </Field>
  )
}

function pick(transaction: RpcTransaction): Record<string, unknown> {
  return Object.fromEntries(SIGNATURE_FIELDS.map(([name]) => [name, transaction[name]]))
}

function Fees({ whole: { transaction, receipt } }: { whole: WholeTransaction }) {
  const number = receipt!.blockNumber
  const block = useLoad(
    () => request<RpcBlock | null>('eth_getBlockByNumber', [number, false]).catch(() => null),
    [number],
  )
  const own = loaded(block.value) ?? null
  const fees = feesOf(receipt!, own?.baseFeePerGas)
  if (transaction!.type === '0x7e') return null
  const sum = fees.reduce((total, { amount }) => total + amount, 0n)
  return (
    <Field name="fee" hint="paid by the sender besides the value">
      <Wei amount={hex(sum)} />
      {fees.length > 0 && (
        <span class="fee-parts">
          {fees.map(({ name, hint, amount }) => (
            <span key={name}>
              <Hint text={hint}>{name}</Hint> <Wei amount={hex(amount)} />
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

function Authorizations({ list }: { list: readonly Authorization[] }) {
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
    () => request<Hex>('eth_call', [recovery, 'latest']).then(authorityIn, () => undefined),
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

/** The failure of a transaction, with its Solidity stack trace. */
function Failure({ hash, failure, at }: { hash: string; failure: string; at: string }) {
  const located = useLoad(() => request<Explained>('preseal_explain', [hash, true]), [hash, failure, at])
  const trace = loaded(located.value)?.stackTrace
  // Frames of unknown code say nothing.
  const frames = trace?.frames.filter((frame) => frame.function ?? frame.position ?? frame.file) ?? []
  return (
    <section aria-label="why it failed">
      <p class="problem">
        <strong>failed</strong> <Text limit={2_000}>{failure}</Text>
      </p>
      {frames.length > 0 && (
        <>
          <ol class="solidity-stack" aria-label="Solidity stack trace">
            {frames.map((frame, i) => (
              <Frame key={i} frame={frame} at={at} isFirst={i === 0} />
            ))}
          </ol>
          {frames.some(({ position }) => position !== undefined) && (
            <p>
              <a href={hrefOf(route.value, new URLSearchParams({ tab: 'source' }))}>
                step by step, with variables
              </a>
            </p>
          )}
        </>
      )}
    </section>
  )
}

function Frame({ frame, at, isFirst }: { frame: SolidityFrame; at: string; isFirst: boolean }) {
  const { contract, position, address, file } = frame
  const name = `${contract === undefined ? '' : `${contract}.`}${frame.function ?? '<unknown>'}`
  const where = position === undefined ? file : `${position.file}:${position.line}:${position.column}`
  const title = (
    <>
      <Text limit={120}>{name}</Text>{' '}
      {where !== undefined && (
        <span class="quiet">
          <Text>{where}</Text>
        </span>
      )}
    </>
  )
  if (position === undefined || address === undefined) return <li>{title}</li>
  return (
    <li>
      <details open={isFirst}>
        <summary>{title}</summary>
        <SourceExcerpt address={address} path={position.file} at={at} line={position.line} />
      </details>
    </li>
  )
}
