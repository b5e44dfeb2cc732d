/** Timing for the benchmarks: medians of several rounds, never a single run. */

/** The median and the extremes of several rounds: microseconds per call, or whatever was counted. */
export interface Timing {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** The number of counted rounds, and the length of each for each contender. */
export interface Effort {
  readonly rounds: number
  readonly roundMs: number
}

/** A call to be timed; `i` counts the calls, so that each can ask for something else. */
export type Work = (i: number) => unknown

export type Contender = () => number | Promise<number>

/**
 * Measurements of each contender in each round. Each round has all of them, forwards and backwards in turn, so that a change
 * in the machine's speed, or the garbage of a neighbour, meets all alike. The round before the first warms up compilers
 * and caches and does not count.
 */
export async function contest<T = number>(
  contenders: readonly (() => T | Promise<T>)[],
  rounds: number,
): Promise<T[][]> {
  const results: T[][] = contenders.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    const order = [...contenders.keys()]
    if (round % 2 === 1) order.reverse()
    for (const index of order) {
      const result = await contenders[index]!()
      if (round > 0) results[index]!.push(result)
    }
  }
  return results
}

/**
 * `work` as a contender: microseconds per call, of as many calls as fill a round. It runs for some rounds' time before the
 * first measurement: the code behind an `eth_call` takes hundreds of calls to be compiled.
 */
export async function timed(work: Work, roundMs: number): Promise<Contender> {
  const warmUntil = performance.now() + roundMs * WARM_ROUNDS
  for (let i = 0; performance.now() < warmUntil; i++) await work(i)
  const times = await timesFor(work, roundMs)
  return async () => (await run(work, times)) / times
}

const WARM_ROUNDS = 4

/** Runs `work` once as a contender: microseconds. */
export function timedOnce(work: () => unknown): Contender {
  return async () => {
    const started = performance.now()
    await work()
    return (performance.now() - started) * 1000
  }
}

async function timesFor(work: Work, roundMs: number): Promise<number> {
  for (let times = 1; ; times *= 2) {
    const microseconds = await run(work, times)
    if (microseconds > roundMs * 500) return Math.max(1, Math.round((times * roundMs * 1000) / microseconds))
  }
}

/** Microseconds for `times` calls. Promises are awaited. */
async function run(work: Work, times: number): Promise<number> {
  const start = performance.now()
  const first = work(0)
  if (first instanceof Promise) {
    await first
    for (let i = 1; i < times; i++) await work(i)
  } else {
    for (let i = 1; i < times; i++) work(i)
  }
  return (performance.now() - start) * 1000
}

export function summary(values: readonly number[]): Timing {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
  return { median, min: sorted[0]!, max: sorted.at(-1)! }
}

/** The smallest of `values` that is not below `percent` in a hundred of them. */
export function percentile(values: readonly number[], percent: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1]!
}

/** Microseconds of a clock that is the same in all processes of the machine. */
export function nowUs(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}
