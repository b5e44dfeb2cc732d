/** Calls, constructor arguments and events, decoded by the ABIs that the devnet knows. */

import type { Signal } from '@preact/signals'
import type { Hex } from '../../bytes/hex.ts'
import type { Codec } from '../../solidity/abi/codec.ts'
import type { RpcLog } from '../../wire/encode.ts'
import { nameOf } from '../accounts/names.ts'
import {
  argumentsAtEnd,
  type CreationAnswer,
  codecsFor,
  constructorArguments,
  contracts,
  useContracts,
} from '../decode/contracts.ts'
import { type DecodedError, decodeCall, decodeEvent, functionOf, type Typed } from '../decode/decode.ts'
import { rpcUrl } from '../environment.ts'
import { grouped, isAddress, shortened } from '../format.ts'
import { useLoad } from '../live/load.ts'
import { useKept } from '../navigation.ts'
import { type CopiedCall, callTexts } from '../source/callTexts.ts'
import { request } from '../source/source.ts'
import { Nothing } from './Answer.tsx'
import { TransactionLink } from './chain.tsx'
import { Bytes, Copy } from './controls.tsx'
import { More } from './Tabs.tsx'
import { Account, Text, Values } from './Value.tsx'
import './eventList.css'

/** Shows what a transaction does: the call (or its selector, if the ABI is unknown), `transfer` or `creation`. */
export function Method({ to, input, codecs }: { to: string | null; input: Hex; codecs: readonly Codec[] }) {
  if (to === null) return <span class="method">creation</span>
  if (input === '0x') return <span class="method">transfer</span>
  const decoded = decodeCall(input, codecs)
  const call = decoded ?? functionOf(input, codecs)
  return call === undefined ? (
    <span class="id" title="no known ABI has this selector">
      {input.slice(0, 10)}
    </span>
  ) : (
    <span class="method" title={call.signature}>
      <Text limit={40}>{call.name}</Text>
      {decoded !== undefined && (
        <span class="quiet">
          (<Text limit={120}>{decoded.args.map(({ value }) => argumentText(value)).join(', ')}</Text>)
        </span>
      )}
    </span>
  )
}

/** Returns an argument as one line. An address is shown by its name or its first and last digits. */
export function argumentText(value: unknown): string {
  if (typeof value === 'string' && isAddress(value)) return nameOf(value) ?? shortened(value.toLowerCase())
  if (typeof value === 'bigint' || typeof value === 'number') return grouped(value)
  return lineOf(value, 44)
}

export function errorText(error: DecodedError): string {
  switch (error.kind) {
    case 'empty':
      return 'reverted without a reason'
    case 'reason':
      return error.text
    case 'custom':
      return `${error.error.name}(${error.error.args.map(({ value }) => lineOf(value)).join(', ')})`
    case 'unknown':
      return error.data.length > 74 ? `${error.data.slice(0, 74)}…` : error.data
  }
}

export function lineOf(value: unknown, limit = 66): string {
  const text = plain(value)
  return text.length > limit ? `${text.slice(0, limit)}…` : text
}

function plain(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.slice(0, 10).map(plain).join(', ')}${value.length > 10 ? ', …' : ''}]`
  if (typeof value === 'object' && value !== null) {
    return `(${Object.values(value).map(plain).join(', ')})`
  }
  return String(value)
}

interface ConstructorArgumentsProps {
  input: Hex
  created: string | null | undefined
  at: string | undefined
}

/** Shows constructor arguments in creation code. `created`: the address of the contract, if any. `at`: the block. */
export function ConstructorArguments({ input, created, at }: ConstructorArgumentsProps) {
  const asked = useLoad(() => argumentsOf(input, created, at), [input, created, at])
  if (asked.value.state !== 'here') return null
  const found = asked.value.value
  if (found === undefined)
    return (
      <p>
        <Bytes hex={input} what="code and arguments" />{' '}
        <span class="quiet">no known artifact has this code, so its arguments cannot be decoded</span>
      </p>
    )
  return found.length === 0 ? (
    <p class="quiet">its constructor takes no arguments</p>
  ) : (
    <Values values={found} />
  )
}

/** Decodes the constructor arguments with the artifact of the code or, without one, the ABI of the created contract. */
async function argumentsOf(
  input: Hex,
  created: string | null | undefined,
  at: string | undefined,
): Promise<readonly Typed[] | undefined> {
  const known = await request<CreationAnswer | null>('preseal_getCreation', [input]).catch(() => null)
  if (known !== null) return constructorArguments(input, known)
  const contract = created ? await contracts().find(created, at) : undefined
  // The ABI of a proxy includes the constructor of its implementation, so the proxy's own constructor is unknown.
  if (contract === undefined || contract.info.proxies.length + contract.info.facets.length > 0)
    return undefined
  const item = contract.info.abi.find(({ type }) => type === 'constructor') as
    | CreationAnswer['constructor']
    | undefined
  return item?.inputs === undefined ? undefined : argumentsAtEnd(input, item.inputs)
}

/** A menu that copies a call or a transaction as a command of cast or curl, or as a script with viem. */
export function CopyAs({ call, codecs = [] }: { call: CopiedCall; codecs?: readonly Codec[] }) {
  const texts = callTexts(call, decodeCall(call.data, codecs), rpcUrl())
  return (
    <details class="copy-as">
      <summary>copy as</summary>
      {Object.entries(texts).map(([name, text]) => (
        <span key={name}>
          {name} <Copy text={text} what={`as ${name}`} />
        </span>
      ))}
    </details>
  )
}

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
