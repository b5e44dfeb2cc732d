import type { Signal } from '@preact/signals'
import type { RpcLog } from '../../wire/encode.ts'
import { codecsFor, useContracts } from '../decode/contracts.ts'
import { decodeEvent } from '../decode/decode.ts'
import { useKept } from '../navigation.ts'
import { Nothing } from './Answer.tsx'
import { TransactionLink } from './chain.tsx'
import { Bytes } from './controls.tsx'
import { More } from './Tabs.tsx'
import { Account, Text, Values } from './Value.tsx'
import './eventList.css'

/** A log of a receipt, or of a frame of a call trace. */
type ListedLog = Pick<RpcLog, 'address' | 'topics' | 'data' | 'transactionHash' | 'logIndex'>

export const FIRST_EVENTS = 50

interface EventListProps {
  logs: readonly ListedLog[]
  at: string
  withTransaction?: boolean
  /** The total number of logs. Default: the length of `logs`. */
  count?: number
  /** The number of logs to show. A button below the list increases the number. */
  shown?: Signal<number>
}

export function EventList({ logs, at, withTransaction, count = logs.length, ...props }: EventListProps) {
  const own = useKept('events shown', FIRST_EVENTS)
  const shown = props.shown ?? own
  const visible = logs.slice(0, shown.value)
  const known = useContracts(
    visible.map(({ address }) => address),
    at,
  )
  if (logs.length === 0) return <Nothing>no logs</Nothing>
  return (
    <>
      <ol class="event-list">
        {visible.map((log, i) => {
          const event = decodeEvent(log, codecsFor(log.address, known.value))
          return (
            <li key={log.logIndex ?? i}>
              <p class="event-head">
                <span class="quiet number">{log.logIndex === null ? i : Number(log.logIndex)}</span>{' '}
                {event !== undefined && (
                  <strong title={event.signature}>
                    <Text limit={80}>{event.name}</Text>
                  </strong>
                )}{' '}
                <span class="quiet">of</span> <Account address={log.address} known={known.value} />{' '}
                {withTransaction && log.transactionHash !== null && (
                  <>
                    <span class="quiet">in</span> <TransactionLink hash={log.transactionHash} />
                  </>
                )}
              </p>
              {event === undefined ? (
                <RawLog log={log} />
              ) : (
                <>
                  <Values values={event.args} />
                  <details class="event-raw">
                    <summary>topics and data</summary>
                    <RawLog log={log} />
                  </details>
                </>
              )}
            </li>
          )
        })}
      </ol>
      <More count={count} shown={shown} what="events" />
    </>
  )
}

function RawLog({ log: { topics, data } }: { log: ListedLog }) {
  return (
    <dl class="values">
      {topics.map((topic, i) => (
        <div class="value" key={i}>
          <dt>topic {i}</dt>
          <dd>
            <Bytes hex={topic} what={`topic ${i}`} />
          </dd>
        </div>
      ))}
      <div class="value">
        <dt>data</dt>
        <dd>
          <Bytes hex={data} what="the data" />
        </dd>
      </div>
    </dl>
  )
}
