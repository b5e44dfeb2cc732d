/** Logs: a filter over address, event and range, and a live tail. */
import { expect } from 'vitest'
import { Emitter } from '../../../fixtures/contracts/Emitter.ts'
import type { Market } from '../../../fixtures/market.ts'
import market from '../../../fixtures/market.ts'
import { story, tabTo } from '../../support/page/story.ts'

let built: Market

const before = async (devnet: Parameters<typeof market>[0]) => {
  built = await market(devnet)
}

story(
  'a reader asks for the transfers of one token in some blocks',
  async ({ open, look }) => {
    const page = await open('/logs')
    await page.getByRole('table', { name: 'logs' }).getByText('Transfer(').first().waitFor()
    await page.getByRole('combobox', { name: 'address', exact: true }).fill(built.gold)
    await tabTo(page, 'event')
    await page.keyboard.type('Approval')
    await page.keyboard.press('Enter')
    await page.waitForURL(/event=Approval/)
    await page.getByText(/logs?; new ones/).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('event')
    const rows = page.getByRole('table', { name: 'logs' }).getByRole('row')
    await rows.getByText('Approval(').first().waitFor()
    expect(await rows.getByText('Transfer(').count()).toBe(0)
    await look(page, 'logs')
    // On a phone a row has its transaction in a line of its own.
    await page.setViewportSize({ width: 390, height: 844 })
    await rows.locator('a[href*="/tx/"]', { hasText: /^0x/ }).first().waitFor()
    await page.setViewportSize({ width: 1400, height: 900 })
    await page.getByLabel('event').fill('Nobody')
    await page.getByRole('button', { name: 'show' }).click()
    await page.getByRole('alert').getByText('no known ABI has an event Nobody').waitFor()
  },
  { before },
)

story(
  'a reader follows a link to the transfers to one account, and narrows them by the names of both',
  async ({ open, look }) => {
    const page = await open('/logs?event=Transfer&topic2=account+1')
    const rows = page.getByRole('table', { name: 'logs' }).getByRole('row')
    await rows.getByText('Transfer(from: Pool, to: account 1').first().waitFor()
    expect(await rows.getByText('to: account 2').count()).toBe(0)
    await page.getByRole('combobox', { name: 'from address' }).fill('account 0')
    await page.keyboard.press('Enter')
    await page.waitForURL(/topic1=account\+0/)
    await page.getByText('no matching logs').waitFor()
    await page.getByRole('combobox', { name: 'from address' }).fill('nobody')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('from: expected an address').waitFor()
    await page.getByRole('combobox', { name: 'from address' }).fill('pool')
    await page.keyboard.press('Enter')
    await rows.getByText('Transfer(from: Pool, to: account 1').first().waitFor()
    await look(page, 'logs-indexed')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'copy as JSON' }).click()
    const copied = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>
    await expect.poll(copied).toContain('"signature": "Transfer(address,address,uint256)"')
    await rows.getByRole('link', { name: 'Transfer' }).first().click()
    await page.waitForURL(/\/tx\/0x\w+\?tab=events/)
    await page.getByText('topics and data').first().waitFor()
  },
  { before, timeoutMs: 120_000 },
)

story(
  'a log comes pre-confirmed, is sealed, and is struck through when its block is reorganised away',
  async ({ devnet, open, look }) => {
    const page = await open(`/logs?address=${built.emitter}&from=latest`)
    await page.getByText('no matching logs').waitFor()
    await devnet.write({ address: built.emitter, abi: Emitter.abi, functionName: 'touch', until: 'accepted' })
    await devnet.tick()
    const table = page.getByRole('table', { name: 'logs' })
    await table.getByText('pre-confirmed').first().waitFor()
    await devnet.mine()
    await table.getByText('sealed', { exact: true }).first().waitFor()
    await devnet.request({ method: 'preseal_reorg', params: [{ depth: 1, transactions: 'drop' }] })
    await table.getByText('reorganised away').first().waitFor()
    await look(page, 'logs-removed')
  },
  { before },
)

story(
  'a reader sees the logs of more blocks than one request may ask for, and looks at older ones',
  async ({ devnet, open, look }) => {
    const { emitter } = built
    // More parts than are read by themselves.
    await devnet.mine(80)
    await devnet.write({ abi: Emitter.abi, address: emitter, functionName: 'touch' })
    await devnet.mine()
    const page = await open('/logs')
    await page.getByText(/1 log in the blocks from \d+ on; new ones/).waitFor()
    const rows = page.getByRole('table', { name: 'logs' }).getByRole('row')
    await rows.getByRole('link', { name: 'Touched' }).first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await look(page, 'logs-of-many-blocks')
    await tabTo(page, 'search older blocks')
    await page.keyboard.press('Enter')
    await rows.getByText('Transfer(').first().waitFor()
    await page.getByText(/\d logs; new ones/).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('all are shown')
  },
  { before, devnet: { logRangeLimit: 3 } },
)
