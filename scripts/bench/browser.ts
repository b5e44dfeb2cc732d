/**
 * The page in a Chromium while transfers come in: how late ticks are with it and without, by turns; how long the browser's longest
 * task takes; and what the tab holds after the first minute and after the second.
 */
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { findChromium, NO_CHROMIUM } from '../package/chromium.ts'
import { percentile, type Timing } from './measure.ts'
import type { Row, Thoroughness } from './row.ts'
import { type Run, Scene } from './rush/scene.ts'
import { count } from './table.ts'

/** Transfers a second at which the page must not stutter. */
const PER_SECOND = 300
/** A task that takes longer keeps a reader waiting. */
const LONGEST_TASK_MS = 100

const EFFORTS = {
  full: { warmMs: 5_000, runMs: 60_000, turns: 2 },
  quick: { warmMs: 500, runMs: 3_000, turns: 1 },
} as const

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync']

/** Notes each task of the page that takes 50 ms or more: what the browser calls a long task. */
const WATCH_TASKS = `
  window.longTasksMs = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasksMs.push(duration)
  }).observe({ type: 'longtask' })
`

export async function* browser(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const what = `the page in a browser, ${count(PER_SECOND)} transfers a second`
  const executablePath = findChromium()
  if (executablePath === undefined) {
    yield { what, skipped: NO_CHROMIUM }
    return
  }
  const { warmMs, runMs, turns } = EFFORTS[thoroughness]
  const scene = new Scene('base-flashblocks')
  const launched = await chromium.launch({ executablePath, args: FLAGS })
  const without: Run[] = []
  const shown: Run[] = []
  const heaps: number[][] = []
  let longMs: number[] = []
  try {
    await scene.run(PER_SECOND, warmMs)
    for (let turn = 0; turn < turns; turn++) {
      without.push(await scene.run(PER_SECOND, runMs))
      const tab = new Tab(launched)
      shown.push(await scene.run(PER_SECOND, runMs, (url) => tab.open(url)))
      longMs = [...longMs, ...(await tab.longTasksMs())]
      const afterOne = await tab.heap()
      const second = await scene.run(PER_SECOND, runMs)
      shown.push(second)
      longMs = [...longMs, ...(await tab.longTasksMs())]
      heaps.push([afterOne, await tab.heap()])
      await tab.close()
    }
  } finally {
    scene.close()
    await launched.close()
  }
  const name = `${what}, ${runMs / 1_000} s`
  const longest = Math.max(0, ...longMs)
  const late = (runs: readonly Run[]) => runs.flatMap(({ lateMs }) => lateMs)
  const p99Without = percentile(late(without), 99)
  const p99Shown = percentile(late(shown), 99)
  yield {
    what: `${name}: its longest task (${longMs.length} of 50 ms or more)`,
    ours: alone(longest * 1_000),
    unit: 'microseconds',
    goals: [{ kind: 'under', microseconds: LONGEST_TASK_MS * 1_000 }],
  }
  yield {
    what: `${name}: 99th percentile of how late a tick is`,
    ours: alone(p99Shown * 1_000),
    unit: 'microseconds',
    peer: {
      name: 'without the page',
      timing: alone(p99Without * 1_000),
      ratio: p99Shown / Math.max(1, p99Without),
    },
  }
  yield {
    what: `${name}: what the tab holds after as long again`,
    ours: alone(heaps.at(-1)![1]!),
    unit: 'bytes',
    peer: {
      name: 'after the first',
      timing: alone(heaps.at(-1)![0]!),
      ratio: heaps.at(-1)![1]! / heaps.at(-1)![0]!,
    },
    goals: [{ kind: 'ratioAtMost', ratio: 1.2 }],
  }
}

/** A tab with the page. */
class Tab {
  readonly #browser: Browser
  #page: Page | undefined
  #debugger: CDPSession | undefined

  constructor(launched: Browser) {
    this.#browser = launched
  }

  async open(url: string): Promise<void> {
    const page = await this.#browser.newPage({ viewport: { width: 1400, height: 900 } })
    await page.addInitScript(WATCH_TASKS)
    await page.goto(url)
    this.#page = page
    this.#debugger = await page.context().newCDPSession(page)
  }

  /** Resolves with the milliseconds of the long tasks since the last time. */
  longTasksMs(): Promise<number[]> {
    return this.#page!.evaluate<number[]>('window.longTasksMs.splice(0)')
  }

  /** Resolves with the bytes that the page's scripts hold after a collection. */
  async heap(): Promise<number> {
    await this.#debugger!.send('HeapProfiler.collectGarbage')
    return (await this.#debugger!.send('Runtime.getHeapUsage')).usedSize
  }

  async close(): Promise<void> {
    await this.#page?.close()
  }
}

function alone(value: number): Timing {
  return { median: value, min: value, max: value }
}
