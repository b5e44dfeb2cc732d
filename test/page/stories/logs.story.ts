/** Logs: a filter over address, event and range, and a live tail. */
import { expect } from 'vitest'
import { Emitter } from '../../../fixtures/contracts/Emitter.ts'
import type { Market } from '../../../fixtures/market.ts'
import market from '../../../fixtures/market.ts'
import { story } from '../../support/story.ts'

let built: Market

const before = async (devnet: Parameters<typeof market>[0]) => {
  built = await market(devnet)
}

story(
  'a reader asks for the transfers of one token in some blocks',
  async ({ open, look }) => {
    const page = await open('/logs')
    await page.getByRole('table', { name: 'logs' }).getByText('Transfer(').first().waitFor()
    await page.getByRole('textbox', { name: 'address', exact: true }).fill(built.gold)
    await page.getByLabel('event').fill('Approval')
    await page.getByRole('button', { name: 'show' }).click()
    await page.waitForURL(/event=Approval/)
    await page
      .getByRole('status')
      .getByText(/logs?; new ones/)
      .waitFor()
    const rows = page.getByRole('table', { name: 'logs' }).getByRole('row')
    await rows.getByText('Approval(').first().waitFor()
    expect(await rows.getByText('Transfer(').count()).toBe(0)
    await look(page, 'logs')
    await page.getByLabel('event').fill('Nobody')
    await page.getByRole('button', { name: 'show' }).click()
    await page.getByRole('alert').getByText('no known ABI has an event Nobody').waitFor()
  },
  { before },
)

story(
  'a log comes pre-confirmed, is sealed, and is struck through when its block is reorganised away',
  async ({ devnet, open, look }) => {
    const page = await open(`/logs?address=${built.emitter}&from=latest`)
    await page.getByText('no log fits').waitFor()
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
