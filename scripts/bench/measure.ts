/** Timing for the benchmarks: medians of several rounds, never a single run. */

/** Microseconds for one call of `work`, as the median (and extremes) of `rounds` rounds of `times` calls. */
export interface Timing {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** Times synchronous `work(i)`; one round runs first and is not counted. */
export function time(times: number, work: (i: number) => unknown, rounds = 9): Timing {
  const results: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now()
    for (let i = 0; i < times; i++) work(i)
    if (round > 0) results.push(((performance.now() - start) * 1000) / times)
  }
  return summary(results)
}

/** Times asynchronous `work(i)`, one call after the other. */
export async function timeAsync(
  times: number,
  work: (i: number) => Promise<unknown>,
  rounds = 9,
): Promise<Timing> {
  const results: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now()
    for (let i = 0; i < times; i++) await work(i)
    if (round > 0) results.push(((performance.now() - start) * 1000) / times)
  }
  return summary(results)
}

/**
 * Times several pieces of work against each other: each round runs all of them in turn, so that a change in the
 * machine's speed meets all alike. Answers a timing for each, in their order.
 */
export async function timeTogether(
  times: number,
  works: readonly ((i: number) => unknown)[],
  rounds = 9,
): Promise<Timing[]> {
  const results: number[][] = works.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, work] of works.entries()) {
      const start = performance.now()
      for (let i = 0; i < times; i++) await work(i)
      if (round > 0) results[index]!.push(((performance.now() - start) * 1000) / times)
    }
  }
  return results.map(summary)
}

/** The median and the extremes of `values`. */
export function summary(values: readonly number[]): Timing {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: sorted[sorted.length >> 1]!, min: sorted[0]!, max: sorted.at(-1)! }
}

/** Bytes of heap in use after a full collection; needs `node --expose-gc`. */
export function heapUsed(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** Microseconds in the unit that reads best. */
export function duration(microseconds: number): string {
  if (microseconds < 1) return `${(microseconds * 1000).toFixed(0)} ns`
  if (microseconds < 1000) return `${microseconds.toFixed(microseconds < 10 ? 2 : 1)} µs`
  if (microseconds < 1_000_000) return `${(microseconds / 1000).toFixed(2)} ms`
  return `${(microseconds / 1_000_000).toFixed(2)} s`
}

/** Rows of text as an aligned table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
