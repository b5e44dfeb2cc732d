/** JSON-RPC 2.0 messages: parses requests and serialises responses, independent of the transport. */

import type { Listeners } from '../model/collections/listeners.ts'
import type { SolidityStackTrace } from '../solidity/stackTrace/format.ts'
import type { Dialect } from '../wire/dialect.ts'
import { shown } from '../wire/parser.ts'
import { andThen } from '../work/maybePromise.ts'
import { Work } from '../work/work.ts'
import { type RpcError, toRpcError } from './errors/errors.ts'
import { type ProblemKind, problemOf } from './errors/problem.ts'
import { jsonText } from './jsonText.ts'
import type { Answer, Dispatch, HttpPart, Refused, Request, StartWork } from './request.ts'
import type { Subscriptions } from './subscriptions.ts'

/** In strict mode, errors that do not belong to a method refer to this section of the specification. */
export const REQUEST_SECTION = 'seed section 4.1'

type Id = string | number | null

export interface MessageOptions {
  readonly dialect: Dialect
  readonly batchLimit: number
  /** Whether each error states the section that was violated in the specification of strict mode. */
  readonly isStrict: boolean
  readonly listeners?: Listeners<RequestEvents>
  /** Begins the work of a request or of a batch, with its time limit. By default there is no time limit. */
  readonly startWork?: StartWork
}

export interface RequestEvents {
  /** Emitted for each request over a port or through `respond`. */
  request: (request: Request) => void
  /** Emitted for each error response. `request` is `undefined` for a message that is not a valid request. */
  refused: (error: RpcError, request: Request | undefined, stackTrace?: SolidityStackTrace) => void
}

/** The response object of a transport with status and headers, such as Node's HTTP response. */
export interface Envelope {
  statusCode: number
  setHeader(name: string, value: string): unknown
  /** Ends the response with a body in parts. Every second part is hex. Absent if parts cannot be sent. */
  endWith?(parts: readonly string[]): unknown
}

/** Returned in place of a body that the envelope has already sent in parts. Other bodies are never empty. */
export const SENT_IN_PARTS = ''

/** Returns the response to a message as text, or `SENT_IN_PARTS`; `undefined` if all requests are notifications. */
export type Respond = (
  text: string,
  subscriptions?: Subscriptions,
  envelope?: Envelope,
) => string | undefined | Promise<string | undefined>

/** Returns a function that answers messages by `dispatch`. The function never throws. */
export function createRespond(dispatch: Dispatch, options: MessageOptions): Respond {
  const { dialect, isStrict, listeners, startWork = () => new Work() } = options
  const fail = (id: string, problem: ProblemKind, request?: Request): string => {
    const error = toRpcError(problem, dialect)
    listeners?.emit('refused', error, request)
    return failure(id, isStrict ? { ...error, data: REQUEST_SECTION } : error)
  }

  const refused = (
    refusal: Refused,
    id: string,
    isNotification: boolean,
    request: Request,
    envelope: Envelope | undefined,
  ): Reply | Promise<Reply> =>
    andThen(refusal.stackTrace?.soon(), (stackTrace) => {
      listeners?.emit('refused', refusal.error, request, stackTrace)
      return isNotification ? undefined : refusalText(id, refusal, stackTrace, envelope)
    })

  const later = (
    answer: Promise<Answer>,
    id: string,
    isNotification: boolean,
    request: Request,
    envelope: Envelope | undefined,
  ): Promise<Reply> =>
    answer.then((late) =>
      late.kind === 'error'
        ? refused(late, id, isNotification, request, envelope)
        : replyLate(id, isNotification, late),
    )

  /** Answers a request. `exactId` is the text of the message with the id, or a function that returns the id's text. */
  const single = (
    message: unknown,
    exactId: string | (() => string | undefined),
    answering: Dispatch,
    start: StartWork,
    subscriptions: Subscriptions | undefined,
    envelope?: Envelope,
  ): Reply | Promise<Reply> => {
    const call = parseCall(message)
    const id = isInexact(call.id)
      ? ((typeof exactId === 'string' ? exactIds(exactId, 1)[0] : exactId()) ?? 'null')
      : JSON.stringify(call.id ?? null)
    if ('detail' in call) return fail(id, { kind: 'invalidRequest', detail: call.detail })
    const isNotification = call.id === undefined
    if ('problem' in call) {
      // A notification gets no response, not even for invalid parameters.
      if (isNotification) return undefined
      return fail(id, call.problem)
    }
    const { request } = call
    if (listeners?.has('request')) listeners.emit('request', request)
    const answer = answering(request, subscriptions, start)
    if (answer instanceof Promise) return later(answer, id, isNotification, request, envelope)
    return answer.kind === 'error'
      ? refused(answer, id, isNotification, request, envelope)
      : reply(id, isNotification, answer)
  }

  const batch = async (
    messages: readonly unknown[],
    text: string,
    subscriptions: Subscriptions | undefined,
    envelope: Envelope | undefined,
  ): Promise<string | undefined> => {
    const responses: (string | HexReply)[] = []
    const work = startWork()
    let ranCode = false
    const start = () => {
      ranCode = true
      return work
    }
    let ids: readonly (string | undefined)[] | undefined
    let index = 0
    const exactId = () => {
      ids ??= exactIds(text, 2)
      return ids[index]
    }
    let answering = dispatch
    const started: (Reply | Promise<Reply>)[] = []
    // The requests of a batch start without waiting for each other, share one time limit, and are answered in order.
    for (const [i, message] of messages.entries()) {
      if (answering === dispatch) {
        try {
          const pause = ranCode ? work.pause() : work.pauseAfter(CALL_GAS)
          ranCode = false
          if (pause !== undefined) await pause
        } catch (error) {
          const refusal = toRpcError(problemOf(error), dialect)
          answering = () => ({ kind: 'error', error: refusal, cause: error })
        }
      }
      index = i
      started.push(single(message, exactId, answering, start, subscriptions))
    }
    for (const response of await Promise.all(started)) {
      if (response !== undefined) responses.push(response)
    }
    return responses.length === 0 ? undefined : joined(responses, envelope)
  }

  return (text, subscriptions, envelope) => {
    if (isTooDeep(text)) {
      return fail('null', { kind: 'parseError', detail: `nested more than ${MOST_LEVELS} levels deep` })
    }
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch (error) {
      return fail('null', { kind: 'parseError', detail: error instanceof Error ? error.message : 'not JSON' })
    }
    if (!Array.isArray(message)) {
      const answer = single(message, text, dispatch, startWork, subscriptions, envelope)
      return answer instanceof Promise ? answer.then(textOf) : textOf(answer)
    }
    if (message.length === 0) return fail('null', { kind: 'invalidRequest', detail: 'an empty batch' })
    if (message.length > options.batchLimit) {
      return fail('null', { kind: 'batchTooLarge', size: message.length, limit: options.batchLimit })
    }
    return batch(message, text, subscriptions, envelope)
  }
}

/** The gas that `work` counts for a request of a batch that runs no code. Code that uses this gas takes as long. */
const CALL_GAS = 50

type ParsedCall =
  | { readonly id: Id | undefined; readonly request: Request }
  | { readonly id: Id; readonly detail: string }
  | { readonly id: Id | undefined; readonly problem: ProblemKind }

function parseCall(message: unknown): ParsedCall {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return { id: null, detail: `expected a request object, got ${shown(message)}` }
  }
  const { jsonrpc, id, method, params } = message as Record<string, unknown>
  if (id !== undefined && !isId(id)) {
    return { id: null, detail: `id: expected a number, a string or null, got ${shown(id)}` }
  }
  const echo: Id = id ?? null
  if (jsonrpc !== '2.0') return { id: echo, detail: `jsonrpc: expected "2.0", got ${shown(jsonrpc)}` }
  if (typeof method !== 'string')
    return { id: echo, detail: `method: expected a string, got ${shown(method)}` }
  const positional = positionalParams(params)
  return 'kind' in positional ? { id, problem: positional } : { id, request: { method, params: positional } }
}

/** Returns `params` as positional parameters, or the problem with them. Absent parameters are an empty array. */
export function positionalParams(params: unknown): readonly unknown[] | ProblemKind {
  if (params === undefined || params === null) return []
  if (Array.isArray(params)) return params
  const detail = `params: expected an array of positional parameters, got ${shown(params)}`
  return { kind: 'invalidParams', argument: 0, detail }
}

function isId(id: unknown): id is Id {
  return id === null || typeof id === 'string' || typeof id === 'number'
}

function reply(
  id: string,
  isNotification: boolean,
  answer: Exclude<Answer, Refused>,
): Reply | Promise<undefined> {
  switch (answer.kind) {
    case 'result':
      return isNotification ? undefined : succeeded(id, answer.result)
    case 'never':
      return new Promise(() => {})
  }
}

function refusalText(
  id: string,
  { error, http }: Refused,
  stackTrace: SolidityStackTrace | undefined,
  envelope: Envelope | undefined,
): string {
  const text = failure(id, error, stackTrace)
  return http === undefined || envelope === undefined ? text : inEnvelope(envelope, http, text)
}

/** Returns the response to an asynchronous request. The result is serialised in pieces, because it may be long. */
function replyLate(
  id: string,
  isNotification: boolean,
  answer: Exclude<Answer, Refused>,
): Reply | Promise<string | undefined> {
  if (answer.kind !== 'result' || typeof answer.result !== 'object' || isNotification) {
    return reply(id, isNotification, answer)
  }
  return jsonText(answer.result, new Work()).then((text) => `{"jsonrpc":"2.0","id":${id},"result":${text}}`)
}

/** Sets status and headers of the response on the envelope. Returns the body. */
function inEnvelope(envelope: Envelope, { status, retryAfterSeconds, body }: HttpPart, text: string): string {
  envelope.statusCode = status
  if (retryAfterSeconds !== undefined) {
    envelope.setHeader('retry-after', String(retryAfterSeconds))
    // Without this header a page of another origin cannot read `retry-after`.
    envelope.setHeader('access-control-expose-headers', 'retry-after')
  }
  if (body === undefined) return text
  envelope.setHeader('content-type', body.startsWith('<') ? 'text/html' : 'text/plain')
  return body
}

/** Returns a successful response. Does not escape hex results, which are frequent and may be long. */
function succeeded(id: string, result: unknown): string | HexReply {
  if (typeof result !== 'string' || !result.startsWith('0x')) {
    return `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`
  }
  if (result.length < LONG_HEX) return `{"jsonrpc":"2.0","id":${id},"result":"${result}"}`
  return new HexReply(`{"jsonrpc":"2.0","id":${id},"result":"`, result)
}

/** Hex of at least this many characters is sent as a part of its own, instead of being copied into a batch's text. */
const LONG_HEX = 1_024

class HexReply {
  readonly head: string
  readonly hex: string

  constructor(head: string, hex: string) {
    this.head = head
    this.hex = hex
  }
}

type Reply = string | HexReply | undefined

function textOf(reply: Reply): string | undefined {
  return reply instanceof HexReply ? `${reply.head}${reply.hex}"}` : reply
}

/** Returns the text of a batch. If the envelope takes parts, sends the text in parts and returns `SENT_IN_PARTS`. */
function joined(replies: readonly (string | HexReply)[], envelope: Envelope | undefined): string {
  if (envelope?.endWith === undefined || !replies.some((reply) => reply instanceof HexReply)) {
    return `[${replies.map(textOf).join(',')}]`
  }
  const parts: string[] = []
  let text = '['
  for (const [i, reply] of replies.entries()) {
    if (i > 0) text += ','
    if (reply instanceof HexReply) {
      parts.push(text + reply.head, reply.hex)
      text = '"}'
    } else text += reply
  }
  parts.push(`${text}]`)
  envelope.endWith(parts)
  return SENT_IN_PARTS
}

/** Returns an error response. The stack trace is a member beside `data`, where clients of Hardhat expect it. */
function failure(id: string, error: RpcError, stackTrace?: SolidityStackTrace): string {
  const shown = stackTrace === undefined ? error : { ...error, stackTrace }
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(shown)}}`
}

/** Returns whether serialising `id` may give a text that differs from the received text. */
export function isInexact(id: unknown): boolean {
  if (typeof id !== 'number') return false
  return !Number.isFinite(id) || (Number.isInteger(id) && !Number.isSafeInteger(id))
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g

/** Returns the text of each numeric `id` in valid JSON: of the message (level 1) or of a batch's requests (level 2). */
export function exactIds(text: string, wantedLevel: 1 | 2): readonly (string | undefined)[] {
  const found: (string | undefined)[] = []
  let level = 0
  let item = 0
  for (const { 0: token, index: at } of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') level++
    else if (token === ']' || token === '}') level--
    else if (token === ',') item += level === wantedLevel - 1 ? 1 : 0
    else if (level === wantedLevel) {
      const number = numberAfter(text, at + token.length)
      // If an object has several members `id`, the last one counts, as in JSON.parse.
      if (number !== undefined && JSON.parse(token) === 'id') found[item] = number
    }
  }
  return found
}

const VALUE = /\s*:\s*(-?[\d.eE+-]+)/y

/** Returns the number after the colon at index `at`; `undefined` if the value is not a number. */
function numberAfter(text: string, at: number): string | undefined {
  VALUE.lastIndex = at
  return VALUE.exec(text)?.[1]
}

/** Maximum depth of arrays and objects in a message. Parsing a message of this depth takes milliseconds. */
const MOST_LEVELS = 131_072

const MARKS = /["[\]{}]/g

/** Returns whether `text` has too many levels. Skips each string as a whole, so that long hex takes little time. */
function isTooDeep(text: string): boolean {
  // Each level has an opening and a closing character.
  if (text.length <= 2 * MOST_LEVELS) return false
  let level = 0
  MARKS.lastIndex = 0
  for (let found = MARKS.exec(text); found !== null; found = MARKS.exec(text)) {
    const mark = found[0]
    if (mark === '"') MARKS.lastIndex = afterString(text, found.index + 1)
    else if (mark === '[' || mark === '{') {
      if (++level > MOST_LEVELS) return true
    } else level--
  }
  return false
}

/** Returns the index after the string that begins at `begin`; the end of the text for an unterminated string. */
function afterString(text: string, begin: number): number {
  let end = text.indexOf('"', begin)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end + 1
}

/** Returns whether an odd number of backslashes precedes `at`. */
function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

export interface SizeLimits {
  /** The maximum size of any message in bytes. */
  readonly bodyLimit: number
  /** The maximum size of a message with a state file in bytes. */
  readonly stateLimit: number
}

/** Number of bytes at the beginning of a message by which its size limit is chosen. */
export const BEGINNING_BYTES = 1_024

/** Matches a single request that loads a state. `method` must precede `params`, as in the requests of all clients. */
const LOADS_STATE =
  /^\s*\{(?:\s*"(?:jsonrpc|id)"\s*:\s*(?:"[^"\\]*"|-?[\d.eE+-]+|null)\s*,)*\s*"method"\s*:\s*"(?:anvil|hardhat)_loadState"\s*[,}]/

/** Returns the size limit in bytes of a message that begins with `beginning`. The message may be invalid JSON. */
export function sizeLimit(beginning: string, { bodyLimit, stateLimit }: SizeLimits): number {
  return stateLimit > bodyLimit && LOADS_STATE.test(beginning) ? stateLimit : bodyLimit
}
