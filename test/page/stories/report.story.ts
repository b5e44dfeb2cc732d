/** A report: a recorded session in one file, which a browser shows by itself. */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { reportDocument } from '../../../src/cli/reportDocument.ts'
import { buy, openShop } from '../../support/shop.ts'
import { type Stage, stageStory } from '../../support/story.ts'

const LARGEST = 3_000_000

/** Writes the report of `text` to a folder of its own. Returns its URL. */
async function reported({ onEnd, allow }: Stage, text: string, name = 'session.preseal'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'preseal-report-'))
  onEnd(() => rm(folder, { recursive: true }))
  const file = join(folder, 'report.html')
  await writeFile(file, await reportDocument(Buffer.from(text), name))
  const { href } = pathToFileURL(file)
  allow(href)
  return href
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

stageStory(
  'a reader is told of a session that was cut off, that differs, or that is older',
  async (stage) => {
    const { text } = await recorded(12)
    const cut = await openPlayed(stage, await reported(stage, text.slice(0, -60), '<b>"cut".preseal'))
    await cut.getByRole('region', { name: 'recorded session' }).getByText('<b>"cut".preseal').waitFor()
    await cut.getByText(/cut off after line \d+/).waitFor()
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

stageStory('a reader is told why a session cannot be played', async (stage) => {
  const { text } = await recorded(1)
  const broken = await stage.open(await reported(stage, text.replace('"version":1', '"version":9')))
  await broken
    .getByRole('alert')
    .getByText(/cannot be played: line 1: version: expected 1/)
    .waitFor()
  await stage.look(broken, 'report-broken')
})
