/** The events of a recording as lines of JSON: inputs in the order of arrival, and responses. */

import { type NodeEvent, parseNews } from '../methods/forked/forwarding.ts'
import type { RpcError } from '../rpc/errors/errors.ts'
import type { AddedAbi } from '../rpc/readContext.ts'
import { InvalidValue, integer, optional, type Parser, recordOf, text } from '../wire/parser.ts'
import { type CommandCall, parseCommandCall } from './commandCall.ts'

/** The place of an input among the commands. */
export interface CommandPosition {
  /** Number of finished commands. */
  readonly commands: number
  /** Number of unfinished commands. */
  readonly waiting: number
  /** Number of steps that the running command has made. */
  readonly steps: number
}

export interface Arrival {
  /** Number of ticks before the input. */
  readonly tick: number
  readonly position: CommandPosition
  /** Milliseconds of the machine's time since the start of the recording. */
  readonly ms: number
}

export type RecordedAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: RpcError }
  /** A fault dropped the response. */
  | { readonly kind: 'never' }

export interface RecordedRequest extends Arrival {
  readonly kind: 'request'
  /** The number of the request, counted from 1. */
  readonly number: number
  readonly method: string
  /** `undefined` if the message was not JSON. */
  readonly params: readonly unknown[] | undefined
  /** The number of the connection, if the connection supports subscriptions. */
  readonly connection: number | undefined
  /** Whether the request was exempt from request faults, because the test itself sent the request. */
  readonly isFaultless: boolean
  /** The response, if it was given synchronously. */
  readonly answer: RecordedAnswer | undefined
}

export type RecordedEvent =
  | RecordedRequest
  | { readonly kind: 'answer'; readonly request: number; readonly answer: RecordedAnswer }
  /** A command that no request issued. */
  | ({ readonly kind: 'call'; readonly call: CommandCall } & Arrival)
  /** A request has finished its preparation, and issues its command. */
  | ({ readonly kind: 'prepared'; readonly preparation: number } & Arrival)
  /** Responses of the upstream node. */
  | ({ readonly kind: 'network'; readonly news: NodeEvent } & Arrival)
  | ({ readonly kind: 'timer'; readonly timer: number } & Arrival)
  | { readonly kind: 'abi'; readonly abi: AddedAbi }
  /** The end of a recording that is not truncated. */
  | { readonly kind: 'end' }

/** Returns the JSON members for time and place, without the braces. */
export function arrivalText({ tick, position, ms }: Arrival): string {
  const { commands, waiting, steps } = position
  const busy = waiting === 0 ? '' : `,"waiting":${waiting},"steps":${steps}`
  return `"tick":${tick},"commands":${commands}${busy},"ms":${ms}`
}

export function answerText(answer: RecordedAnswer): string {
  switch (answer.kind) {
    case 'result':
      return `"result":${JSON.stringify(answer.result) ?? 'null'}`
    case 'error':
      return `"error":${JSON.stringify(answer.error)}`
    case 'never':
      return '"never":true'
  }
}

/** Parses a line of a recording after the state file. */
export const parseRecordedEvent: Parser<RecordedEvent> = (value, path) => {
  const record = recordOf(value, path, 'an object')
  if ('request' in record) return parseRequest(record)
  if ('answer' in record) {
    const answer = parseAnswer(record)
    if (answer === undefined) throw new InvalidValue('result', 'a result, an error or never', undefined)
    return { kind: 'answer', request: count(record.answer, 'answer'), answer }
  }
  if ('call' in record) return { kind: 'call', call: parseCommandCall(record), ...parseArrival(record) }
  // Recordings of version 0.1 have `turn` instead of `prepared`, and `calm` instead of `faultless`.
  const { prepared = record.turn } = record
  if (prepared !== undefined) {
    return { kind: 'prepared', preparation: count(prepared, 'prepared'), ...parseArrival(record) }
  }
  if ('timer' in record) {
    return { kind: 'timer', timer: count(record.timer, 'timer'), ...parseArrival(record) }
  }
  if ('network' in record) return { kind: 'network', news: parseNews(record), ...parseArrival(record) }
  if ('abi' in record) return { kind: 'abi', abi: parseAddedAbi(record.abi) }
  if ('end' in record) return { kind: 'end' }
  throw new InvalidValue(
    path,
    'an object with request, answer, call, prepared, timer, network, abi or end',
    value,
  )
}

function parseAddedAbi(value: unknown): AddedAbi {
  const { name, address, artifact } = recordOf(value, 'abi', 'an object')
  const { abi } = recordOf(artifact, 'abi.artifact', 'an object')
  if (!Array.isArray(abi)) throw new InvalidValue('abi.artifact.abi', 'an array', abi)
  return {
    name: optional(text)(name, 'abi.name'),
    address: optional(text)(address, 'abi.address') as AddedAbi['address'],
    artifact: artifact as AddedAbi['artifact'],
  }
}

function parseRequest(record: Record<string, unknown>): RecordedRequest {
  const { params } = record
  if (params !== null && !Array.isArray(params)) throw new InvalidValue('params', 'an array', params)
  return {
    kind: 'request',
    number: count(record.request, 'request'),
    ...parseArrival(record),
    method: text(record.method, 'method'),
    params: params ?? undefined,
    connection: record.connection === undefined ? undefined : count(record.connection, 'connection'),
    isFaultless: (record.faultless ?? record.calm) === true,
    answer: parseAnswer(record),
  }
}

function parseAnswer(record: Record<string, unknown>): RecordedAnswer | undefined {
  if ('result' in record) return { kind: 'result', result: record.result }
  if ('error' in record) {
    const error = recordOf(record.error, 'error', 'an error of JSON-RPC')
    return { kind: 'error', error: error as unknown as RpcError }
  }
  return record.never === true ? { kind: 'never' } : undefined
}

function parseArrival(record: Record<string, unknown>): Arrival {
  return {
    tick: count(record.tick, 'tick'),
    position: {
      commands: count(record.commands, 'commands'),
      waiting: record.waiting === undefined ? 0 : count(record.waiting, 'waiting'),
      steps: record.steps === undefined ? 0 : count(record.steps, 'steps'),
    },
    ms: count(record.ms, 'ms'),
  }
}

const count = integer(0, Number.MAX_SAFE_INTEGER, 'a whole number of at least 0')
