/** One block: how it grew, what is in it, and the blocks beside it. */
import { expect } from 'vitest'
import type { Devnet } from '../../../src/index.ts'
import { story } from '../../support/story.ts'

async function sends(devnet: Devnet, count: number): Promise<void> {
  const [from, to] = devnet.accounts.map(({ address }) => address) as [`0x${string}`, `0x${string}`]
  for (let i = 0; i < count; i++) await devnet.send({ from, to, value: BigInt(i), until: 'accepted' })
}

story(
  'a reader looks at a block after each of its slices',
  async ({ devnet, open, look }) => {
    await sends(devnet, 2)
    await devnet.tick()
    await sends(devnet, 3)
    await devnet.tick()
    await devnet.seal()
    const page = await open('/block/1')
    const rows = page.getByRole('table', { name: 'transactions' }).locator('tbody').getByRole('row')
    await rows.first().waitFor()
    expect(await rows.count()).toBe(5)
    await look(page, 'block')
    const slices = page.getByRole('region', { name: 'slices' })
    await slices.getByRole('link', { name: 'slice 1' }).click()
    await page.waitForURL('**?slice=1')
    await page.getByText('This is the block after slice 1').waitFor()
    expect(await rows.count()).toBe(2)
    await look(page, 'block-slice')
    await page.getByRole('tab', { name: 'Header' }).click()
    await page.getByText('prevRandao').waitFor()
    await look(page, 'block-header')
    await page.getByRole('tab', { name: 'JSON' }).click()
    await page.getByText('"parentHash"').waitFor()
  },
  { devnet: { ticksPerBlock: 5 } },
)

story(
  'the pending block grows before the reader, and the keys [ and ] go to the blocks beside it',
  async ({ devnet, open }) => {
    await devnet.mine(2)
    const page = await open('/block/pending')
    await sends(devnet, 2)
    await devnet.tick()
    await page.getByRole('tab', { name: 'Transactions 2' }).waitFor()
    await sends(devnet, 1)
    await devnet.tick()
    await page.getByRole('tab', { name: 'Transactions 3' }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Block 3' }).waitFor()
    await page.keyboard.press('[')
    await page.getByRole('heading', { level: 1, name: 'Block 2' }).waitFor()
    await page.waitForURL('**/block/2')
    await page.keyboard.press(']')
    await page.getByRole('heading', { level: 1, name: 'Block 3' }).waitFor()
    const nothing = await open('/block/999')
    await nothing.getByText('there is no such block').waitFor()
  },
  { devnet: { ticksPerBlock: 5 } },
)
