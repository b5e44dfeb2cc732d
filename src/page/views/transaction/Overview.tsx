import { useMemo } from 'preact/hooks'
import type { Hex } from '../../../bytes/hex.ts'
import type { RpcBlock, RpcLog } from '../../../wire/encode.ts'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { type Token, tokenAt } from '../../accounts/tokens.ts'
import { useContracts } from '../../decode/contracts.ts'
import { decimal } from '../../format.ts'
import { loaded, useLoad } from '../../live/load.ts'
import { useKept } from '../../navigation.ts'
import { AnswerFields, Field, Fields, Nothing } from '../../parts/Answer.tsx'
import { AddressLink, BlockLink, Count, percent, Time, Wei } from '../../parts/chain.tsx'
import { Bytes, Hint } from '../../parts/controls.tsx'
import { More } from '../../parts/Tabs.tsx'
import { Account, Text, TokenId } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'
import { Call, Failure } from './Call.tsx'
import { callNodes, consoleLine, etherTransfers, isConsole, tokenTransfers } from './callTree.ts'
import {
  AccessList,
  Authorizations,
  RECEIPT_ELSEWHERE,
  RECEIPT_FIELDS,
  SHOWN_ELSEWHERE,
  SIGNATURE_FIELDS,
  TRANSACTION_FIELDS,
  TYPES,
} from './TransactionFields.tsx'
import { blockOf, feesOf, type WholeTransaction } from './transaction.ts'

interface OverviewProps {
  whole: WholeTransaction
  hash: string
  root: RpcCallFrame | undefined
}

export function Overview({ whole, hash, root }: OverviewProps) {
  const { transaction, receipt, explained } = whole
  const at = blockOf(whole)
  if (transaction === null) return <p class="quiet">Its content is no longer known.</p>
  const hasFailed = receipt?.status === '0x0'
  const logsBloom = receipt?.logsBloom
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
        hasFailed={hasFailed}
      />
      {at !== undefined && receipt !== null && <Transfers root={root} logs={receipt.logs} at={at} />}
      {root !== undefined && at !== undefined && <ConsoleLines root={root} at={at} isBrief />}
      {receipt !== null && (
        <>
          <h2>Receipt</h2>
          <Fields>
            <Field name="status">{hasFailed ? 'failed' : 'success'}</Field>
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
              // A failed creation has created no contract, although its receipt contains an address.
              answer={hasFailed ? { ...receipt, contractAddress: null } : receipt}
              fields={RECEIPT_FIELDS}
              others={RECEIPT_ELSEWHERE}
            />
            {typeof logsBloom === 'string' && (
              <Field name="logs bloom" hint="filter over the addresses and topics of its logs">
                {/^0x0*$/.test(logsBloom) ? (
                  <span class="quiet">empty</span>
                ) : (
                  <Bytes hex={logsBloom} what="the logs bloom" />
                )}
              </Field>
            )}
          </Fields>
        </>
      )}
      <h2>Transaction</h2>
      <Fields>
        <Field name="type" hint="EIP-2718">
          <span class="number">{Number(type)}</span> <span class="quiet">{TYPES[type]}</span>
        </Field>
        <Field name="from" value={<AddressLink address={transaction.from} whole />} />
        <Field name="to">
          {transaction.to === null ? 'creates a contract' : <AddressLink address={transaction.to} whole />}
        </Field>
        <Field name="value" value={<Wei amount={transaction.value} />} />
        <AnswerFields
          // Gas and gas price are shown from the receipt, if it exists.
          answer={receipt === null ? transaction : { ...transaction, gas: null, gasPrice: null }}
          fields={TRANSACTION_FIELDS}
          others={SHOWN_ELSEWHERE}
        />
        <Field
          name="input"
          hint="calldata, or the code of a creation"
          value={<Bytes hex={transaction.input} what="the input" />}
        />
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
            <AnswerFields answer={transaction} fields={SIGNATURE_FIELDS} others={Object.keys(transaction)} />
          </Fields>
        </details>
      )}
    </>
  )
}

function Fees({ whole: { transaction, receipt } }: { whole: WholeTransaction }) {
  const number = receipt!.blockNumber
  const block = useLoad(() => request<RpcBlock | null>('eth_getBlockByNumber', [number, false]), [number])
  const fees = feesOf(receipt!, loaded(block.value)?.baseFeePerGas)
  if (transaction!.type === '0x7e') return null
  const sum = fees.reduce((total, { amount }) => total + amount, 0n)
  return (
    <Field name="fee" hint="paid by the sender besides the value">
      <Wei amount={sum} />
      {fees.length > 0 && (
        <span class="fee-parts">
          {fees.map(({ name, hint, amount }) => (
            <span key={name}>
              <Hint text={hint}>{name}</Hint> <Wei amount={amount} />
            </span>
          ))}
        </span>
      )}
    </Field>
  )
}

const MOST_LINES = 500
const MOST_BRIEF = 10

interface ConsoleLinesProps {
  root: RpcCallFrame
  at: string
  /** Whether to show only the first lines, and nothing if there is no output. */
  isBrief?: boolean
}

export function ConsoleLines({ root, at, isBrief = false }: ConsoleLinesProps) {
  const calls = useMemo(() => callNodes(root).filter(({ frame }) => isConsole(frame)), [root])
  const known = useContracts([...new Set(calls.map(({ frame }) => frame.from))].slice(0, 100), at)
  if (calls.length === 0) return isBrief ? null : <Nothing>no console.log output</Nothing>
  const most = isBrief ? MOST_BRIEF : MOST_LINES
  return (
    <>
      {isBrief && <h2>console.log</h2>}
      <ol class="console-list">
        {calls.slice(0, most).map(({ index, frame, isUndone }) => (
          <li key={index}>
            <Text limit={2_000}>{consoleLine(frame.input)}</Text>{' '}
            <span class="quiet">
              <Account address={frame.from} known={known.value} />
              {isUndone && ' (in a call that failed)'}
            </span>
          </li>
        ))}
      </ol>
      {calls.length > most && <p class="quiet">{calls.length - most} more lines</p>}
    </>
  )
}

const FIRST = 20
const MOST_TOKENS = 20

interface TransfersProps {
  root: RpcCallFrame | undefined
  logs: readonly RpcLog[]
  at: string
}

/** The transfers, except the own value. `root` is the call trace. Without it, ether transfers between contracts are unknown. */
function Transfers({ root, logs, at }: TransfersProps) {
  const shown = useKept('transfers shown', FIRST)
  const ether = root === undefined ? [] : etherTransfers(root)
  // The transfers are memoized, because there may be thousands of logs.
  const tokens = useMemo(() => tokenTransfers(logs), [logs])
  const all = [...ether, ...tokens]
  const visible = all.slice(0, shown.value)
  const known = useContracts(
    visible.flatMap(({ from, to }) => [from, to]),
    at,
  )
  const addresses = [...new Set(tokens.map(({ token }) => token))].slice(0, MOST_TOKENS)
  const told = useLoad(() => tokensAt(addresses, at), [addresses.join(), at])
  if (all.length === 0) return null
  const byAddress = loaded(told.value) ?? new Map<Hex, Token>()
  return (
    <>
      <h2>Transfers</h2>
      <ul class="plain-list" aria-label="transfers">
        {visible.map((each, i) => (
          <li key={i}>
            <Account address={each.from} known={known.value} /> <span class="quiet">to</span>{' '}
            <Account address={each.to} known={known.value} />{' '}
            {'token' in each ? (
              <TokenAmount transfer={each} token={byAddress.get(each.token)} />
            ) : (
              <Wei amount={each.amount} />
            )}
          </li>
        ))}
      </ul>
      <More count={all.length} shown={shown} what="transfers" />
    </>
  )
}

/** Shows an amount, an id, or both, with the token: `2.5 USD`, `number 7`, `3 × number 7`. */
function TokenAmount({
  transfer,
  token,
}: {
  transfer: ReturnType<typeof tokenTransfers>[number]
  token: Token | undefined
}) {
  const decimals = transfer.kind === 'amount' ? (token?.decimals ?? 0) : 0
  return (
    <>
      {transfer.kind !== 'id' && (
        <span class="number" title={String(transfer.amount)}>
          {decimal(transfer.amount, decimals)}
        </span>
      )}{' '}
      {transfer.kind === 'amountOfId' && '× '}
      {transfer.kind !== 'amount' && <TokenId id={transfer.id} />}{' '}
      <Text limit={20}>{token?.symbol ?? ''}</Text> <span class="quiet">of</span>{' '}
      <AddressLink address={transfer.token} />
    </>
  )
}

async function tokensAt(addresses: readonly Hex[], at: string): Promise<ReadonlyMap<Hex, Token>> {
  const tokens = await Promise.all(addresses.map((address) => tokenAt(request, address, at)))
  return new Map(tokens.map((token) => [token.address, token]))
}
