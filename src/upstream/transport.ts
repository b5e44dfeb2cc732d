import { isRecord } from '../model/api/arguments.ts'
import { meaningOf, waitOf } from './answers.ts'
import type { AnswerError, UpstreamAnswer, UpstreamFailureKind, UpstreamRequest } from './upstream.ts'

/** Parses the body of a response. A body that is not JSON becomes a problem. */
export function parseReply(text: string, scrub: (text: string) => string): Reply {
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch {
    return failed({ kind: 'wrongAnswer', came: describedBody(text, scrub), isTransient: true })
  }
}

function describedBody(text: string, scrub: (text: string) => string): string {
  const start = text.trimStart()
  if (start === '') return 'an empty answer'
  const shown = excerpt(scrub(text))
  if (start.startsWith('<')) return `an HTML page (${shown})`
  return /^[[{]/.test(start) ? `JSON that ends too early (${shown})` : `text that is not JSON (${shown})`
}

/** The outcome of an attempt to answer a request. The answer in a failed outcome is used if no retry succeeds. */
export type Outcome =
  | { readonly kind: 'answered'; readonly answer: UpstreamAnswer }
  | { readonly kind: 'failed'; readonly problem: Problem; readonly answer?: UpstreamAnswer }

export interface Sent {
  readonly call: RpcCall
  readonly request: UpstreamRequest
}

/** Returns the outcomes of the requests in the order of `sent`. `isBatch` says whether they were sent as an array. */
export function matchAnswers(
  reply: Reply,
  sent: readonly Sent[],
  isBatch: boolean,
  scrub: (text: string) => string,
): Outcome[] {
  const all = (problem: Problem): Outcome[] => sent.map(() => ({ kind: 'failed', problem }))
  if (reply.kind === 'failed') return all(reply.problem)
  const { value, refusal } = reply
  if (Array.isArray(value) !== isBatch) return all(refusal ?? wrongForm(value, isBatch, scrub))
  const members: readonly unknown[] = isBatch ? (value as unknown[]) : [value]
  const byId = new Map<unknown, unknown[]>()
  for (const member of members) {
    const id = isRecord(member) ? member.id : undefined
    byId.set(id, [...(byId.get(id) ?? []), member])
  }
  const refused = isBatch ? refusalOf(byId.get(null), scrub) : undefined
  return sent.map(({ call, request }) => {
    const found = byId.get(call.id) ?? []
    if (found.length === 0) {
      return { kind: 'failed', problem: refused ?? refusal ?? wrong(`no answer with the id ${call.id}`) }
    }
    if (found.length > 1) return { kind: 'failed', problem: wrong(`several answers with the id ${call.id}`) }
    return outcomeOf(found[0] as Record<string, unknown>, request, isBatch, scrub)
  })
}

function outcomeOf(
  { result, error }: Record<string, unknown>,
  request: UpstreamRequest,
  isBatch: boolean,
  scrub: (text: string) => string,
): Outcome {
  if (error === undefined || error === null) {
    if (result === undefined) {
      return { kind: 'failed', problem: wrong('an answer with neither result nor error') }
    }
    const answer = { result }
    const isBehind = result === null && request.isImmutable === true && OF_BLOCKS.has(request.method)
    return isBehind ? { kind: 'failed', problem: BEHIND, answer } : { kind: 'answered', answer }
  }
  const parsed = parsedError(error, scrub)
  if (parsed === undefined) return { kind: 'failed', problem: wrong('an error without a code') }
  const problem = problemOfError(parsed, request, isBatch)
  const answer = { error: parsed }
  if (problem === undefined) return { kind: 'answered', answer }
  return problem.kind === 'rateLimited' ? { kind: 'failed', problem } : { kind: 'failed', problem, answer }
}

const OF_BLOCKS = new Set(['eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_getBlockReceipts'])

const BEHIND: Problem = { kind: 'behind', came: 'null for a block that the chain has', isTransient: true }

/** Returns the problem that an error reports. Returns `undefined` if the error is a valid answer to the request. */
function problemOfError(error: AnswerError, request: UpstreamRequest, isBatch: boolean): Problem | undefined {
  const came = `the error ${error.code} "${excerpt(error.message)}"`
  switch (meaningOf(error)) {
    case 'rateLimited': {
      const waitMs = waitOf(error)
      return { kind: 'rateLimited', came, isTransient: true, ...(waitMs === undefined ? {} : { waitMs }) }
    }
    case 'batchTooLarge':
      return isBatch ? { kind: 'refused', came, isTransient: false, batch: 'tooLarge' } : undefined
    case 'batchRefused':
      return isBatch ? { kind: 'refused', came, isTransient: false, batch: 'refused' } : undefined
    case 'busy':
      return { kind: 'unreachable', came, isTransient: true }
    case 'behind':
      return request.isImmutable === true ? { kind: 'behind', came, isTransient: true } : undefined
    case 'notArchive':
    case undefined:
      return undefined
  }
}

function wrongForm(value: unknown, isBatch: boolean, scrub: (text: string) => string): Problem {
  if (!isBatch) return wrong('an array as the answer to one request')
  return refusalOf([value], scrub) ?? wrong(`${shownKind(value)} as the answer to a batch`)
}

/** Returns the problem of a batch that was answered with an error without an id: usually, the node takes no batches. */
function refusalOf(
  members: readonly unknown[] | undefined,
  scrub: (text: string) => string,
): Problem | undefined {
  const error = members?.map((member) => (isRecord(member) ? parsedError(member.error, scrub) : undefined))[0]
  if (error === undefined) return undefined
  const problem = problemOfError(error, { method: 'batch', params: [] }, true)
  if (problem !== undefined) return problem
  const came = `the error ${error.code} "${excerpt(error.message)}" as the answer to a batch`
  return { kind: 'refused', came, isTransient: false, batch: 'refused' }
}

function parsedError(value: unknown, scrub: (text: string) => string): AnswerError | undefined {
  if (!isRecord(value)) return undefined
  const code = Number(value.code)
  if (!Number.isInteger(code)) return undefined
  const message = scrub(typeof value.message === 'string' ? value.message : '')
  return value.data === undefined ? { code, message } : { code, message, data: scrubbed(value.data, scrub) }
}

/** Removes API keys from the data of an error. The data may be text, such as revert data, or an object. */
function scrubbed(data: unknown, scrub: (text: string) => string): unknown {
  if (data === null || data === undefined) return data
  const text = JSON.stringify(data)
  const clean = scrub(text)
  return clean === text ? data : clean
}

function wrong(came: string): Problem {
  return { kind: 'wrongAnswer', came, isTransient: true }
}

function shownKind(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

export interface RpcCall {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

export interface Problem {
  readonly kind: UpstreamFailureKind
  /** Describes the unusable answer for the error message, such as `HTTP 503`, without API keys. */
  readonly came: string
  readonly isTransient: boolean
  readonly waitMs?: number
  /** `refused` if the node takes no batches, `tooLarge` if the batch or its answer exceeded a limit. */
  readonly batch?: 'refused' | 'tooLarge'
}

/** The outcome of one exchange. `refusal` is present if JSON was received with an HTTP error status. */
export type Reply =
  | { readonly kind: 'json'; readonly value: unknown; readonly refusal?: Problem }
  | { readonly kind: 'failed'; readonly problem: Problem }

export interface Transport {
  readonly name: string
  readonly takesBatches: boolean
  scrub(text: string): string
  /** Sends a request or a batch. Never rejects. Resolves soon after `signal` is aborted. */
  exchange(payload: RpcCall | readonly RpcCall[], signal: AbortSignal): Promise<Reply>
  close(): void
}

export function failed(problem: Problem): Reply {
  return { kind: 'failed', problem }
}

export function unreachable(came: string): Reply {
  return failed({ kind: 'unreachable', came, isTransient: true })
}

export function tooLarge(limit: number): Reply {
  const came = `an answer of more than ${limit} bytes`
  return failed({ kind: 'wrongAnswer', came, isTransient: false, batch: 'tooLarge' })
}

export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
