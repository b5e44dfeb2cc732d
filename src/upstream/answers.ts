/** Classifies errors by their messages, because few nodes use distinct codes (see viem, ethers, alloy). */
import { InvalidValue, type Parser } from '../wire/parser.ts'
import { type AnswerError, type UpstreamAnswer, UpstreamFailed, type UpstreamRequest } from './upstream.ts'

/** Execution errors have geth's revert code, or match `OF_EXECUTION` at the start: a contract may choose the rest. */
const REVERT_CODE = 3
const OF_EXECUTION =
  /^(execution |vm |reverted|revert\b|transaction reverted|out of gas|invalid opcode|insufficient )/i

type ErrorMeaning = 'rateLimited' | 'busy' | 'behind' | 'notArchive' | 'batchRefused' | 'batchTooLarge'

interface Row {
  readonly meaning: ErrorMeaning
  readonly codes?: readonly number[]
  readonly words?: RegExp
  readonly not?: RegExp
}

/** Matches messages about limits of one request. For such a limit on logs, Infura uses the code of a rate limit. */
const OF_ONE_REQUEST =
  /results|block range|range is|blocks? (limit|range)|response size|more than \d+ (logs|blocks)|\blogs?\b/i

const ROWS: readonly Row[] = [
  {
    meaning: 'notArchive',
    words:
      /missing trie node|state .{0,90}(is )?not available|historical state|(state|history|block|data).{0,40}(been )?pruned|pruned (state|history|data)|state (is )?(unavailable|not found)|no state (available|found)|(only|not) (available )?(on|for|by|an) .{0,20}archive|archive (node|data|state|mode|request|access|plan|tier)|distance to target block exceeds maximum proof window|state (already|has been) discarded|world state unavailable|old data not available/i,
  },
  {
    meaning: 'batchTooLarge',
    words:
      /batch.{0,30}(too large|too big|too long|limit|exceed|maximum)|(too large|too big|limit|exceed|maximum).{0,30}batch|response too large|response size exceeded|too many requests in batch/i,
  },
  { meaning: 'batchRefused', words: /batch/i },
  // 429: Alchemy. -32005: EIP-1474 and Infura. -32097: Ankr and others.
  { meaning: 'rateLimited', codes: [429, -32005, -32029, -32097, -32090], not: OF_ONE_REQUEST },
  {
    meaning: 'rateLimited',
    words:
      /rate.?limit|rate exceeded|too many requests|request limit|requests? per (second|minute|day)|request count exceeded|credits (limited|exhausted)|compute units|throttl|concurrent requests|capacity (exceeded|limit)|exceeded .{0,30}(quota|capacity)/i,
    not: OF_ONE_REQUEST,
  },
  {
    meaning: 'behind',
    words:
      /(header|block)( .{0,90})? ?not found|unknown (block|header)|(beyond|ahead of|after|greater than) .{0,30}(head|latest|current)|(block|header) .{0,60}(is )?(not yet|unavailable|unknown)|missing (block|header)|could not find block|not currently canonical/i,
  },
  // Code -32603 alone causes no retry, unlike in viem: ganache and other nodes use the code for failed executions.
  {
    meaning: 'busy',
    words:
      /^(internal (server )?error|request timed out|timeout|gateway time-?out|temporar|service (temporarily )?unavailable|bad gateway|(server|node|backend|upstream) .{0,40}(busy|overloaded|unavailable|timed out)|please (try again|retry)|try again|no (available )?(backends?|servers?|nodes?|upstreams?))/i,
  },
]

/** Returns the node condition that an error reports; `undefined` if the error answers the request. */
export function meaningOf({ code, message }: AnswerError): ErrorMeaning | undefined {
  if (code === REVERT_CODE || OF_EXECUTION.test(message)) return undefined
  return ROWS.find(
    ({ codes, words, not }) =>
      (codes === undefined || codes.includes(code)) &&
      (words === undefined || words.test(message)) &&
      not?.test(message) !== true,
  )?.meaning
}

export function waitOf({ message, data }: AnswerError): number | undefined {
  const record = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
  const rate = typeof record.rate === 'object' && record.rate !== null ? record.rate : {}
  const { backoff_seconds: backoff } = rate as { backoff_seconds?: unknown }
  const values = [backoff, record.try_again_in, record.retry_after, record.retryAfter]
  const words = /(?:try again|retry)(?: in| after)? (\d+(?:\.\d+)? ?(?:ms|s|sec|seconds?|m|minutes?)?)\b/i
  return [...values, words.exec(message)?.[1]].map(durationMs).find((ms) => ms !== undefined)
}

const UNITS: readonly (readonly [unit: RegExp, ms: number])[] = [
  [/^(ms|milliseconds?)$/, 1],
  [/^(s|sec|secs|seconds?)?$/, 1000],
  [/^(m|min|minutes?)$/, 60_000],
  [/^(h|hours?)$/, 3_600_000],
]

function durationMs(value: unknown): number | undefined {
  const [, amount, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(String(value ?? '')) ?? []
  const factor = UNITS.find(([name]) => name.test(unit.toLowerCase()))?.[1]
  return amount === undefined || factor === undefined ? undefined : Math.ceil(Number(amount) * factor)
}

export function lacksMethod({ code, message }: AnswerError): boolean {
  // -32601: JSON-RPC 2.0; -32004: EIP-1474; 4200: EIP-1193.
  const isCode = [-32601, -32004, 4200].includes(code)
  return (
    isCode ||
    /method .{0,60}(not (found|supported|available|allowed|exist)|does not exist|unsupported)|unsupported method|unknown method/i.test(
      message,
    )
  )
}

/**
 * Returns the parsed result. Throws `UpstreamFailed` of the kind `wrongAnswer` (malformed result), `notArchive` (the
 * node pruned the state of the block), `behind` (the node does not have the block) or `refused` (other errors).
 */
export function parsedAnswer<T>(
  { name }: { readonly name: string },
  request: UpstreamRequest,
  parse: Parser<T>,
  answer: UpstreamAnswer,
): T {
  if ('error' in answer) throw failureOf(name, request, answer.error)
  try {
    return parse(answer.result, 'result')
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    const wrong = `a wrong answer to ${described(request)}`
    throw new UpstreamFailed({ kind: 'wrongAnswer', upstream: name, wrong, came: error.message })
  }
}

function failureOf(upstream: string, request: UpstreamRequest, error: AnswerError): UpstreamFailed {
  const meaning = meaningOf(error)
  const kind = meaning === 'notArchive' || meaning === 'behind' ? meaning : 'refused'
  const came = `the error ${error.code} "${error.message}"`
  const later = meaning === 'busy' ? { right: 'ask again later, or use another node' } : {}
  return new UpstreamFailed({ kind, upstream, wrong: described(request), came, error, ...later })
}

/** Returns the method and shortened parameters of a request, for error messages. */
export function described({ method, params }: UpstreamRequest): string {
  const shown = params.map((param) => (typeof param === 'string' ? param : (JSON.stringify(param) ?? '')))
  const list = shown.map((text) => (text.length > 70 ? `${text.slice(0, 67)}…` : text)).join(', ')
  return `${method}(${list})`
}
