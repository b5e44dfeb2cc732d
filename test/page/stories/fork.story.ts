/** A devnet that was forked from a network: what is the network's is shown, and said to be. */
import { expect } from 'vitest'
import { createDevnet, type Devnet } from '../../../src/index.ts'
import { stageStory } from '../../support/page/story.ts'

const BOB = '0x0000000000000000000000000000000000000b0b'

/** A contract of the network of whose creation nobody knows. */
const OLD = '0x0000000000000000000000000000000000000c0d'

const pay = (devnet: Devnet, wei: bigint) =>
  devnet.send({ from: devnet.accounts[1]!.address, to: BOB, value: wei })

stageStory(
  'a reader of a fork sees the blocks and transactions of its network, said to be, and its own after them',
  async ({ onEnd, allow, open, look, glance }) => {
    const manual = { rhythm: 'manual', ticksPerBlock: 5, consoleLogs: false } as const
    const network = await createDevnet(manual)
    await network.request({ method: 'anvil_setCode', params: [OLD, '0x00'] } as never)
    await network.mine(2)
    const { hash } = await pay(network, 5n)
    const devnet = await createDevnet({ ...manual, fork: { provider: network } })
    onEnd(async () => {
      await devnet.close()
      await network.close()
    })
    await pay(devnet, 7n)
    const { url } = await devnet.listen()
    allow(url)

    const page = await open(new URL('/blocks', url).href)
    await page.getByText('The chain was forked from a network at block 3').waitFor()
    const list = page.getByRole('region', { name: 'blocks' })
    await list.getByRole('row', { name: /^4 / }).waitFor()
    // The fork block is the first of the chain.
    await list.getByRole('row', { name: /^3 / }).waitFor()
    expect(await list.getByRole('table').getAttribute('aria-rowcount')).toBe('3')
    await look(page, 'fork-blocks')

    await list.getByRole('link', { name: '3', exact: true }).click()
    await page.getByText('A block of the forked network.').waitFor()
    await page.getByRole('table', { name: 'transactions' }).getByRole('row').nth(1).waitFor()
    await look(page, 'fork-block')
    await page.keyboard.press('[')
    await page.getByText('before the fork at block 3').waitFor()
    await page.keyboard.press(']')
    await page.getByRole('heading', { level: 1, name: 'Block 3' }).waitFor()
    await page.keyboard.press(']')
    await page.getByRole('heading', { level: 1, name: 'Block 4' }).waitFor()
    await page.getByRole('region', { name: 'slices' }).waitFor()
    expect(await page.getByText('of the network').count()).toBe(0)

    await page.goto(new URL(`/tx/${hash}`, url).href)
    await page.getByText('success', { exact: true }).waitFor()
    await glance(page, 'fork-transaction')
    await page.goto(new URL(`/address/${BOB}?tab=history`, url).href)
    await page.getByText('The chain was forked from a network at block 3').waitFor()
    await glance(page, 'fork-history')
    await page.goto(new URL(`/address/${OLD}`, url).href)
    await page.getByText('not known: the contract existed at block 3, where the chain was forked').waitFor()
    await glance(page, 'fork-contract')
  },
)
