/** Meanings of HTTP statuses of failure, and of `Retry-After`. */
import { excerpt, type Problem } from './transport.ts'

/** Statuses below 500 after which the same request may be answered later (RFC 9110, RFC 6585, RFC 8470). */
const TRANSIENT = new Set([408, 425, 429])
/** Statuses from 500 on after which it will not: not implemented, and an unknown version of HTTP. */
const FINAL = new Set([501, 505])
/** Statuses that concern the key or the address, not the batch. */
const NOT_OF_BATCHES = new Set([401, 402, 403, 407])

/** Returns the problem that a response with a status of failure describes. */
export function problemOfStatus(
  { status, headers }: Response,
  body: string,
  scrub: (text: string) => string,
  nowMs: number,
): Problem {
  const shown = excerpt(scrub(body))
  const came = `HTTP ${status}${shown === '' ? '' : ` (${shown})`}`
  const isTransient = TRANSIENT.has(status) || (status >= 500 && !FINAL.has(status))
  const waitMs = retryAfterMs(headers.get('retry-after'), nowMs)
  const refusesBatch = !isTransient && status >= 400 && status < 500 && !NOT_OF_BATCHES.has(status)
  return {
    kind: status === 429 ? 'rateLimited' : 'httpStatus',
    came,
    isTransient,
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(refusesBatch ? { batch: status === 413 ? 'tooLarge' : 'refused' } : {}),
  }
}

/** Returns the milliseconds of a `Retry-After`: seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined
  const text = value.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}
