/** What happens now, the list of blocks, and the theme. */
import { expect } from 'vitest'
import { story } from '../../support/story.ts'

story(
  'a reader sees a transaction wait, and why, then pre-confirmed in a slice, then sealed',
  async ({ devnet, open, look }) => {
    const page = await open('/')
    const [from, to] = devnet.accounts.map(({ address }) => address) as [`0x${string}`, `0x${string}`]
    const section = (name: string) => page.getByRole('region', { name })
    await section('Waiting').getByText('nothing waits').waitFor()

    const { hash } = await devnet.send({ from, to, value: 1n, until: 'accepted' })
    const short = `${hash.slice(0, 8)}…${hash.slice(-4)}`
    await section('Waiting').getByRole('link', { name: short }).first().waitFor()
    await section('Waiting').getByText('the next slice takes it in').first().waitFor()

    await devnet.tick()
    await section('Newest pre-confirmed').getByRole('row', { name: short }).waitFor()
    const openBlock = section('Open block')
    await openBlock.getByRole('list', { name: 'slices' }).getByText('1 tx').first().waitFor()
    expect(await section('Waiting').getByText('nothing waits').count()).toBe(1)

    await devnet.mine()
    await section('Newest sealed').getByRole('row', { name: short }).waitFor()
    await section('Newest blocks').getByRole('row', { name: '1 sealed' }).waitFor()
    await section('Newest pre-confirmed').getByText('none since the page was opened').waitFor()
    await look(page, 'now')
  },
  { devnet: { profile: 'base-flashblocks', l2: 'none' } },
)

story(
  'a reader sees what was dropped and why, a reorganisation and a fault, and stops the view',
  async ({ devnet, open, look }) => {
    const page = await open('/')
    const section = (name: string) => page.getByRole('region', { name })
    const [from, to] = devnet.accounts.map(({ address }) => address) as [`0x${string}`, `0x${string}`]
    const removed = await devnet.send({ from, to, value: 1n, until: 'accepted' })
    await devnet.request({ method: 'anvil_dropTransaction', params: [removed.hash] })
    await section('Newest dropped').getByText('removed on request').waitFor()

    await devnet.send({ from, to, value: 2n, until: 'accepted' })
    await devnet.mine(2)
    await devnet.request({ method: 'preseal_reorg', params: [{ depth: 1, transactions: 'keep' }] })
    await section('Faults and reorganisations').getByText('1 block reorganised away').waitFor()
    await section('Newest blocks').getByText('reorganised away').first().waitFor()
    await look(page, 'now-reorganised')

    await page.getByRole('button', { name: 'pause' }).click()
    const { hash } = await devnet.send({ from, to, value: 3n, until: 'accepted' })
    await page.waitForTimeout(700)
    const short = `${hash.slice(0, 8)}…${hash.slice(-4)}`
    expect(await section('Waiting').getByRole('link', { name: short }).count()).toBe(0)
    await page.getByRole('button', { name: 'go on' }).click()
    await section('Waiting').getByRole('link', { name: short }).waitFor()
  },
)

story(
  'a reader goes through ten thousand blocks by keys, while new ones come',
  async ({ devnet, open, look }) => {
    const page = await open('/blocks')
    const list = page.getByRole('region', { name: 'blocks' })
    await list.getByRole('link', { name: '10000', exact: true }).waitFor()
    expect(await list.getByRole('table').getAttribute('aria-rowcount')).toBe('10002')
    expect(await list.getByRole('row').count()).toBeLessThan(100)
    await look(page, 'blocks')

    await list.focus()
    await page.keyboard.press('End')
    await list.getByRole('link', { name: '0', exact: true }).waitFor()
    await list.getByRole('link', { name: '0', exact: true }).focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('1')
    await page.keyboard.press('Home')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('10000')

    await devnet.mine()
    await list.getByRole('link', { name: '10001', exact: true }).waitFor()
    await devnet.request({ method: 'preseal_reorg', params: [{ depth: 1, transactions: 'keep' }] })
    await list.getByText('reorganised away').waitFor()
    await list.getByRole('link', { name: '9999', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /9.?999/ }).waitFor()
  },
  { before: (devnet) => devnet.mine(10_000), timeoutMs: 180_000 },
)

story('a reader chooses a theme, which stays', async ({ open }) => {
  const page = await open('/')
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const light = await ground()
  await page.getByRole('button', { name: 'theme: system' }).click()
  await page.getByRole('button', { name: 'theme: light' }).click()
  await page.getByRole('button', { name: 'theme: dark' }).waitFor()
  const dark = await ground()
  expect(dark).not.toBe(light)
  await page.reload()
  await page.getByRole('button', { name: 'theme: dark' }).waitFor()
  expect(await ground()).toBe(dark)
})
