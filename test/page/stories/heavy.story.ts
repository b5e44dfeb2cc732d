/** A long chain and a rush of transactions: how soon the page shows them, and how much memory it takes. */
import { expect } from 'vitest'
import { Reverter } from '../../../fixtures/contracts/Reverter.ts'
import type { Devnet } from '../../../src/index.ts'
import { story } from '../../support/page/story.ts'

const PAYMENTS = 48_000
/** The transactions of an hour at 100 a second, or of five minutes. */
const RUSH = process.env.PRESEAL_STORIES === 'short' ? 30_000 : 360_000
const BLOCK = 100
const MOST_HEAP_BYTES = 150_000_000
/** How many times as long as on an idle machine the page may take: other tests run beside this one. */
const PATIENCE = Number(process.env.PRESEAL_PATIENCE ?? 3)

async function pay(devnet: Devnet, count: number): Promise<void> {
  const [from, to] = devnet.accounts.map(({ address }) => address) as [string, string]
  for (let i = 1; i <= count; i++) {
    await devnet.request({
      method: 'eth_sendTransaction',
      params: [{ from, to, value: '0x1', gas: '0x5208' }],
    })
    if (i % BLOCK === 0) await devnet.mine()
  }
}

async function before(devnet: Devnet): Promise<void> {
  const { address } = await devnet.deploy(Reverter)
  const [from] = devnet.accounts.map((account) => account.address) as [string]
  for (let i = 0; i < 3; i++) {
    await pay(devnet, PAYMENTS / 4)
    const failing = { from, to: address, data: '0x12345678', gas: '0x30000' }
    await devnet.request({ method: 'eth_sendTransaction', params: [failing] })
  }
  await pay(devnet, PAYMENTS / 4)
  await devnet.mine(1_000)
}

story(
  'a reader opens a chain of 48,000 transactions within a second, and finds the three that failed in two clicks',
  async ({ open, url }) => {
    const page = await open('/console')
    const rows = page.getByRole('table', { name: 'transactions' }).getByRole('row')
    /** Resolves to the milliseconds since the document was requested, when `seen` is there. */
    const shownMs = async (seen: Promise<unknown>) => {
      await seen
      return page.evaluate<number>('performance.now()')
    }
    const times: Record<string, number> = {}
    await page.goto(url)
    const sealed = page.getByRole('region', { name: 'Newest sealed' })
    times.now = await shownMs(sealed.getByRole('row').nth(1).waitFor())
    await page.getByRole('link', { name: 'Transactions', exact: true }).click()
    await page.getByLabel('state').selectOption('failed')
    await page.getByText('3 transactions, newest first').waitFor()
    expect(await rows.getByText('failed').count()).toBe(3)
    await page.reload()
    times.failed = await shownMs(page.getByText('3 transactions, newest first').waitFor())
    await page.goto(`${url}/transactions`)
    times.transactions = await shownMs(rows.nth(1).waitFor())
    await page.goto(`${url}/blocks`)
    times.blocks = await shownMs(
      page
        .getByRole('link', { name: /empty blocks$/ })
        .first()
        .waitFor(),
    )
    console.log('milliseconds until shown:', JSON.stringify(times))
    for (const [view, ms] of Object.entries(times)) expect(ms, view).toBeLessThan(PATIENCE * 1_000)
  },
  { before, timeoutMs: 400_000 },
)

story(
  `a tab that shows ${RUSH} transactions as they happen takes less than 150 MB`,
  async ({ devnet, open }) => {
    const page = await open('/')
    const debug = await page.context().newCDPSession(page)
    const heapBytes = async () => {
      await debug.send('HeapProfiler.collectGarbage')
      const { usedSize } = await debug.send('Runtime.getHeapUsage')
      return usedSize
    }
    const sizes = [await heapBytes()]
    for (let part = 0; part < 6; part++) {
      await pay(devnet, RUSH / 6)
      const head = page.getByRole('group', { name: 'chain' })
      await head.getByRole('link', { name: String(devnet.latest.header.number), exact: true }).waitFor()
      sizes.push(await heapBytes())
    }
    console.log('heap in MB:', sizes.map((bytes) => (bytes / 1e6).toFixed(1)).join(' '))
    for (const bytes of sizes) expect(bytes).toBeLessThan(MOST_HEAP_BYTES)
  },
  { timeoutMs: 400_000 },
)
