/** The view of a transaction. It is updated until the transaction is sealed or dropped. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { codecsFor, useContracts } from '../../decode/contracts.ts'
import { isReport } from '../../environment.ts'
import { changesAt, loaded, useLoad, useRenewed } from '../../live/load.ts'
import { PAST, PENDING } from '../../moment.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { BlockLink, StateBadge, Wei } from '../../parts/chain.tsx'
import { Copy } from '../../parts/controls.tsx'
import { CopyAs, EventList, Method } from '../../parts/Decoded.tsx'
import { Reason } from '../../parts/Failure.tsx'
import { Tabs, tab } from '../../parts/Tabs.tsx'
import { Account, Json } from '../../parts/Value.tsx'
import { callTrace, type Explained, request } from '../../source/source.ts'
import { Calls } from './Calls.tsx'
import { ConsoleLines, Overview } from './Overview.tsx'
import { StateChanges } from './StateChanges.tsx'
import { StepThrough } from './StepThrough.tsx'
import { blockOf, type Step, statesOf, type WholeTransaction, wholeTransaction } from './transaction.ts'
import './transaction.css'
import { absolute } from '../../format.ts'
import type { State } from '../../live/transactions.ts'

/** Maximum gas of a transaction that is traced immediately. With more gas, opening the tab starts the trace. */
const TRACED_AT_ONCE_GAS = 2_000_000

export function TransactionView({ hash }: { hash: string }) {
  const asked = useRenewed<WholeTransaction | null>(
    (before) => wholeTransaction(hash, request, before ?? undefined),
    // A reorg makes results that were loaded before it invalid.
    [hash, changesAt(PAST)],
    changesAt(PENDING),
  )
  return (
    <Answer asked={asked.value}>
      {(whole) => (whole === null ? <NotFound hash={hash} /> : <Transaction hash={hash} whole={whole} />)}
    </Answer>
  )
}

function NotFound({ hash }: { hash: string }) {
  return (
    <>
      <h1>Transaction {hash.slice(0, 10)}…</h1>
      <Nothing>
        no transaction with this hash was accepted{isReport && ' in the session'}. A rejected transaction got
        an error when it was sent{isReport ? '.' : '; this page shows it as soon as it is accepted.'}
      </Nothing>
    </>
  )
}

function Transaction({ hash, whole: asked }: { hash: string; whole: WholeTransaction }) {
  // The devnet no longer returns a dropped transaction, so its last known data is shown.
  const last = useRef(asked.transaction)
  last.current = asked.transaction ?? last.current
  const whole = { ...asked, transaction: last.current }
  const { transaction, receipt, timeline, explained } = whole
  const block = blockOf(whole)
  // The trace is valid as long as the transaction has the same block and index.
  const place = `${transaction?.blockNumber} ${transaction?.transactionIndex} ${explained.status}`
  const isSmall = receipt !== null && Number(receipt.gasUsed) <= TRACED_AT_ONCE_GAS
  const trace = useLoad(
    () => (block === undefined || !isSmall ? Promise.resolve(undefined) : callTrace(hash)),
    [hash, place, isSmall],
  )
  const root = loaded(trace.value)
  const traced = (show: (root: RpcCallFrame) => ComponentChildren) => () => (
    <Traced key={place} hash={hash} root={root}>
      {show}
    </Traced>
  )
  const parties = partiesOf(transaction)
  const inBlock = (at: string) => [
    tab(
      'calls',
      'Calls',
      traced((frame) => <Calls root={frame} at={at} />),
    ),
    tab('events', 'Events', () => <EventList logs={receipt?.logs ?? []} at={at} />, receipt?.logs.length),
    tab(
      'console',
      'Console',
      traced((frame) => <ConsoleLines root={frame} at={at} />),
    ),
    tab('state', 'State', () => <StateChanges key={place} hash={hash} at={at} parties={parties} />),
    tab('source', 'Source', () => <StepThrough key={place} hash={hash} at={at} />),
  ]
  const raw = () => (
    <>
      <Json value={transaction} what="the transaction" />
      {receipt !== null && <Json value={receipt} what="the receipt" />}
    </>
  )
  const tabs = [
    tab('overview', 'Overview', () => <Overview whole={whole} hash={hash} root={root} />),
    ...(block === undefined ? [] : inBlock(block)),
    tab('timeline', 'Timeline', () => <Timeline steps={timeline} explained={explained} />),
    tab('raw', 'JSON', raw),
  ]
  return (
    <>
      <header class="transaction-head">
        <h1>
          Transaction <span class="id">{hash}</span> <Copy text={hash} what="the hash" />
        </h1>
        <div class="transaction-line">
          {statesOf(whole).map((state) => (
            <StateBadge key={state} state={state} />
          ))}
          {transaction !== null && <InOneLine whole={whole} at={block} />}
        </div>
        {block === undefined && (
          <p class={explained.status === 'dropped' ? 'tx-reason tx-reason-dropped' : 'tx-reason'}>
            <Reason>{explained.reason}</Reason>
          </p>
        )}
      </header>
      <Tabs tabs={tabs} label="parts of the transaction" />
    </>
  )
}

interface TracedProps {
  hash: string
  root: RpcCallFrame | undefined
  children: (root: RpcCallFrame) => ComponentChildren
}

function Traced({ hash, root, children }: TracedProps) {
  const asked = useLoad(async () => root ?? (await callTrace(hash)), [hash, root])
  return <Answer asked={asked.value}>{children}</Answer>
}

function partiesOf(transaction: WholeTransaction['transaction']): ReadonlyMap<string, string> {
  const { from, to } = transaction ?? {}
  const parties = new Map<string, string>()
  if (to) parties.set(to, 'recipient')
  if (from) parties.set(from, to === from ? 'sender and recipient' : 'sender')
  return parties
}

interface InOneLineProps {
  whole: WholeTransaction
  at: string | undefined
}

function InOneLine({ whole: { transaction, receipt }, at }: InOneLineProps) {
  const { from, to, input, value, gas, blockNumber } = transaction!
  const known = useContracts([from, ...(to === null ? [] : [to])], at)
  return (
    <>
      <Account address={from} known={known.value} /> <span class="quiet">to</span>{' '}
      {to !== null ? (
        <Account address={to} known={known.value} />
      ) : receipt?.contractAddress && receipt.status !== '0x0' ? (
        <Account address={receipt.contractAddress} known={known.value} />
      ) : (
        'a new contract'
      )}{' '}
      <Method to={to} input={input} codecs={codecsFor(to, known.value)} />{' '}
      {BigInt(value) > 0n && (
        <>
          with <Wei amount={value} />
        </>
      )}{' '}
      {at !== undefined && blockNumber !== null && (
        <>
          in block <BlockLink id={blockNumber} />
        </>
      )}
      <CopyAs
        call={{ kind: 'send', from, to, value, data: input, gas }}
        codecs={codecsFor(to, known.value)}
      />
    </>
  )
}

const STATES: Readonly<Record<Step['step'], State>> = {
  pooled: 'accepted',
  preconfirmed: 'preconfirmed',
  sealed: 'sealed',
  removed: 'reorged',
  dropped: 'dropped',
  safe: 'sealed',
  finalized: 'sealed',
}

function Timeline({ steps, explained }: { steps: readonly Step[]; explained: Explained }) {
  if (steps.length === 0)
    return <Nothing>its timeline is no longer known: it was imported, or is too old</Nothing>
  const began = steps[0]!.time ?? 0
  return (
    <>
      <ol class="life">
        {steps.map((step, i) => (
          <li key={i} class={`life-${STATES[step.step]}`}>
            {step.step === 'safe' || step.step === 'finalized' ? (
              <span class="state state-sealed">{step.step}</span>
            ) : (
              <StateBadge state={STATES[step.step]} />
            )}{' '}
            {wordsOf(step)}
            {step.time !== undefined && (
              <span class="life-time">
                <time dateTime={absolute(step.time)}>{absolute(step.time)}</time>
                {i > 0 && <span class="quiet"> {after(step.time - began)}</span>}
              </span>
            )}
          </li>
        ))}
      </ol>
      {explained.status === 'preconfirmed' && (
        <p class="tx-reason">
          <Reason>{explained.reason}</Reason>
        </p>
      )}
    </>
  )
}

function wordsOf({ step, blockNumber, slice, transactionIndex, reason, since }: Step): ComponentChildren {
  const index = transactionIndex === undefined ? '' : `transaction ${Number(transactionIndex)}`
  switch (step) {
    case 'pooled':
      return 'added to the pool'
    case 'preconfirmed':
      return (
        <>
          in block <BlockLink id={blockNumber!} />, slice {Number(slice)}, {index}
        </>
      )
    case 'sealed':
      return (
        <>
          in block <BlockLink id={blockNumber!} />, {index}
        </>
      )
    case 'removed':
      return (
        <>
          with block <BlockLink id={blockNumber!} />, which another replaced
        </>
      )
    case 'dropped':
      return <Reason>{reason ?? ''}</Reason>
    case 'safe':
    case 'finalized':
      return (
        since && (
          <>
            since block <BlockLink id={since} />
          </>
        )
      )
  }
}

/** Formats a delay, such as `+200 ms` or `+1.2 s`. */
function after(ms: number): string {
  return Math.abs(ms) < 1_000 ? `+${ms} ms` : `+${(ms / 1_000).toFixed(1)} s`
}
