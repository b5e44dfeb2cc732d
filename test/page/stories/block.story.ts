/** One block: how it grew, what is in it, and the blocks beside it. */
import { expect } from 'vitest'
import type { Devnet } from '../../../src/index.ts'
import { BLOBS, signNaming, withBlobs } from '../../support/chains/blobs.ts'
import { GENESIS, minedChain } from '../../support/chains/minedChain.ts'
import { bankRun, openBank } from '../../support/compilers/bank.ts'
import { scrollTo, story } from '../../support/page/story.ts'

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
    // By the clock of the devnet, which stands in another year than that of the browser.
    await page.getByText(/^\d s ago$/).waitFor()
    await look(page, 'block')
    // On a phone a row has the receiver in a second line.
    await page.setViewportSize({ width: 390, height: 844 })
    await rows.first().getByText(/^to /).waitFor()
    await page.setViewportSize({ width: 1400, height: 900 })
    await expect.poll(() => rows.getByText(/^to /).count()).toBe(0)
    const slices = page.getByRole('region', { name: 'slices' })
    await slices.getByRole('link', { name: 'slice 1' }).click()
    await page.waitForURL('**?slice=1')
    await page.getByText('This is the block after slice 1').waitFor()
    expect(await rows.count()).toBe(2)
    await look(page, 'block-slice')
  },
  { devnet: { ticksPerBlock: 5 } },
)

story(
  'contracts are known by their names in a block that is open, and when it is sealed',
  async ({ devnet, open }) => {
    const { token } = await openBank(devnet)
    devnet.artifacts.add(bankRun())
    const data = `0xa9059cbb${'b0b'.padStart(64, '0')}${'5'.padStart(64, '0')}` as const
    await devnet.send({ to: token.address, data, until: 'accepted' })
    await devnet.tick()
    const page = await open('/block/pending')
    const rows = page.getByRole('table', { name: 'transactions' }).locator('tbody').getByRole('row')
    await rows.first().getByText('Token').waitFor()
    const number = Number(await devnet.request({ method: 'eth_blockNumber' })) + 1
    await devnet.seal()
    await page.goto(new URL(`/block/${number}`, page.url()).href)
    await rows.first().getByText('Token').waitFor()
    await page.getByRole('heading', { level: 1, name: `Block ${number}` }).waitFor()
  },
  { devnet: { ticksPerBlock: 5 } },
)

story(
  'a reader looks at the header of a block, its logs, its JSON and its blobs',
  async ({ devnet, open, look, glance }) => {
    await sends(devnet, 2)
    await devnet.mine()
    const page = await open('/block/1')
    await page.getByRole('tab', { name: 'Header' }).click()
    await page.getByText('prevRandao').waitFor()
    await look(page, 'block-header')
    await page.getByRole('tab', { name: 'JSON' }).click()
    await page.getByText('"parentHash"').waitFor()
    await glance(page, 'block-json')
    await page.getByRole('tab', { name: /^Logs/ }).click()
    await glance(page, 'block-logs')
    const naming = signNaming(devnet.accounts[3]!, BLOBS)
    await devnet.request({ method: 'eth_sendRawTransaction', params: [withBlobs(naming, BLOBS, 1)] })
    await devnet.mine()
    await page.goto(new URL('/block/2?tab=blobs', page.url()).href)
    const blobs = page.getByRole('tabpanel').getByRole('row')
    await blobs.nth(2).getByText(/^0x01/).waitFor()
    await page.getByText('burnt').waitFor()
    await look(page, 'block-blobs')
  },
  { devnet: { ticksPerBlock: 5 } },
)

story(
  'the pending block grows before the reader, the keys [ and ] go to the blocks beside it, and a block that is gone is said to be',
  async ({ devnet, open, look, glance }) => {
    await devnet.mine(2)
    const page = await open('/block/pending')
    await sends(devnet, 2)
    await devnet.tick()
    await page.getByRole('tab', { name: 'Transactions 2' }).waitFor()
    await sends(devnet, 1)
    await devnet.tick()
    await page.getByRole('tab', { name: 'Transactions 3' }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Block 3' }).waitFor()
    await look(page, 'block-pending')
    await page.keyboard.press('[')
    await page.getByRole('heading', { level: 1, name: 'Block 2' }).waitFor()
    await page.waitForURL('**/block/2')
    await page.keyboard.press(']')
    await page.getByRole('heading', { level: 1, name: 'Block 3' }).waitFor()
    const nothing = await open('/block/999')
    await nothing.getByText('there is no block 999 yet: the newest block is 2').waitFor()
    await glance(nothing, 'block-nothing')
  },
  { devnet: { ticksPerBlock: 5 } },
)

story(
  'a block that a reorg removed is shown as removed, and a moment that is gone is said to be',
  async ({ devnet, open, look, glance }) => {
    await devnet.mine(2)
    const ask = (method: string, ...params: unknown[]) => devnet.request({ method, params } as never)
    const snapshot = await ask('evm_snapshot')
    await sends(devnet, 3)
    await devnet.mine()
    const { hash } = (await ask('eth_getBlockByNumber', 'latest', false)) as { hash: string }
    const removed = await open(`/block/${hash}`)
    await ask('preseal_reorg', { depth: 1, transactions: 'drop' })
    await removed.getByText('A reorg removed this block from the chain').waitFor()
    await look(removed, 'block-removed')
    const then = await open(`/address/${devnet.accounts[0]!.address}?at=3`)
    await then.getByRole('tab', { name: 'History' }).waitFor()
    await ask('evm_revert', snapshot)
    await then.getByText('There is no block 3 at present: the newest is 2.').waitFor()
    await glance(then, 'account-absent-moment')
    await then.getByRole('button', { name: 'show pending' }).click()
    await then.getByRole('tab', { name: 'History' }).waitFor()
  },
  { devnet: { ticksPerBlock: 5 } },
)

story(
  'a reader sees the withdrawals of a block that another client made, and the blocks of hardforks before it',
  async ({ devnet, open, look, glance }) => {
    const { encoded } = await minedChain()
    await devnet.import(encoded)
    const page = await open('/block/30')
    await page.getByRole('tab', { name: 'Withdrawals 4' }).click()
    const rows = page.getByRole('table', { name: 'withdrawals' }).locator('tbody').getByRole('row')
    await rows.nth(3).waitFor()
    expect(await rows.first().innerText()).toMatch(/32 ETH\s+7\s+0$/)
    expect(await rows.nth(1).innerText()).toMatch(/1 gwei\s+1099511627776\s+1$/)
    await look(page, 'block-withdrawals')
    // Mined, with an ommer, before blocks had a base fee.
    await page.goto(new URL('/block/3?tab=header', page.url()).href)
    await page.getByText('difficulty', { exact: true }).waitFor()
    expect(await page.getByText('base fee').count()).toBe(0)
    await glance(page, 'block-mined')
  },
  { devnet: { genesis: GENESIS } },
)

story(
  'of a long block what is in sight is asked for, and paper has its rows',
  async ({ devnet, open, look }) => {
    for (let i = 0; i < 3; i++) {
      await sends(devnet, 60)
      await devnet.tick()
    }
    const page = await open('/block/pending')
    const list = page.getByRole('region', { name: 'transactions' })
    const block = (await devnet.request({ method: 'eth_getBlockByNumber', params: ['pending', false] }))!
    const linkTo = (index: number) => list.locator(`a[href$="${String(block.transactions[index])}"]`)
    await linkTo(0).waitFor()
    await list.focus()
    await scrollTo(page, 'End', linkTo(179))
    await look(page, 'block-long')
    await sends(devnet, 1)
    await devnet.tick()
    await page.getByRole('tab', { name: 'Transactions 181' }).waitFor()
    await scrollTo(page, 'Home', linkTo(0))
    // Those that were not in sight come by themselves.
    await page.evaluate('dispatchEvent(new Event("beforeprint"))')
    await linkTo(90).waitFor({ state: 'attached' })
    await page.evaluate('dispatchEvent(new Event("afterprint"))')
  },
  { devnet: { ticksPerBlock: 20 } },
)
