/** Transactions: all of the chain, however long ago, by state, account, function and event. */
import { expect } from 'vitest'
import { Reverter } from '../../../fixtures/contracts/Reverter.ts'
import market, { type Market } from '../../../fixtures/market.ts'
import { story } from '../../support/page/story.ts'

type Devnet = Parameters<typeof market>[0]

const PAYMENTS = 3_000
let built: Market

/** Many payments, three failed calls among them, and then nothing for 1,000 blocks. */
async function before(devnet: Devnet): Promise<void> {
  const { address } = await devnet.deploy(Reverter)
  devnet.abis.add(Reverter, { name: 'Reverter', address })
  const [from, to] = devnet.accounts.map((account) => account.address) as [string, string]
  const send = (fields: Record<string, string>) =>
    devnet.request({ method: 'eth_sendTransaction', params: [fields] })
  for (let i = 0; i < PAYMENTS; i++) {
    await send({ from, to, value: '0x1' })
    if (i % 1_000 === 500) await send({ from: to, to: address, data: '0x12345678', gas: '0x30000' })
    if (i % 100 === 99) await devnet.mine()
  }
  await devnet.request({ method: 'hardhat_mine', params: ['0x3e8'] })
}

story(
  'a reader finds three failed transactions among thousands in two clicks, and again after a reload',
  async ({ open, look }) => {
    const page = await open('/')
    await page.getByRole('link', { name: 'Transactions', exact: true }).click()
    await page.getByText(/^3,?\s?004 transactions, newest first$/).waitFor()
    const rows = page.getByRole('table', { name: 'transactions' }).getByRole('row')
    await rows.getByText('account 1').first().waitFor()
    await look(page, 'transactions')
    await page.getByLabel('state').selectOption('failed')
    await page.waitForURL(/state=failed/)
    await page.getByText('3 transactions, newest first').waitFor()
    expect(await rows.getByText('failed').count()).toBe(3)
    await rows.getByText('Reverter').first().waitFor()
    await page.reload()
    await page.getByText('3 transactions, newest first').waitFor()
    await look(page, 'transactions-failed')
    await rows.getByRole('link', { name: /^0x/ }).first().click()
    await page.waitForURL(/\/tx\/0x/)
  },
  { before, timeoutMs: 120_000 },
)

story(
  'a reader follows a link to what minted one token, and is told what is not known',
  async ({ open }) => {
    const page = await open(`/transactions?function=mint&event=Transfer&address=${built.gold}`)
    const rows = page.getByRole('table', { name: 'transactions' }).getByRole('row')
    await rows.getByText('mint(').first().waitFor()
    expect(await rows.getByText('approve').count()).toBe(0)
    await page.getByLabel('event').fill('Nobody')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('no known ABI has the event Nobody').waitFor()
    await page.goto(page.url().replace(/\?.*/, '?state=dropped'))
    await page.getByText('no such transaction on this chain').waitFor()
  },
  {
    before: async (devnet) => {
      built = await market(devnet)
    },
  },
)
