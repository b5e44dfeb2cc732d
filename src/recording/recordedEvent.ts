/**
 * What happens to a devnet that is recorded, as lines of JSON: what came from outside, in the order in which it came, and what
 * was answered. The rest follows from it.
 */

import type { RpcError } from '../rpc/errors.ts'
import { InvalidValue, type Parser, recordOf, text } from '../wire/parser.ts'
import { type CommandCall, parseCommandCall } from './commandCall.ts'

/**
 * Where among the commands something came: after so many were done, while so many waited (the one that runs is among
 * them), after so many steps of the one that runs.
 */
export interface CommandPosition {
  readonly commands: number
  readonly waiting: number
  readonly steps: number
}

/** When and where something came. */
export interface Arrival {
  /** How many ticks were made until then. */
  readonly tick: number
  readonly position: CommandPosition
  /** Milliseconds of the machine's time since the recording began. */
  readonly ms: number
}

export type RecordedAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: RpcError }
  /** A fault: nobody ever gets one. */
  | { readonly kind: 'never' }

export interface RecordedRequest extends Arrival {
  readonly kind: 'request'
  /** Counted from 1. */
  readonly number: number
  readonly method: string
  /** `undefined`: what came was no JSON. */
  readonly params: readonly unknown[] | undefined
  /** Of those that can subscribe to something: which. */
  readonly connection: number | undefined
  /** Whether it met no faults of requests: the test itself asked. */
  readonly isFaultless: boolean
  /** What was answered at once. */
  readonly answer: RecordedAnswer | undefined
}

export type RecordedEvent =
  | RecordedRequest
  /** What was answered later. */
  | { readonly kind: 'answer'; readonly request: number; readonly answer: RecordedAnswer }
  /** A command that no request asked for. */
  | ({ readonly kind: 'call'; readonly call: CommandCall } & Arrival)
  /** What a request had to find out before it did something was found out. */
  | ({ readonly kind: 'turn'; readonly turn: number } & Arrival)
  /** So much time had passed as somebody waited for. */
  | ({ readonly kind: 'timer'; readonly timer: number } & Arrival)
  /** The recording ended here, and was not cut off. */
  | { readonly kind: 'end' }

/** The members that say when and where, of an object whose other members come before and after. */
export function arrivalText({ tick, position, ms }: Arrival): string {
  const { commands, waiting, steps } = position
  const busy = waiting === 0 ? '' : `,"waiting":${waiting},"steps":${steps}`
  return `"tick":${tick},"commands":${commands}${busy},"ms":${ms}`
}

/** The member that says what was answered. */
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

/** A line of a recording, after those that say where it began. */
export const parseRecordedEvent: Parser<RecordedEvent> = (value, path) => {
  const record = recordOf(value, path, 'an object')
  if ('request' in record) return parseRequest(record)
  if ('answer' in record) {
    const answer = parseAnswer(record)
    if (answer === undefined) throw new InvalidValue('result', 'a result, an error or never', undefined)
    return { kind: 'answer', request: count(record.answer, 'answer'), answer }
  }
  if ('call' in record) return { kind: 'call', call: parseCommandCall(record), ...parseArrival(record) }
  if ('turn' in record) return { kind: 'turn', turn: count(record.turn, 'turn'), ...parseArrival(record) }
  if ('timer' in record) {
    return { kind: 'timer', timer: count(record.timer, 'timer'), ...parseArrival(record) }
  }
  if ('end' in record) return { kind: 'end' }
  throw new InvalidValue(path, 'an object with request, answer, call, turn, timer or end', value)
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
    isFaultless: record.calm === true,
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

const count: Parser<number> = (value, path) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) {
    throw new InvalidValue(path, 'a whole number of at least 0', value)
  }
  return value as number
}
