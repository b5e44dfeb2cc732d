/** A report shows what the page of the devnet shows at the end of the session: each view of both, side by side. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createDevnet } from '../../../src/index.ts'
import { contractsOf } from '../../../src/reports/reportContracts.ts'
import { reportDocument } from '../../../src/reports/reportDocument.ts'
import { playSession, type Session, sessionArtifacts, TILL } from '../../support/chains/sessionOfAllKinds.ts'
import { type Stage, stageStory } from '../../support/page/story.ts'

type Lines = readonly string[]

const SEEN = readFileSync(new URL('../../support/page/seenText.js', import.meta.url), 'utf8')

/** What only one of the two has, and why; a view is that of the heading. */
const DIFFERENCES: readonly {
  readonly why: string
  readonly view?: string
  readonly live: readonly (string | RegExp)[]
  readonly report: readonly (string | RegExp)[]
}[] = [
  { why: 'nothing is live in a report', live: ['live'], report: ['recording'] },
  {
    why: 'what makes slices and blocks is said of a time that goes on',
    view: 'Now',
    live: [/^The clock is manual: on command, a tick /, 'pause'],
    report: [/^The end of the recorded session\. Each tick added /],
  },
  {
    why: 'how many come in a second is a measure of now',
    view: 'Now',
    live: [/\/s \{.* per second, over the last five seconds\}$/],
    report: [],
  },
  {
    why: 'no block is made, and no log comes, after the end of the session',
    live: [/^there is no block 99 yet: /, /; new ones are added on top$/],
    report: [/^there is no block 99: /, /^\d+ logs/],
  },
  {
    why: 'nothing sends',
    live: [/^Write( \d+)?$/, 'Send ether'],
    report: [],
  },
]

/** Where both are compared, and what is there: so that it is more than what both have not got. */
function placesOf(session: Session): readonly (readonly [path: string, seen: string])[] {
  const { shop, token, seller, delegating, busiest, lost } = session
  const block = `/block/${busiest}`
  const of = (path: string, tabs: Readonly<Record<string, string>>) =>
    Object.entries(tabs).map(([tab, seen]) => [`${path}?tab=${tab}`, seen] as const)
  return [
    ['/', 'removed on request'],
    ['/blocks', 'reorganised away'],
    [block, 'buy'],
    [`${block}?slice=1`, 'This is the block after slice 1'],
    ...of(block, { logs: 'Sold', header: 'receipts root', raw: '"transactions"' }),
    ['/block/pending', 'none until the block is sealed'],
    ['/block/pending?slice=1', 'none until the block is sealed'],
    [`/block/${lost}`, 'A reorg removed this block from the chain'],
    ['/block/99', 'Block 99'],
    [`/tx/${session.transfer}`, '1 ETH'],
    [`/tx/${session.paid}`, 'GOLD'],
    [`/tx/${session.sold}`, '<b>the first</b>'],
    ...of(`/tx/${session.sold}`, {
      calls: 'Shop.buy',
      events: 'Sold',
      console: 'wants 2',
      state: 'stock',
      source: 'emit Sold(msg.sender, amount, note)',
      timeline: 'accepted',
      raw: '"effectiveGasPrice"',
    }),
    [`/tx/${session.failed}`, 'if (amount > stock) revert InsufficientStock(stock, amount);'],
    ...of(`/tx/${session.failed}`, { calls: 'InsufficientStock', source: 'variables' }),
    [`/tx/${session.removed}`, 'removed on request'],
    [`/tx/${session.cheap}`, 'replaced by'],
    [`/tx/${session.blob}`, 'blob'],
    [`/tx/${session.delegated}`, 'authorization'],
    [`/tx/${session.open}`, 'pre-confirmed'],
    [`/tx/${session.waiting}`, 'waiting'],
    ['/contracts', 'Till'],
    [`/address/${shop}`, 'stock'],
    ...of(`/address/${shop}`, {
      transactions: 'buy',
      storage: 'stock',
      history: 'slot',
      tokens: 'Tokens',
      code: 'PUSH1',
      sources: '@title Sells things',
    }),
    [`/address/${token}?tab=storage`, 'Gold'],
    [`/address/${seller}?tab=tokens`, 'GOLD'],
    // Its first tab, and the tab with raw calls of any contract, are forms that send.
    [`/address/${TILL}?tab=code`, 'Till'],
    [`/address/${delegating}`, 'delegates to'],
    ['/logs', 'Transfer'],
    ['/logs?event=Sold', '<b>the first</b>'],
    ['/nowhere', 'Not found'],
  ]
}

/** Records the session on a devnet whose page is open, and writes its report. Returns both pages, at the end of it. */
async function bothPages(stage: Stage) {
  const folder = await mkdtemp(join(tmpdir(), 'preseal-report-'))
  const devnet = await createDevnet({ rhythm: 'manual', consoleLogs: false, artifacts: sessionArtifacts() })
  stage.onEnd(async () => {
    await devnet.close()
    await rm(folder, { recursive: true })
  })
  const recording = await devnet.record()
  const { url } = await devnet.listen()
  stage.allow(url)
  const live = await stage.open(url)
  // What happens is told to the page from when it asks what is there.
  await live.getByText('The clock is manual').waitFor()
  const session = await playSession(devnet)
  recording.end()
  const file = join(folder, 'report.html')
  const contracts = await contractsOf(devnet)
  await writeFile(file, await reportDocument(Buffer.from(recording.text), 'all.preseal', { contracts }))
  const { href } = pathToFileURL(file)
  stage.allow(href)
  const report = await stage.open(href)
  await report.getByText(/after which time stands/).waitFor()
  expect(await report.getByRole('alert').count()).toBe(0)
  return { live, report, session }
}

/** Goes to a place without loading the page again: what it was told stays. */
async function goTo(page: Page, href: string): Promise<void> {
  const tell = `history.pushState(null, '', ${JSON.stringify(href)}); dispatchEvent(new PopStateEvent('popstate'))`
  await page.evaluate(`${tell}; new Promise((resolve) => setTimeout(resolve))`)
}

/** What is read on a page, without what only this one has. */
async function readOn(page: Page, side: 'live' | 'report'): Promise<Lines | undefined> {
  const lines = await page.evaluate<Lines | undefined>(SEEN)
  const view = await page.getByRole('heading', { level: 1 }).first().innerText()
  const own = DIFFERENCES.filter((one) => one.view === undefined || one.view === view).flatMap(
    (one) => one[side],
  )
  return lines?.filter(
    (line) => !own.some((only) => (typeof only === 'string' ? only === line : only.test(line))),
  )
}

const SAME = 'the same'

/** Says how the pages differ, and if that they do not. */
function compared(seen: string, live: Lines | undefined, report: Lines | undefined): string {
  if (live === undefined || report === undefined) return 'one is being loaded'
  if (!live.join('\n').includes(seen)) return `expected "${seen}" on the live page, got\n${live.join('\n')}`
  if (live.join('\n') === report.join('\n')) return SAME
  const without = (lines: Lines, others: Lines, sign: string) =>
    lines.filter((line) => !others.includes(line)).map((line) => `${sign} ${line}`)
  return ['another order, or', ...without(live, report, 'live:  '), ...without(report, live, 'report:')].join(
    '\n',
  )
}

stageStory(
  'a reader sees in the report of a session, on each view, what the page that was open during it shows',
  async (stage) => {
    const { live, report, session } = await bothPages(stage)
    for (const [place, seen] of placesOf(session)) {
      await Promise.all([goTo(live, place), goTo(report, `#${place}`)])
      // What is told later comes to both.
      await expect
        .poll(
          async () =>
            compared(seen, ...(await Promise.all([readOn(live, 'live'), readOn(report, 'report')]))),
          { message: place, timeout: 60_000 },
        )
        .toBe(SAME)
    }
  },
  { timeoutMs: 120_000 },
)
