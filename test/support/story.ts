/**
 * Stories of the page: a devnet that listens, a browser that opens its page, and what is seen there. A story fails where the
 * page logs an error, breaks its policy, asks another origin, or where axe finds something.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findChromium, NO_CHROMIUM } from '../../scripts/package/chromium.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'

/** Where screenshots are left; not committed. */
const PICTURES = fileURLToPath(new URL('../../dist-stories', import.meta.url))

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const WIDE = { width: 1400, height: 900 }
const NARROW = { width: 390, height: 844 }

interface Opened {
  readonly colorScheme?: 'light' | 'dark'
}

/** Where a story is told: a browser that asks nothing but what it was allowed to. */
export interface Stage {
  /** Calls `end` when the story has been told, and all tabs are closed. */
  onEnd(end: () => Promise<unknown>): void
  /** Allows requests of URLs that begin with `start`. */
  allow(start: string): void
  /** Opens a tab at `url`, and waits for the heading of the page. */
  open(url: string, options?: Opened): Promise<Page>
  /** Looks at the page: in light and dark, wide and narrow. Leaves screenshots named `name`, and expects axe to find nothing. */
  look(page: Page, name: string): Promise<void>
}

export interface StageOptions {
  /** Requests of the page that may fail, and errors that it may log: a devnet that goes away, a foreign link. */
  readonly allowedErrors?: RegExp
  readonly timeoutMs?: number
}

/** What a story of a devnet's page is given. */
export interface Scene {
  readonly devnet: Devnet
  /** Where the devnet listens, without a slash at the end. */
  readonly url: string
  /** Opens the page at a path, and waits for its heading. Another call opens another tab. */
  open(path?: string, options?: Opened): Promise<Page>
  look: Stage['look']
}

export interface StoryOptions extends StageOptions {
  /** By default the clock is the test's own. */
  readonly devnet?: DevnetOptions
  /** What happens before the page is opened. */
  readonly before?: (devnet: Devnet) => Promise<unknown>
}

const executablePath = findChromium()
if (executablePath === undefined) console.warn(`stories of the page are skipped: ${NO_CHROMIUM}`)

let launched: Promise<Browser> | undefined

/** The browser of this process, which ends with it. */
function browser(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: executablePath!, args: FLAGS })
  return launched
}

/** A story, told by what a person does and sees. */
export function story(name: string, tell: (scene: Scene) => Promise<void>, options: StoryOptions = {}): void {
  const { devnet: devnetOptions, before } = options
  const onDevnet = async ({ onEnd, allow, open, look }: Stage) => {
    const devnet = await createDevnet({ rhythm: 'manual', consoleLogs: false, ...devnetOptions })
    onEnd(() => devnet.close())
    await before?.(devnet)
    const { url } = await devnet.listen()
    allow(url)
    await tell({
      devnet,
      url: url.replace(/\/$/, ''),
      open: (path = '/', how = {}) => open(new URL(path, url).href, how),
      look,
    })
  }
  stageStory(name, onDevnet, options)
}

/** A story of pages that have no devnet behind them, or another than that of the story. */
export function stageStory(
  name: string,
  tell: (stage: Stage) => Promise<void>,
  { allowedErrors, timeoutMs = 60_000 }: StageOptions = {},
): void {
  test.skipIf(executablePath === undefined)(name, { timeout: timeoutMs }, async () => {
    const context = await (await browser()).newContext({ viewport: WIDE })
    const allowed: string[] = []
    const problems: string[] = []
    let end: () => Promise<unknown> = async () => {}
    const note = (text: string) => {
      if (allowedErrors === undefined || !allowedErrors.test(text)) problems.push(text)
    }
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') note(`console: ${message.text()}`)
    })
    context.on('weberror', (error) => note(`error: ${error.error().stack ?? error.error().message}`))
    context.on('request', (request) => {
      const asked = request.url()
      if (!allowed.some((start) => asked.startsWith(start)) && !/^(data|blob):/.test(asked)) {
        note(`request: ${asked}`)
      }
    })
    context.on('requestfailed', (request) => note(`failed: ${request.url()} ${request.failure()?.errorText}`))
    try {
      await tell({
        onEnd(last) {
          end = last
        },
        allow: (start) => void allowed.push(start),
        async open(url, { colorScheme = 'light' } = {}) {
          const page = await context.newPage()
          await page.emulateMedia({ colorScheme })
          await page.goto(url)
          await page.getByRole('heading', { level: 1 }).waitFor()
          return page
        },
        look: lookAt,
      })
      expect(problems).toEqual([])
    } finally {
      await context.close()
      await end()
    }
  })
}

async function lookAt(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true })
  const size = page.viewportSize() ?? WIDE
  // Run by the debugger's protocol, which the policy of the page does not concern.
  await page.evaluate(AXE)
  for (const [scheme, viewport, way] of [
    ['light', WIDE, 'light'],
    ['dark', WIDE, 'dark'],
    ['light', NARROW, 'light-narrow'],
    ['dark', NARROW, 'dark-narrow'],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    // The head of the page stays in sight, also in a picture of all of it.
    await page.evaluate('scrollTo(0, 0)')
    await page.screenshot({ path: join(PICTURES, `${name}-${way}.png`), fullPage: true })
    expect(await overflow(page), `${name}-${way}: nothing is wider than the page`).toBe(0)
    expect(await violations(page), `${name}-${way}: axe`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null })
  await page.setViewportSize(size)
}

/** How many pixels the page is wider than its window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** What axe finds: each rule, and where. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await page.evaluate<AxeResults>('axe.run()')
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
