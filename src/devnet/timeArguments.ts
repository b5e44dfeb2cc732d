/** Parses the arguments of `mine`, `advance`, `increaseTime` and `setTime` of a devnet. */
import { type Duration, durationMs, namesOf, requireOptions } from '../model/api/arguments.ts'

/** Number of blocks to mine, and the time between them. */
export interface MineOptions {
  /** Number of blocks, from 1 to 1,000,000; by default 1. */
  readonly blocks?: number | undefined
  /** Seconds between two blocks; by default 0. */
  readonly intervalSeconds?: number | undefined
}

const MINE_OPTIONS = namesOf<MineOptions>({ blocks: true, intervalSeconds: true })

/** Limits the memory that `mine` can use, because each block is kept. */
const MOST_BLOCKS = 1_000_000
/** Maximum time in seconds, because a clock counts milliseconds in a JavaScript number. */
const MOST_SECONDS = 9_007_199_254_740

/** Limits the memory that one `advance` uses while a fault is planned, because then no tick is skipped. */
const MOST_TICKS = 1_000_000

export function parsedMining(
  mining: number | MineOptions,
): Required<{ blocks: number; intervalSeconds: number }> {
  const options = typeof mining === 'number' ? { blocks: mining } : mining
  requireOptions('mine', options, MINE_OPTIONS)
  const { blocks = 1, intervalSeconds = 0 } = options
  requireWhole('mine: blocks', blocks, 1, MOST_BLOCKS)
  requireWhole('mine: intervalSeconds', intervalSeconds, 0, MOST_SECONDS)
  return { blocks, intervalSeconds }
}

/** Throws a `RangeError` if `advance` by `ms` would make too many ticks while a fault is planned. */
export function requireFewTicks(ms: number, tickMs: number): void {
  const ticks = Math.floor(ms / tickMs)
  if (ticks <= MOST_TICKS) return
  throw new RangeError(
    `advance: ${ms} ms are ${ticks} ticks of ${tickMs} ms; while a fault is planned, no tick is skipped, and at most ${MOST_TICKS} are made at once; use increaseTime, which makes no ticks, or remove the fault`,
  )
}

export function parsedSeconds(duration: number | bigint | Duration): number {
  const seconds =
    typeof duration === 'object' ? durationMs('increaseTime', duration) / 1_000 : Number(duration)
  requireWhole('increaseTime: seconds', seconds, 0, MOST_SECONDS)
  return seconds
}

/** Returns seconds since 1970. Throws a `RangeError` if `time` is before the time of the newest block, `newest`. */
export function parsedMoment(time: number | bigint | Date, newest: bigint): number {
  const seconds = time instanceof Date ? Math.floor(time.getTime() / 1_000) : Number(time)
  const hint = seconds > MOST_SECONDS_AS_TIME ? '; milliseconds are given as new Date(ms)' : ''
  if (Number.isSafeInteger(seconds) && BigInt(seconds) >= newest && hint === '') return seconds
  throw new RangeError(
    `setTime: expected a Date, or whole seconds since 1970 from ${newest} (the newest block) on, got ${String(time)}${hint}`,
  )
}

/** A time in the year 5138. A larger number is probably in milliseconds. */
const MOST_SECONDS_AS_TIME = 99_999_999_999

function requireWhole(what: string, value: unknown, least: number, most: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return
  throw new RangeError(`${what}: expected a whole number from ${least} to ${most}, got ${String(value)}`)
}
