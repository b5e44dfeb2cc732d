/** Logs, one below the other: those that were reorganised away are struck through. */

import { nameOf } from '../../accounts/names.ts'
import { type DecodedItem, decodeEvent } from '../../decode/decode.ts'
import type { ContractsByAddress } from '../../decode/index.ts'
import { codecsFor, useContracts } from '../../decode/index.ts'
import { lineOf } from '../../decode/words.tsx'
import { isAddress, shortened } from '../../format/hex.ts'
import { grouped } from '../../format/quantity.ts'
import { hrefOf } from '../../navigation.ts'
import { AddressLink, BlockLink, TransactionLink } from '../../parts/links.tsx'
import { isNarrow } from '../../parts/narrow.ts'
import { StateBadge } from '../../parts/StateBadge.tsx'
import { Text } from '../../parts/Text.tsx'
import { type Column, VirtualRows } from '../../parts/VirtualRows.tsx'
import type { LogAnswer } from '../../source/answers.ts'
import type { ShownLog } from './shownLogs.ts'

const COLUMNS: readonly Column[] = [
  { name: 'block', width: '5rem' },
  { name: 'contract', width: '12rem' },
  { name: 'event' },
  { name: 'transaction', width: '9rem', class: 'wider' },
  { name: 'state', width: '9rem' },
]

/** In `rem`: on a narrow page the event stands below the other cells. */
const ROW = 2.25
const NARROW_ROW = 6.75

export function LogTable({ logs }: { logs: readonly ShownLog[] }) {
  const known = useContracts(logs.map(({ log }) => log.address))
  return (
    <div class="log-rows">
      <VirtualRows
        label="logs"
        columns={COLUMNS}
        count={logs.length}
        grows="above"
        rowRem={isNarrow.value ? NARROW_ROW : ROW}
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
        {/* Several contracts may have the name. */}
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

function Event({ log, known }: { log: LogAnswer; known: ContractsByAddress }) {
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
      <Text limit={400}>{`(${event.args.map(argumentText).join(', ')})`}</Text>
    </span>
  )
}

/** The name leads to where all of the event is: its values, topics and data. */
function ToTransaction({ log: { transactionHash: hash }, children }: { log: LogAnswer; children: string }) {
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

function argumentText({ parameter: { name }, value }: DecodedItem['args'][number]): string {
  return name ? `${name}: ${briefly(value)}` : briefly(value)
}

function briefly(value: unknown): string {
  if (typeof value === 'string' && isAddress(value)) return nameOf(value) ?? shortened(value.toLowerCase())
  if (typeof value === 'bigint' || typeof value === 'number') return grouped(value)
  return lineOf(value, 44)
}
