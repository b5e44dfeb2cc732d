import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { RpcLog } from '../../../wire/encode.ts'
import { nameOf } from '../../accounts/names.ts'
import { type ContractsByAddress, codecsFor, contractsAt, useContracts } from '../../decode/contracts.ts'
import { type DecodedItem, decodeEvent } from '../../decode/decode.ts'
import { isReport } from '../../environment.ts'
import { grouped, shortened } from '../../format.ts'
import { connection, head } from '../../live/head.ts'
import { hrefOf } from '../../navigation.ts'
import { Loading, Nothing, Problem } from '../../parts/Answer.tsx'
import { announce } from '../../parts/accessibility.tsx'
import { AddressLink, BlockLink, StateBadge, TransactionLink } from '../../parts/chain.tsx'
import { Button } from '../../parts/controls.tsx'
import { argumentText, lineOf } from '../../parts/Decoded.tsx'
import { MoreButton } from '../../parts/Tabs.tsx'
import { type Column, VirtualRows } from '../../parts/tables.tsx'
import { Text } from '../../parts/Value.tsx'
import { request, source } from '../../source/source.ts'
import { isNarrow } from '../../theme.ts'
import { type LogRange, logsBack, type ShownLog, ShownLogs } from './logQuery.ts'

/** Milliseconds for which new logs are collected before they are rendered. */
const GAP_MS = 100
/** Number of parts searched before the user must ask for more: about three hours of blocks of 200 ms. */
const PARTS = 25

interface Read {
  readonly all: ShownLogs
  /** The lowest block that has been searched (see `LogPart`). */
  readonly first?: number | undefined
  readonly readOn?: (() => void) | undefined
}

/** Shows the logs of a range. New logs are added as they arrive. */
export function FoundLogs({ filter, fromBlock, toBlock }: LogRange) {
  const logs = useSignal<Read | undefined>(undefined)
  const error = useSignal<Error | undefined>(undefined)
  // New logs can match only if the range ends at a tag.
  const goesOn = !toBlock.startsWith('0x')
  const isOpen = connection.value === 'open'
  useEffect(() => {
    if (!isOpen) return
    const all = new ShownLogs()
    const parts = logsBack(source(), filter, fromBlock, toBlock)
    let isOver = false
    let isAnswered = false
    let timer: ReturnType<typeof setTimeout> | undefined
    /** Deferred additions of logs that subscriptions delivered before the first response. */
    const early: (() => void)[] = []
    function follow(kind: string, isPending: boolean) {
      return source().subscribe(kind, [filter], (log: RpcLog) => {
        const add = () => all.add([log], isPending)
        if (!isAnswered) return void early.push(add)
        add()
        timer ??= setTimeout(() => {
          timer = undefined
          logs.value = { ...logs.peek(), all }
        }, GAP_MS)
      })
    }
    const ends = [
      ...(goesOn ? [follow('logs', false)] : []),
      ...(toBlock === 'pending' ? [follow('pendingLogs', true)] : []),
    ]
    const readParts = async () => {
      for (let i = 1; i <= PARTS && all.hasRoom; i++) {
        const [{ value: part }, open] = await Promise.all([
          parts.next(),
          isAnswered || toBlock !== 'pending'
            ? []
            : request<readonly RpcLog[]>('eth_getLogs', [
                { ...filter, fromBlock: 'pending', toBlock: 'pending' },
              ]),
        ])
        if (isOver) return
        all.addOlder(part?.logs ?? [])
        all.add(open, true)
        for (const add of early.splice(0)) add()
        isAnswered = true
        error.value = undefined
        const first = part?.first
        const isMoreWanted = first !== undefined && i === PARTS && all.hasRoom
        logs.value = { all, first, readOn: isMoreWanted ? read : undefined }
        if (first === undefined) break
      }
      announce(`${all.list().length} logs`)
    }
    const read = () =>
      void readParts().catch((cause: Error) => {
        if (!isOver) error.value = laterThan(fromBlock) ?? cause
      })
    read()
    return () => {
      isOver = true
      clearTimeout(timer)
      for (const end of ends) end()
    }
  }, [isOpen])
  if (error.value !== undefined) return <Problem error={error.value} />
  if (logs.value === undefined) return <Loading />
  const { all, first, readOn } = logs.value
  const list = all.list()
  const place = first === undefined ? '' : ` in the blocks from ${first} on`
  return (
    <>
      <p class="quiet log-count">
        <span>
          {grouped(list.length)} {list.length === 1 ? 'log' : 'logs'}
          {place}
          {all.leftOut > 0 && `, the newest; ${grouped(all.leftOut)} older ones are omitted`}
          {goesOn && !isReport && '; new ones are added on top'}
        </span>
        <MoreButton
          isMore={first !== undefined && all.hasRoom}
          text="search older blocks"
          done="all are shown"
          class="more"
          onPress={readOn}
        />
        {list.length > 0 && <Button class="more" onClick={() => void copy(list)} text="copy as JSON" />}
      </p>
      {list.length === 0 ? <Nothing>no matching logs{place}</Nothing> : <LogTable logs={list} />}
    </>
  )
}

function laterThan(fromBlock: string): Error | undefined {
  const newest = head.value?.number
  if (newest === undefined || !fromBlock.startsWith('0x') || BigInt(fromBlock) <= BigInt(newest))
    return undefined
  return new Error(`there is no block ${BigInt(fromBlock)} at present: the newest is ${BigInt(newest)}`)
}

async function copy(logs: readonly ShownLog[]): Promise<void> {
  const known = await contractsAt(logs.map(({ log }) => log.address))
  const all = logs.map(({ log, state }) => {
    const event = decodeEvent(log, codecsFor(log.address, known))
    if (event === undefined) return { state, ...log }
    const args = event.args.map(({ parameter: { name = '', type }, value }) => ({ name, type, value }))
    return { state, ...log, event: { signature: event.signature, args } }
  })
  const text = JSON.stringify(all, (_, value) => (typeof value === 'bigint' ? String(value) : value), 1)
  await navigator.clipboard.writeText(text)
  announce(`${logs.length} logs: copied`)
}

const COLUMNS: readonly Column[] = [
  { name: 'block', width: '5rem' },
  { name: 'contract', width: '12rem' },
  { name: 'event' },
  { name: 'transaction', width: '9rem', class: 'wider' },
  { name: 'state', width: '9rem' },
]

const ROW_REM = 2.25
/** Height of a row on a narrow screen, where the event is below the other cells. */
const NARROW_ROW_REM = 6.75

function LogTable({ logs }: { logs: readonly ShownLog[] }) {
  const known = useContracts(logs.map(({ log }) => log.address))
  return (
    <div class="log-rows">
      <VirtualRows
        label="logs"
        columns={COLUMNS}
        count={logs.length}
        grows="above"
        rowRem={isNarrow.value ? NARROW_ROW_REM : ROW_REM}
        keyOf={(index) => logs[index]!.key}
        rowClass={(index) => (logs[index]!.state === 'reorged' ? 'log-gone' : undefined)}
        row={(index) => cellsOf(logs[index]!, known.value)}
      />
    </div>
  )
}

function cellsOf({ log, state }: ShownLog, known: ContractsByAddress) {
  const name = known.get(log.address.toLowerCase())?.info.name
  return [
    log.blockNumber === null ? 'pending' : <BlockLink id={log.blockNumber} />,
    name ? (
      <>
        <a href={hrefOf({ view: 'account', address: log.address })} title={log.address}>
          <Text limit={40}>{name}</Text>
        </a>{' '}
        {/* If several contracts have this name, the address is shown too. */}
        {nameOf(log.address) === undefined && <span class="quiet id">{shortened(log.address)}</span>}
      </>
    ) : (
      <AddressLink address={log.address} />
    ),
    <Event log={log} known={known} />,
    log.transactionHash === null ? '' : <TransactionLink hash={log.transactionHash} />,
    <StateBadge state={state} />,
  ]
}

function Event({ log, known }: { log: RpcLog; known: ContractsByAddress }) {
  const event = decodeEvent(log, codecsFor(log.address, known))
  if (event === undefined) {
    const [topic = 'anonymous'] = log.topics
    return (
      <span class="log-event id" title={[...log.topics, log.data].join('\n')}>
        <ToTransaction log={log}>{topic}</ToTransaction>
      </span>
    )
  }
  return (
    <span class="log-event" title={titleOf(event)}>
      <strong>
        <ToTransaction log={log}>{event.name}</ToTransaction>
      </strong>
      <Text limit={400}>{`(${event.args.map(namedText).join(', ')})`}</Text>
    </span>
  )
}

function ToTransaction({ log: { transactionHash: hash }, children }: { log: RpcLog; children: string }) {
  const text = <Text limit={80}>{children}</Text>
  if (hash === null) return text
  return <a href={hrefOf({ view: 'transaction', hash }, new URLSearchParams({ tab: 'events' }))}>{text}</a>
}

function titleOf({ signature, args }: DecodedItem): string {
  return [
    signature,
    ...args.map(({ parameter, value }) => `${parameter.name ?? ''}: ${lineOf(value, 200)}`),
  ].join('\n')
}

function namedText({ parameter: { name }, value }: DecodedItem['args'][number]): string {
  return name ? `${name}: ${argumentText(value)}` : argumentText(value)
}
