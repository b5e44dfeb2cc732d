/** A report: a recorded session in one file, which a browser shows by itself. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { commandOf } from '../../../src/cli/command.ts'
import { createDevnet } from '../../../src/index.ts'
import { reportArguments } from '../../../src/reports/cli/feature.ts'
import { writeReport } from '../../../src/reports/cli/reportFile.ts'
import { contractsOf, type ReportContracts } from '../../../src/reports/reportContracts.ts'
import { reportDocument } from '../../../src/reports/reportDocument.ts'
import { BLOBS, signNaming, withBlobs } from '../../support/chains/blobs.ts'
import { buy, openShop, SHOP } from '../../support/chains/shop.ts'
import { FailingProject } from '../../support/compilers/failingProject.ts'
import { compiled } from '../../support/compilers/solidity.ts'
import { ROOT } from '../../support/docs/pages.ts'
import { type Stage, stageStory } from '../../support/page/story.ts'

const LARGEST = 3_000_000

/** Writes the report of `text` to a folder of its own. Returns its URL. */
async function reported(
  { onEnd, allow }: Stage,
  text: string,
  name = 'session.preseal',
  contracts?: ReportContracts,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'preseal-report-'))
  onEnd(() => rm(folder, { recursive: true }))
  const file = join(folder, 'report.html')
  await writeFile(file, await reportDocument(Buffer.from(text), name, { contracts }))
  const { href } = pathToFileURL(file)
  allow(href)
  return href
}

function fail(text: string): never {
  throw new Error(text)
}

/** Opens a report at `place`, and waits until its session has been played. */
async function openPlayed({ open }: Stage, url: string, place = ''): Promise<Page> {
  const page = await open(url + place)
  await page.getByText(/after which time stands/).waitFor()
  return page
}

/** Records a session of `count` transactions, ten in a block, of which the first buys in a shop. */
async function recorded(count: number): Promise<{ text: string; bought: string; to: string }> {
  const { devnet, send } = await openShop()
  const recording = await devnet.record()
  const [, , to] = devnet.accounts
  const bought = await send({ data: buy(1n, 'the first') })
  for (let i = 1; i < count; i++) {
    await send({ to: to!.address, value: '0x1' })
    if (i % 10 === 9) await devnet.tick()
  }
  await devnet.close()
  return { text: recording.text, bought, to: to!.address.toLowerCase() }
}

stageStory(
  'a reader opens the report of 1,000 transactions from a file, and finds blocks, the calls of a transaction and an account',
  async (stage) => {
    const { text, bought, to } = await recorded(1_000)
    const url = await reported(stage, text)
    expect((await stat(new URL(url))).size).toBeLessThan(LARGEST)
    const page = await openPlayed(stage, url)
    // What happened in the session, as if the page had been open.
    await page.getByRole('region', { name: 'Newest sealed' }).getByRole('link').first().waitFor()
    await stage.look(page, 'report-now')
    await page.getByRole('link', { name: 'Blocks', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Blocks' }).waitFor()
    expect(page.url()).toBe(`${url}#/blocks`)
    await page.getByRole('link', { name: '99', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Block 99' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Blocks' }).waitFor()
    await stage.look(page, 'report-blocks')
    await page.goForward()
    await page.getByRole('heading', { level: 1, name: 'Block 99' }).waitFor()

    const transaction = await openPlayed(stage, url, `#/tx/${bought}`)
    await transaction.getByRole('tab', { name: /Calls/ }).click()
    await transaction.getByRole('tree').waitFor()
    await stage.look(transaction, 'report-transaction')
    await transaction.keyboard.press('/')
    await transaction.keyboard.type(to)
    await transaction.keyboard.press('Enter')
    await transaction.getByText('999').first().waitFor()
    expect(transaction.url()).toBe(`${url}#/address/${to}`)
    await stage.look(transaction, 'report-account')
  },
  { timeoutMs: 180_000 },
)

/** What would end an element of the document, and run. */
const HOSTILE = '<!-- </script><script>alert(1)</script>'

/** Records a session in which a shop sells, and fails to. Its artifacts are of the devnet, an ABI was added in process. */
async function recordedShop() {
  const source = readFileSync(join(ROOT, 'fixtures/contracts/Shop.sol'), 'utf8')
  const { input, output } = compiled({ 'contracts/Shop.sol': source.replace(';', `; // ${HOSTILE}`) })
  const devnet = await createDevnet({ rhythm: 'manual', consoleLogs: false, artifacts: { input, output } })
  const recording = await devnet.record()
  const shop = await devnet.deploy('Shop', { args: [3n] } as never)
  const buy = async (amount: bigint, note: string) => {
    const asked = { ...shop, functionName: 'buy', args: [amount, note], gas: 3_000_000n, until: 'accepted' }
    const { hash } = (await devnet.write(asked as never)) as { hash: string }
    await devnet.mine()
    return hash
  }
  const [sold, failed] = [await buy(2n, HOSTILE), await buy(9n, 'all')]
  const [, till] = devnet.accounts
  await devnet.request({ method: 'anvil_setCode', params: [till!.address, '0x00'] } as never)
  devnet.abis.add(['function open()'], { name: `Till ${HOSTILE}`, address: till!.address })
  const contracts = await contractsOf(devnet)
  await devnet.close()
  return { text: recording.text, contracts: contracts!, shop: shop.address, sold, failed }
}

stageStory(
  'a reader sees contracts of a report by their names: calls, failures, storage and sources',
  async (stage) => {
    const { text, contracts, shop, sold, failed } = await recordedShop()
    const url = await reported(stage, text, 'shop.preseal', contracts)
    const page = await openPlayed(stage, url, `#/tx/${failed}`)
    await page.getByText('InsufficientStock(available: 1, wanted: 9)').first().waitFor()
    const trace = page.getByRole('list', { name: 'Solidity stack trace' })
    await trace.getByText('contracts/Shop.sol:50:36').waitFor()
    await trace.getByText('if (amount > stock) revert InsufficientStock(stock, amount);').waitFor()
    await stage.look(page, 'report-failed')
    const go = async (place: string) => page.goto(url + place)
    await go(`#/tx/${sold}?tab=calls`)
    await page.getByRole('treeitem', { name: 'Shop.buy' }).waitFor()
    await page.getByText(HOSTILE).first().waitFor()
    await go(`#/tx/${sold}?tab=source`)
    await page.locator('[aria-current=location]').waitFor()
    await go(`#/tx/${sold}?tab=state`)
    const row = page.getByRole('row', { name: 'stock' })
    await row.waitFor()
    expect((await row.getByRole('cell').allInnerTexts()).map((cell) => cell.trim())).toEqual(['3', '1'])
    await go(`#/address/${shop}?tab=storage`)
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
    await page.getByText('stock').first().waitFor()
    await go(`#/address/${shop}?tab=sources`)
    await page.getByText(`// ${HOSTILE}`).waitFor()
    await go('#/contracts')
    const listed = page.getByRole('table', { name: 'contracts' })
    await listed.getByText('Shop').first().waitFor()
    await listed.getByText(`Till ${HOSTILE}`).first().waitFor()
    await stage.look(page, 'report-contracts')
    await go('#/')
    // By an ABI that was added in process.
    await page.getByRole('region', { name: 'console.log' }).getByText('Shop').first().waitFor()
  },
  { timeoutMs: 120_000 },
)

stageStory(
  'a reader is told of a session that was cut off, that differs, or that is older',
  async (stage) => {
    const { text } = await recorded(12)
    const cut = await openPlayed(stage, await reported(stage, text.slice(0, -60), '<b>"cut".preseal'))
    await cut.getByRole('region', { name: 'recorded session' }).getByText('<b>"cut".preseal').waitFor()
    const cutOff = await cut.getByText(/cut off after line \d+/).innerText()
    // The command says so, too.
    const file = join(fileURLToPath(new URL('.', cut.url())), 'cut.preseal')
    await writeFile(file, text.slice(0, -60))
    const printed: string[] = []
    const args = reportArguments(commandOf(['node', 'preseal', 'report', file]), undefined)
    await writeReport(args, { print: (line) => printed.push(line), warn: (error) => fail(String(error)) })
    expect(printed.join('\n')).toContain(/cut off after line \d+/.exec(cutOff)![0])
    await stage.look(cut, 'report-cut')

    const changed = text
      .replace('"by":"0.1.0"', '"by":"0.0.9"')
      .replace(/"result":"0x[0-9a-f]{8}/, '"result":"0x00000000')
    const differing = await openPlayed(stage, await reported(stage, changed))
    await differing.getByText('Recorded by preseal 0.0.9').waitFor()
    await differing.getByRole('alert').getByText('eth_sendTransaction').waitFor()
    await stage.look(differing, 'report-differs')
  },
)

/** Records a session of two blocks, on a devnet that makes them by itself. */
async function recordedRhythm(): Promise<string> {
  const rhythm = { rhythm: 'interval', tickMs: 100, ticksPerBlock: 1 } as const
  const devnet = await createDevnet({ ...rhythm, consoleLogs: false })
  const recording = await devnet.record()
  await new Promise<void>((resolve) => {
    devnet.on('sealed', ({ block }) => block.header.number === 2n && resolve())
  })
  await devnet.close()
  return recording.text
}

stageStory(
  'a reader comes back to the report of a devnet with a rhythm, and time has not gone on',
  async (stage) => {
    const url = await reported(stage, await recordedRhythm())
    const page = await openPlayed(stage, url, '#/block/1')
    await page.getByText(/^\d s ago$/).waitFor()
    await page.evaluate(
      'const { performance: { now } } = globalThis; performance.now = () => now.call(performance) + 3_600_000',
    )
    // The page counts seconds: its timer of one is due before this.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 1_100))')
    await page.keyboard.press('[')
    await page.getByRole('heading', { level: 1, name: 'Block 0' }).waitFor()
    await page.keyboard.press(']')
    await page.getByRole('heading', { level: 1, name: 'Block 1' }).waitFor()
    await page.getByText(/^\d s ago$/).waitFor()
    await page.goto(`${url}#/`)
    const blocks = page.getByRole('region', { name: 'Newest blocks' }).getByRole('row', { name: /^2 / })
    await blocks.getByText(/^\d s ago$/).waitFor()
  },
)

/** Records a session on a fork of a network, where somebody calls a contract of the network and sends a blob. */
async function recordedOnFork(): Promise<{ text: string; called: string; blob: string }> {
  const { devnet: network } = await openShop()
  await network.mine()
  const devnet = await createDevnet({ rhythm: 'manual', consoleLogs: false, fork: { provider: network } })
  const recording = await devnet.record()
  const [from, sender] = devnet.accounts
  const ask = (method: string, ...params: unknown[]) =>
    devnet.request({ method, params } as never) as Promise<string>
  const called = await ask('eth_sendTransaction', {
    from: from!.address,
    to: SHOP,
    data: buy(1n),
    gas: '0x1e8480',
  })
  const named = signNaming(sender!, BLOBS.slice(0, 1), { chainId: BigInt(await ask('eth_chainId')) })
  const blob = await ask('eth_sendRawTransaction', withBlobs(named, BLOBS.slice(0, 1), 1))
  await devnet.mine()
  await devnet.close()
  await network.close()
  return { text: recording.text, called, blob }
}

stageStory(
  'a reader opens the reports of a fork, with a blob, and of an L2',
  async (stage) => {
    const { text, called, blob } = await recordedOnFork()
    const url = await reported(stage, text, 'fork.preseal')
    const fork = await openPlayed(stage, url, `#/tx/${called}?tab=state`)
    await fork.getByRole('row', { name: 'slot 0x0' }).getByText('0x3').waitFor()
    await fork.goto(`${url}#/tx/${blob}`)
    await fork.getByText('blob', { exact: false }).first().waitFor()
    expect(await fork.getByRole('alert').count()).toBe(0)
    await stage.look(fork, 'report-blob')
    // What nobody asked the network for is not in the recording.
    await fork.goto(`${url}#/address/0x${'12'.repeat(20)}`)
    await fork.getByText('the recording does not contain the answer').first().waitFor()
    await stage.look(fork, 'report-not-fetched')

    const { devnet, send } = await openShop({ profile: 'base-flashblocks', rhythm: 'manual' })
    const recording = await devnet.record()
    const bought = await send({ data: buy(1n) })
    await devnet.tick()
    await devnet.mine()
    await devnet.close()
    const l2 = await openPlayed(stage, await reported(stage, recording.text, 'l2.preseal'), `#/tx/${bought}`)
    await l2.getByText('L1 fee').first().waitFor()
    expect(await l2.getByRole('alert').count()).toBe(0)
    await stage.look(l2, 'report-l2')
  },
  { timeoutMs: 180_000 },
)

stageStory('a reader is told why a session cannot be played', async (stage) => {
  const { text } = await recorded(1)
  const broken = await stage.open(await reported(stage, text.replace('"version":1', '"version":9')))
  await broken
    .getByRole('alert')
    .getByText(/cannot be replayed: line 1: version: expected 1/)
    .waitFor()
  await stage.look(broken, 'report-broken')
})

/** The tests that fail, with what a reader sees of each before scrolling: the message, and the lines of code. */
const FAILED: Readonly<Record<string, readonly string[]>> = {
  'a value > object': ['to deeply equal', '-   "chain": 1,', 'expect({ chain: devnet.settings.chainId'],
  'a revert > of another contract': ['unlucky', "functionName: 'noted'", 'require(amount != 13, "unlucky");'],
  'a revert > in a sealed transaction': [
    'TooPoor(',
    'args: [BOB, 501n]',
    'if (has < amount) revert TooPoor(',
  ],
  'a revert > in a transaction of viem': ["to be 'success'", 'expect(receipt.status)', 'revert TooPoor('],
  'a transaction > that is dropped': ['but a planned fault', 'expect(hash).toBeSealed()'],
  'a transaction > that waits too long': ['is in no block', "test('that waits too long'"],
  'a bug of the test > a long message': ["to be 'short'", "toBe('short')"],
  'an exploration > of a contract': [
    'invariant small does not hold after 2 actions',
    'store(1) by account 0',
  ],
  'an exploration > of an app': [
    'in a story with 1 fault: expected 100n to be 101n',
    'is sealed without the transaction of account 0',
    'await expectEveryStory(opened',
  ],
}

/** The height in pixels within which the cause stands. */
const FIRST_PX = 600

stageStory(
  'a reader opens the report of a failed test, and sees at once what failed, where in the test and where in Solidity',
  async (stage) => {
    const folder = join(ROOT, 'dist/page')
    const paths = ['assets/theme.js', 'report/report.js.gz', 'report/report.css.gz']
    const page = paths.map((path) => [path, readFileSync(join(folder, path))] as const)
    const failing = await FailingProject.begin(Object.fromEntries(page))
    stage.onEnd(() => failing.end())
    await failing.runVitest(Object.keys(FAILED).join('|').replaceAll(' > ', ' '))
    const reports = await failing.reports()
    expect(reports).toHaveLength(Object.keys(FAILED).length)
    for (const report of reports) {
      const { test } = await failing.failureIn(report)
      const { href } = pathToFileURL(join(failing.project.folder, report))
      stage.allow(href)
      const opened = await openPlayed(stage, href)
      const region = opened.getByRole('region', { name: `${test} failed` })
      for (const width of [1400, 390]) {
        await opened.setViewportSize({ width, height: 900 })
        await opened.evaluate('scrollTo(0, 0)')
        for (const text of FAILED[test]!) {
          const box = await region.getByText(text, { exact: false }).first().boundingBox()
          expect(box!.y + box!.height, `${test}: ${text} at ${width} px`).toBeLessThan(FIRST_PX)
        }
      }
      await opened.setViewportSize({ width: 1400, height: 900 })
    }
    const open = (name: string) => {
      const file = reports.find((report) => report.endsWith(`${name}.html`))!
      return openPlayed(stage, pathToFileURL(join(failing.project.folder, file)).href)
    }
    // The calls of the request that failed: the one that reverted is chosen.
    const call = await open('a-revert-of-another-contract')
    const tree = call.getByRole('tree', { name: 'calls' })
    await tree.getByRole('treeitem', { name: 'Ledger.note', selected: true }).waitFor()
    await stage.look(call, 'report-failed-call')
    // What the test did, and the transaction that failed, with its calls.
    const sent = await open('a-revert-in-a-sealed-transaction')
    const step = sent.getByRole('listitem').filter({ hasText: 'move(' })
    await step.getByText('failed', { exact: true }).first().waitFor()
    await step.getByRole('treeitem', { name: 'Vault.move', selected: true }).waitFor()
    await stage.look(sent, 'report-failed-transaction')
    // On other views, one line leads back to the failure.
    await step.getByRole('link', { name: /^0x/ }).first().click()
    await sent.getByRole('heading', { level: 1, name: /^Transaction/ }).waitFor()
    await sent.getByRole('link', { name: 'a revert > in a sealed transaction failed' }).click()
    await sent.getByRole('heading', { name: 'What the test did' }).waitFor()

    const dropped = await open('a-transaction-that-is-dropped')
    await dropped.getByRole('listitem').filter({ hasText: 'transfer' }).getByText('a planned fault').waitFor()
    await dropped.getByText('fault dropTransaction in block 3').waitFor()
    await stage.look(dropped, 'report-failed-dropped')
    // A story that an exploration found: its code can be copied, and its chain is that of the report.
    const app = await open('an-exploration-of-an-app')
    await app.getByText(/^covered: /).waitFor()
    await app.getByRole('listitem').filter({ hasText: 'store' }).getByText('a planned fault').waitFor()
    await app.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await app.getByRole('button', { name: 'copy the code' }).click()
    await app.getByText('the code: copied').waitFor({ state: 'attached' })
    expect(await app.evaluate('navigator.clipboard.readText()')).toMatch(
      /^story: story\('act 1; .*dropped never 1; tick'\)$/,
    )
    await stage.look(app, 'report-failed-story')
    const contract = await open('an-exploration-of-a-contract')
    const stored = contract.getByRole('listitem').filter({ hasText: 'store(1) from' })
    expect(await stored.count()).toBe(2)
    await stage.look(contract, 'report-failed-rule')

    const soft = await open('a-bug-of-the-test-a-long-message')
    await stage.glance(soft, 'report-failed-long')
  },
  { timeoutMs: 240_000 },
)

stageStory(
  'a reader saves the chain of the page as a report, which shows it without the devnet',
  async (stage) => {
    const devnet = await createDevnet({ rhythm: 'manual' })
    const [, to] = devnet.accounts
    const { hash } = await devnet.send({ to: to!.address, value: 5n })
    const listener = await devnet.listen()
    stage.allow(listener.url)
    const page = await stage.open(`${listener.url}/controls`)
    const action = page.getByRole('region', { name: 'Report' })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      action.getByRole('button', { name: 'download the report' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('preseal-block-1.html')
    await action.getByText('the report is saved').waitFor()
    const folder = await mkdtemp(join(tmpdir(), 'preseal-report-'))
    stage.onEnd(() => rm(folder, { recursive: true }))
    const path = join(folder, 'report.html')
    await file.saveAs(path)
    await page.close()
    await devnet.close()
    const { href } = pathToFileURL(path)
    stage.allow(href)
    const report = await openPlayed(stage, href, `#/tx/${hash}`)
    await report.getByText('Report of the chain: the chain when the report was made').waitFor()
    await report.getByRole('heading', { level: 1, name: hash }).waitFor()
  },
)
