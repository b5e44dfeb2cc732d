/** The frame of the page: where one can go, what is searched, what stays when the devnet goes away. */
import { expect } from 'vitest'
import { story } from '../../support/story.ts'

story(
  'a reader goes through the views by links, back and forward, and by a deep link',
  async ({ open, look }) => {
    const page = await open('/')
    for (const name of ['Blocks', 'Contracts', 'Logs', 'Controls', 'Console']) {
      await page.getByRole('navigation').getByRole('link', { name }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      expect(await page.title()).toContain(name.toLowerCase())
    }
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Controls' }).waitFor()
    await page.goForward()
    await page.getByRole('heading', { level: 1, name: 'Console' }).waitFor()
    const other = await open('/block/0')
    await other.getByRole('heading', { level: 1, name: 'Block 0' }).waitFor()
    const nowhere = await open('/nothing/here/at/all')
    await nowhere.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
    await look(nowhere, 'not-found')
  },
)

story('a reader presses / and finds a transaction, a block and an account', async ({ devnet, open }) => {
  const [from, to] = devnet.accounts.map(({ address }) => address) as [`0x${string}`, `0x${string}`]
  const { hash } = await devnet.send({ from, to, value: 1n, until: 'accepted' })
  await devnet.mine()
  const page = await open('/')
  const search = async (text: string) => {
    await page.keyboard.press('/')
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  await search(hash)
  await page.waitForURL(`**/tx/${hash}`)
  await search('1')
  await page.waitForURL('**/block/1')
  await search(to)
  await page.waitForURL(`**/address/${to.toLowerCase()}`)
  await search('nobody')
  await page.getByRole('alert').getByText('nothing found').waitFor()
})

story(
  'the head follows the chain, and the page says when the devnet is gone',
  async ({ devnet, open }) => {
    const page = await open('/')
    const chain = page.getByRole('status', { name: 'chain' })
    await chain.getByText('chain 31337').waitFor()
    await devnet.mine(3)
    await chain.getByRole('link', { name: '3', exact: true }).waitFor()
    await devnet.close()
    await chain.getByText('lost').waitFor()
  },
  { allowedErrors: /WebSocket connection|ERR_CONNECTION_REFUSED/ },
)
