/** Contracts and accounts: what they have, what their functions return, and what is sent to them. */
import { expect } from 'vitest'
import market from '../../../fixtures/market.ts'
import { story } from '../../support/story.ts'

story(
  'a reader finds a contract by its name, among all and by the search of the frame',
  async ({ devnet, open, look }) => {
    const { pool, gold } = await market(devnet)
    const page = await open('/contracts')
    await page.getByRole('table', { name: 'contracts' }).getByText('Token').first().waitFor()
    await page.getByRole('table', { name: 'accounts' }).getByText('ETH').first().waitFor()
    await look(page, 'contracts')
    await page.getByLabel('name or address').fill('poo')
    await page.getByText('1 of 8').waitFor()
    await page.getByLabel('name or address').fill('nobody')
    await page.getByText('0 of 8').waitFor()
    await page.getByLabel('name or address').fill('')
    await page.keyboard.press('Escape')
    const search = page.getByRole('textbox', { name: /^search/ })
    await search.fill('pool')
    await search.press('Enter')
    await page.waitForURL(`**/address/${pool.toLowerCase()}`)
    await search.fill('token')
    await search.press('Enter')
    await page.waitForURL('**/contracts?name=token')
    await page.getByText('2 of 8').waitFor()
    const shown = gold.toLowerCase()
    await page.getByRole('link', { name: `${shown.slice(0, 8)}…${shown.slice(-4)}` }).click()
    await page.waitForURL(`**/address/${gold.toLowerCase()}`)
  },
)

story('a reader reads a token, and sees at once what a block changes', async ({ devnet, open, look }) => {
  const { gold, owner, trader } = await market(devnet)
  const page = await open(`/address/${gold}`)
  await page.getByRole('tab', { name: /Read/ }).waitFor()
  await page.getByText('Gold', { exact: true }).first().waitFor()
  await look(page, 'account-read')
  await page.getByText('balanceOf(address').click()
  await page.getByRole('button', { name: 'read' }).click()
  await page.getByText('expected an address').waitFor()
  await page.getByRole('combobox', { name: /address/ }).fill('account 1')
  await page.getByRole('button', { name: 'read' }).click()
  await page.getByText('90 000 000 000 000 000 000').waitFor()
  expect(trader).toBeDefined()
  await devnet.request({
    method: 'eth_sendTransaction',
    params: [
      {
        from: owner,
        to: gold,
        data: `0x40c10f19${trader.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}`,
      },
    ],
  })
  await devnet.tick()
  await page.getByText('90 000 000 000 000 000 001').waitFor()
})

story(
  'a reader sends a transaction by a form, and follows it to its seal',
  async ({ devnet, open, look }) => {
    const { gold } = await market(devnet)
    const page = await open(`/address/${gold}?tab=write`)
    const form = page.locator('details', { hasText: /^transfer\(/ })
    await form.getByText('transfer(').first().click()
    await form.getByRole('button', { name: 'send' }).click()
    await form.getByText('expected an address').waitFor()
    await form.getByLabel(/address/).fill('account 2')
    await form.getByLabel(/uint256/).fill('1 000 000 ether')
    await form.getByText('InsufficientBalance').waitFor()
    await look(page, 'account-write-refused')
    await form.getByLabel(/uint256/).fill('1.5 ether')
    await form.getByText(/about/).waitFor()
    await form.getByRole('button', { name: 'simulate' }).click()
    await form.getByText('It would succeed, and return:').waitFor()
    await form.getByRole('button', { name: 'send' }).click()
    await form.getByRole('status').getByText('waiting').first().waitFor()
    await devnet.tick()
    await form.getByRole('status').getByText('pre-confirmed', { exact: true }).waitFor()
    await devnet.mine()
    await form.getByRole('status').getByText('sealed', { exact: true }).waitFor()
    await look(page, 'account-write')
  },
)
