/**
 * The page in a Chromium while transfers come in: what it costs the devnet, how late ticks are with it and without, by turns; how long the
 * browser's longest task takes; and what the tab holds after the first minute and after the second.
 *
 * What the page costs the devnet are the devnet's notifications and answers: processor time of its process. A browser that draws twenty
 * pictures a second also takes processors from all other processes, which is the operating system's doing. So ticks are judged with the
 * devnet on a processor of its own, where the browser takes none from it, and are told for knowledge with both on the same ones.
 */
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { CHROMIUM_FLAGS, findChromium, NO_CHROMIUM } from '../package/chromium.ts'
import { percentile, ratio, summary, type Timing } from './measure.ts'
import type { Row, Thoroughness } from './row.ts'
import { canKeepApart, keepApart, letShare, NOT_APART } from './rush/processors.ts'
import { type Run, Scene } from './rush/scene.ts'
import { count } from './table.ts'

/** Transfers a second at which the page must not stutter. */
const PER_SECOND = 300
/** A task that takes longer keeps a reader waiting. */
const LONGEST_TASK_MS = 100
/** What the page may add to the processor time of the devnet. */
const MOST_ADDED = 1.1
/** By how much the 99th percentile of ticks may be later: the clock of the devnet counts whole milliseconds. */
const LATER_MS = 2

const EFFORTS = {
  full: { warmMs: 5_000, runMs: 60_000, turns: 2 },
  quick: { warmMs: 500, runMs: 3_000, turns: 1 },
} as const

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
  const isApart = canKeepApart()
  const scene = new Scene('base-flashblocks')
  const launched = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
  const apart = { without: [] as Run[], shown: [] as Run[] }
  const shared = { without: [] as Run[], shown: [] as Run[] }
  const heaps: number[][] = []
  let longMs: number[] = []
  try {
    await scene.run(PER_SECOND, warmMs)
    for (let turn = 0; turn < turns; turn++) {
      if (isApart) {
        keepApart(scene.chainPid)
        apart.without.push(await scene.run(PER_SECOND, runMs))
      }
      const tab = new Tab(launched)
      await scene.run(PER_SECOND, warmMs, (url) => tab.open(url))
      if (isApart) {
        // The tab is a process of its own.
        keepApart(scene.chainPid)
        apart.shown.push(await scene.run(PER_SECOND, runMs))
        letShare()
      } else shared.shown.push(await scene.run(PER_SECOND, runMs))
      longMs = [...longMs, ...(await tab.longTasksMs())]
      const afterOne = await tab.heap()
      shared.shown.push(await scene.run(PER_SECOND, runMs))
      longMs = [...longMs, ...(await tab.longTasksMs())]
      heaps.push([afterOne, await tab.heap()])
      await tab.close()
      shared.without.push(await scene.run(PER_SECOND, runMs))
      if (!isApart) shared.without.push(await scene.run(PER_SECOND, runMs))
    }
  } finally {
    scene.close()
    await launched.close()
  }
  const name = `${what}, ${runMs / 1_000} s`
  const longest = Math.max(0, ...longMs)
  yield {
    what: `${name}: its longest task (${longMs.length} of 50 ms or more)`,
    ours: alone(longest * 1_000),
    unit: 'microseconds',
    goals: [{ kind: 'under', microseconds: LONGEST_TASK_MS * 1_000 }],
  }
  const [shownUs, withoutUs] = [
    [...apart.shown, ...shared.shown],
    [...apart.without, ...shared.without],
  ].map((runs) => runs.map(({ cpuMs }) => cpuMs * 1_000)) as [number[], number[]]
  yield {
    what: `${name}: processor time of the devnet`,
    ours: summary(shownUs),
    unit: 'microseconds',
    peer: { name: 'without the page', timing: summary(withoutUs), ratio: ratio(shownUs, withoutUs) },
    goals: [{ kind: 'ratioAtMost', ratio: MOST_ADDED }],
  }
  const late = `${name}: 99th percentile of how late a tick is`
  const p99 = (runs: readonly Run[]) =>
    percentile(
      runs.flatMap(({ lateMs }) => lateMs),
      99,
    )
  const later = `${late}, less that without the page`
  if (isApart) {
    const [with_, without] = [p99(apart.shown), p99(apart.without)]
    yield {
      what: `${later} (${without} ms), the devnet on a processor of its own`,
      ours: alone(Math.max(0, with_ - without) * 1_000),
      unit: 'microseconds',
      goals: [{ kind: 'under', microseconds: LATER_MS * 1_000 }],
    }
  } else yield { what: `${later}, the devnet on a processor of its own`, skipped: NOT_APART }
  const [sharedShown, sharedWithout] = [p99(shared.shown), p99(shared.without)]
  yield {
    what: `${late}, the browser on the same processors`,
    ours: alone(sharedShown * 1_000),
    unit: 'microseconds',
    peer: {
      name: 'without the page',
      timing: alone(sharedWithout * 1_000),
      ratio: sharedShown / Math.max(1, sharedWithout),
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
