/** Hands on the chain. */
import { expect } from 'vitest'
import { story } from '../../support/story.ts'

story(
  'a reader ticks, seals, mines, advances time and goes back to a snapshot',
  async ({ devnet, open, look }) => {
    const page = await open('/controls')
    const action = (name: string) => page.getByRole('region', { name, exact: true })
    const { hash } = await devnet.send({ to: devnet.accounts[1]!.address, value: 1n, until: 'accepted' })

    await action('Tick').getByRole('button', { name: 'tick' }).click()
    await action('Tick').getByText('block 1 has slice 1').waitFor()
    expect(await devnet.request({ method: 'eth_getTransactionByHash', params: [hash] })).toMatchObject({
      hash,
    })
    await action('Seal').getByRole('button', { name: 'seal' }).click()
    await action('Seal').getByText('block 1 is sealed').waitFor()
    await action('Snapshots').getByRole('button', { name: 'take a snapshot' }).click()
    await action('Snapshots').getByText('snapshot 1, block 1').waitFor()

    await action('Mine').getByLabel('blocks', { exact: true }).fill('5')
    await action('Mine').getByRole('button', { name: 'mine' }).click()
    await action('Mine').getByText('block 6 is the newest').waitFor()
    await action('Advance').getByRole('button', { name: 'advance' }).click()
    await action('Advance').getByText('the clock is').waitFor()
    await look(page, 'controls')
    await action('Snapshots').getByRole('button', { name: 'restore' }).click()
    await page.getByRole('status', { name: 'chain' }).getByRole('link', { name: '1', exact: true }).waitFor()
    expect(await devnet.request({ method: 'eth_blockNumber' })).toBe('0x1')
  },
)

story('a reader deals ether, and is told what is wrong with an amount', async ({ devnet, open }) => {
  const page = await open('/controls')
  const deal = page.getByRole('region', { name: 'Deal ether' })
  const account = `0x${'12'.repeat(20)}` as const
  await deal.getByLabel('account').fill(account)
  await deal.getByLabel('balance in ETH').fill('one')
  await deal.getByRole('button').click()
  await deal.getByRole('alert').getByText('got one').waitFor()
  await deal.getByLabel('balance in ETH').fill('1.5')
  await deal.getByRole('button').click()
  await deal.getByRole('status').waitFor()
  expect(await devnet.request({ method: 'eth_getBalance', params: [account, 'pending'] })).toBe(
    '0x14d1120d7b160000',
  )
})

story('a fault is planned, happens, and another is taken back', async ({ devnet, open, look }) => {
  const page = await open('/controls')
  await page.getByLabel('kind').selectOption('rpcError')
  const plan = page.getByRole('region', { name: 'Plan a fault' })
  await plan.getByRole('button', { name: 'plan' }).click()
  const planned = page.getByRole('region', { name: 'Planned' })
  await planned.getByText('txpool is full').waitFor()
  await page.getByLabel('kind').selectOption('omitSlice')
  await plan.getByRole('button', { name: 'plan' }).click()
  await planned.getByText('omitSlice').waitFor()
  await devnet.send({ to: devnet.accounts[1]!.address, value: 1n, until: 'accepted' }).catch(() => {})
  await devnet.tick()
  await page
    .getByRole('region', { name: /^Happened/ })
    .getByText('omitSlice: block 1')
    .waitFor()
  await look(page, 'faults')
  while ((await planned.getByRole('button', { name: 'take back' }).count()) > 0) {
    const left = await planned.getByRole('button', { name: 'take back' }).count()
    await planned.getByRole('button', { name: 'take back' }).first().click()
    await expect.poll(() => planned.getByRole('button', { name: 'take back' }).count()).toBe(left - 1)
  }
  await planned.getByText('no fault is planned').waitFor()
  expect(await devnet.request({ method: 'preseal_listFaults' })).toEqual([])
})
