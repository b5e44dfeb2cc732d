/** Logs, one below the other: those that were reorganised away are struck through. */

import { decodeEvent } from '../../decode/decode.ts'
import type { ContractsByAddress } from '../../decode/index.ts'
import { codecsFor, useContracts } from '../../decode/index.ts'
import { lineOf } from '../../decode/words.tsx'
import { hrefOf } from '../../navigation.ts'
import { AddressLink, BlockLink, TransactionLink } from '../../parts/links.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import { Text } from '../../parts/Text.tsx'
import { type Column, VirtualRows } from '../../parts/VirtualRows.tsx'
import type { ShownLog } from './shownLogs.ts'

const COLUMNS: readonly Column[] = [
  { name: 'block', width: '5rem' },
  { name: 'contract', width: '9rem', class: 'wide' },
  { name: 'event' },
  { name: 'transaction', width: '9rem', class: 'wide' },
  { name: 'state', width: '9rem' },
]

export function LogTable({ logs }: { logs: readonly ShownLog[] }) {
  const known = useContracts(logs.map(({ log }) => log.address))
  return (
    <VirtualRows
      label="logs"
      columns={COLUMNS}
      count={logs.length}
      grows="above"
      rowRem={2.25}
      keyOf={(index) => logs[index]!.key}
      rowClass={(index) => (logs[index]!.state === 'reorged' ? 'log-gone' : undefined)}
      row={(index) => cellsOf(logs[index]!, known.value)}
    />
  )
}

function cellsOf({ log, state }: ShownLog, known: ContractsByAddress) {
  const name = known.get(log.address.toLowerCase())?.info.name
  return [
    log.blockNumber === null ? 'pending' : <BlockLink id={log.blockNumber} />,
    name ? (
      <a href={hrefOf({ view: 'account', address: log.address })} title={log.address}>
        <Text limit={40}>{name}</Text>
      </a>
    ) : (
      <AddressLink address={log.address} />
    ),
    <Event log={log} known={known} />,
    log.transactionHash === null ? '' : <TransactionLink hash={log.transactionHash} />,
    <StateBadge state={state} />,
  ]
}

function Event({ log, known }: { log: ShownLog['log']; known: ContractsByAddress }) {
  const event = decodeEvent(log, codecsFor(log.address, known))
  if (event === undefined) {
    const [topic = 'anonymous'] = log.topics
    return (
      <span class="id" title={`${topic}\n${log.data}`}>
        {topic}
      </span>
    )
  }
  const args = event.args.map(({ parameter, value }) => `${parameter.name ?? ''}: ${lineOf(value, 44)}`)
  return (
    <span title={`${event.signature}\n${args.join('\n')}`}>
      <Text limit={160}>{`${event.name}(${args.join(', ')})`}</Text>
    </span>
  )
}
