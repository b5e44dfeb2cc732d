/** Timing for the benchmarks: medians of several rounds, never a single run. */

/** The median and the extremes of several rounds: microseconds for one call, or whatever was counted. */
export interface Timing {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** How long to measure: rounds that count, and how long each of them lasts for each contender. */
export interface Effort {
  readonly rounds: number
  readonly roundMs: number
}

/** What contenders took, in their order, and by how much each differed from the last of them in the same round. */
export interface Race {
  readonly timings: readonly Timing[]
  /** Medians of the ratios of each round: a machine that is slower for a while is so for all alike. */
  readonly ratios: readonly number[]
}

/** Something to be timed; `i` counts the calls, so that it can ask for something else each time. */
export type Work = (i: number) => unknown

/** Takes part in one round, and says what it measured there. */
export type Contender = () => number | Promise<number>

/**
 * What each contender measured in each round. Each round has all of them, forwards and backwards in turn, so that a change
 * in the machine's speed, or the garbage of a neighbour, meets all alike. The round before the first is for compilers
 * and caches and does not count.
 */
export async function contest(contenders: readonly Contender[], rounds: number): Promise<number[][]> {
  const results: number[][] = contenders.map(() => [])
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

/** Times pieces of work against each other, in microseconds a call. Work that answers promises is awaited. */
export async function race(works: readonly Work[], { rounds, roundMs }: Effort): Promise<Race> {
  const contenders: Contender[] = []
  for (const work of works) contenders.push(await timed(work, roundMs))
  const results = await contest(contenders, rounds)
  return { timings: results.map(summary), ratios: results.map((own) => ratio(own, results.at(-1)!)) }
}

/**
 * `work` as a contender: microseconds for a call, of as many calls as fill a round. It is at work for some rounds' time
 * before they are counted: the machinery behind an `eth_call` takes hundreds of calls to be compiled.
 */
export async function timed(work: Work, roundMs: number): Promise<Contender> {
  const warmUntil = performance.now() + roundMs * WARM_ROUNDS
  for (let i = 0; performance.now() < warmUntil; i++) await work(i)
  const times = await timesFor(work, roundMs)
  return async () => (await run(work, times)) / times
}

const WARM_ROUNDS = 4

/** The median of what `own` is to `other`, round by round. */
export function ratio(own: readonly number[], other: readonly number[]): number {
  return summary(own.map((value, round) => value / other[round]!)).median
}

/** How many calls fill a round. */
async function timesFor(work: Work, roundMs: number): Promise<number> {
  for (let times = 1; ; times *= 2) {
    const microseconds = await run(work, times)
    if (microseconds > roundMs * 500) return Math.max(1, Math.round((times * roundMs * 1000) / microseconds))
  }
}

/** Microseconds for `times` calls. */
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

/** Times synchronous `work(i)`; one round runs first and is not counted. */
export function time(times: number, work: Work, rounds = 9): Timing {
  const results: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now()
    for (let i = 0; i < times; i++) work(i)
    if (round > 0) results.push(((performance.now() - start) * 1000) / times)
  }
  return summary(results)
}

/** The median and the extremes of `values`. */
export function summary(values: readonly number[]): Timing {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
  return { median, min: sorted[0]!, max: sorted.at(-1)! }
}

/** The least of `values` that is at least as large as `percent` in a hundred of them. */
export function percentile(values: readonly number[], percent: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1]!
}

/** Bytes in use after full collections, array buffers outside of the heap included; needs `node --expose-gc`. */
export function heapUsed(): number {
  if (globalThis.gc === undefined) throw new Error('memory is weighed with node --expose-gc')
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
