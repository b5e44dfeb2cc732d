/**
 * Stories of the page: a devnet that listens, a browser that opens its page, and what is seen there. A story fails where the
 * page logs an error, breaks its policy, asks another origin, or where axe finds something. `PRESEAL_STORIES=short` looks at each
 * view in light and wide, and in dark and narrow, in place of all four.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { CHROMIUM_FLAGS, findChromium, NO_CHROMIUM } from '../../../scripts/package/chromium.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../../src/index.ts'

/** Where screenshots are left; not committed. */
const PICTURES = fileURLToPath(new URL('../../../dist-stories', import.meta.url))

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const KEYBOARD_PROBLEMS = readFileSync(new URL('keyboardProblems.js', import.meta.url), 'utf8')

/** Marks the elements that listen to a pointer, for `keyboardProblems.js`. */
const MARK_LISTENERS = `{
  const { addEventListener } = EventTarget.prototype
  EventTarget.prototype.addEventListener = function (type, ...more) {
    if (/^(click|dblclick|mouse|pointer)/.test(type)) this.hasPointerListener = true
    return addEventListener.call(this, type, ...more)
  }
}`

const WIDE = { width: 1400, height: 900 }
const NARROW = { width: 390, height: 844 }

/** How many times as long as usual all may take: servers are slow, and have other things to do. */
const PATIENCE = 5

/** What colours decide; all else that axe looks for is the same in light and dark. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block']

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
  /** Looks at the page: in light and dark, wide and narrow (see `PRESEAL_STORIES`). Leaves screenshots named `name`, and expects axe to find nothing. */
  look(page: Page, name: string): Promise<void>
  /** Expects of a wide page what `look` does, in light and dark, without screenshots: for views that resemble others. */
  glance(page: Page, name: string): Promise<void>
}

export interface StageOptions {
  /** Requests of the page that may fail, and errors that it may log: a devnet that goes away, a foreign link. */
  readonly allowedErrors?: RegExp
  /** How long it may take where the machine has nothing else to do; elsewhere `PATIENCE` times that. */
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
  glance: Stage['glance']
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
  launched ??= chromium.launch({ executablePath: executablePath!, args: CHROMIUM_FLAGS })
  return launched
}

/** A story, told by what a person does and sees. */
export function story(name: string, tell: (scene: Scene) => Promise<void>, options: StoryOptions = {}): void {
  const { devnet: devnetOptions, before } = options
  const onDevnet = async ({ onEnd, allow, open, look, glance }: Stage) => {
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
      glance,
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
  test.skipIf(executablePath === undefined)(name, { timeout: PATIENCE * timeoutMs }, async () => {
    const context = await (await browser()).newContext({ viewport: WIDE })
    context.setDefaultTimeout(PATIENCE * 30_000)
    await context.addInitScript(MARK_LISTENERS)
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
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText
      // A reader who goes to another document ends what the one before still loads.
      if (reason !== 'net::ERR_ABORTED') note(`failed: ${request.url()} ${reason}`)
    })
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
        glance: glanceAt,
      })
      expect(problems).toEqual([])
    } finally {
      await context.close()
      await end()
    }
  })
}

type Checks = 'all' | 'colours' | 'none'

/** How a view is looked at: with the name of the picture, and what is expected. In dark all but the colours stands as in light. */
const WAYS: readonly (readonly ['light' | 'dark', typeof WIDE, string, Checks])[] = [
  ['light', WIDE, 'light', 'all'],
  ['dark', WIDE, 'dark', 'colours'],
  ['light', NARROW, 'light-narrow', 'all'],
  ['dark', NARROW, 'dark-narrow', 'none'],
]

/** The same for both colours and both widths in two pictures. */
const SHORT_WAYS: typeof WAYS = [
  ['light', WIDE, 'light', 'all'],
  ['dark', NARROW, 'dark-narrow', 'all'],
]

async function lookAt(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true })
  const size = page.viewportSize() ?? WIDE
  const ways = process.env.PRESEAL_STORIES === 'short' ? SHORT_WAYS : WAYS
  for (const [scheme, viewport, way, checks] of ways) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    // The head of the page stays in sight, also in a picture of all of it.
    await page.evaluate('scrollTo(0, 0)')
    await page.screenshot({ path: join(PICTURES, `${name}-${way}.png`), fullPage: true })
    await expectUsable(page, `${name}-${way}`, checks)
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null })
  await page.setViewportSize(size)
}

async function glanceAt(page: Page, name: string): Promise<void> {
  for (const [scheme, checks] of [
    ['dark', 'colours'],
    ['light', 'all'],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await expectUsable(page, `${name}-${scheme}`, checks)
  }
}

/**
 * Expects of the page that nothing is wider than it, no table than its place, that axe finds nothing, and that keys reach all in it; or only
 * that axe finds nothing in its colours.
 */
async function expectUsable(page: Page, name: string, checks: Checks): Promise<void> {
  if (checks === 'none') return
  expect(await violations(page, checks === 'all' ? undefined : RULES_OF_COLOURS), `${name}: axe`).toEqual([])
  if (checks === 'colours') return
  expect(await overflow(page), `${name}: nothing is wider than the page`).toBe(0)
  expect(await page.evaluate<string[]>(SIDEWAYS), `${name}: tables that are scrolled sideways`).toEqual([])
  // As if the reader used keys: the focus is shown then.
  await page.keyboard.press('Shift')
  expect(await page.evaluate<string[]>(KEYBOARD_PROBLEMS), `${name}: keyboard`).toEqual([])
}

/** Presses `key` until what has the focus is called `name`, as a reader without a pointer goes through the page. */
export async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = []
  for (let i = 0; i < MOST_TABS; i++) {
    await page.keyboard.press(key)
    const focused = await page.evaluate<string>(NAME_OF_FOCUSED)
    if (typeof name === 'string' ? focused === name : name.test(focused)) return
    passed.push(focused)
  }
  throw new Error(`expected ${key} to reach ${name}, got ${passed.join(' | ')}`)
}

/** Scrolls what has the focus by `key` until `end` is seen. A browser that waits for a processor may lose what a key began. */
export async function scrollTo(page: Page, key: 'Home' | 'End', end: Locator): Promise<void> {
  const isSeen = async () => {
    await page.keyboard.press(key)
    return (await end.isVisible()) && end.evaluate(isScrolledTo, key)
  }
  await expect.poll(isSeen, { interval: 1_000 }).toBe(true)
}

/**
 * Whether the list around `element` is at its first or last pixel. The browser animates a scroll by key, and what is left of
 * the animation would move the list after the next key, too.
 */
function isScrolledTo(element: Element, key: 'Home' | 'End'): boolean {
  const { scrollTop, clientHeight, scrollHeight } = element.closest('.virtual')!
  return key === 'Home' ? scrollTop === 0 : scrollTop + clientHeight >= scrollHeight - 1
}

const MOST_TABS = 80

const NAME_OF_FOCUSED = `(() => {
  const element = document.activeElement
  const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent
  return name.trim().replace(/\\s+/g, ' ')
})()`

/** The tables that are wider than their place, by their names. */
const SIDEWAYS = `[...document.querySelectorAll('.wide-table')]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.getAttribute('aria-label') + ': ' + one.scrollWidth + ' in ' + one.clientWidth)`

/** How many pixels the page is wider than its window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** What axe finds by `rules`, or by all: each rule, and where. */
async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Run by the debugger's protocol, which the policy of the page does not concern.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) }
  // What axe passes is a hundred times as long: it stays in the page.
  return page.evaluate<string[]>(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ': ' + failureSummary)))`)
}
