/** The frame of the page: where one can go, what is searched, what stays when the devnet goes away. */
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { createDevnet } from '../../../src/index.ts'
import { story, tabTo } from '../../support/page/story.ts'

story(
  'a reader goes through the views by keys, back and forward, and by a deep link',
  async ({ open, look }) => {
    const page = await open('/')
    for (const name of ['Blocks', 'Contracts', 'Logs', 'Controls', 'Console']) {
      await tabTo(page, name, name === 'Blocks' ? 'Tab' : 'Shift+Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await expect.poll(() => page.title()).toContain(name.toLowerCase())
      // Who does not see the page is told where it goes on.
      await expect
        .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
        .toBe(name.toLowerCase())
    }
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Controls' }).waitFor()
    await page.goForward()
    await page.getByRole('heading', { level: 1, name: 'Console' }).waitFor()
    const other = await open('/block/0')
    await other.getByRole('heading', { level: 1, name: 'Block 0' }).waitFor()
    const hash = `0x${'ab'.repeat(32)}`
    const wrong = await open(`/address/${hash}`)
    await wrong.getByText(`/address/ takes an address, 0x and 40 hex digits; ${hash} is not one`).waitFor()
    await look(wrong, 'not-found')
    await wrong.getByRole('link', { name: 'the transaction' }).click()
    await wrong.getByText('no transaction with this hash was accepted').waitFor()
  },
)

story(
  'a reader presses / and finds a transaction, a block and an account',
  async ({ devnet, open, look }) => {
    const [from, to] = devnet.accounts.map(({ address }) => address) as [`0x${string}`, `0x${string}`]
    const { hash } = await devnet.send({ from, to, value: 1n, until: 'accepted' })
    await devnet.mine()
    const page = await open('/')
    const search = async (text: string) => {
      await page.keyboard.press('Escape')
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
    await page.getByRole('alert').getByText('Nothing found').waitFor()
    await look(page, 'search-nothing')
    await search(from.replace('F', 'f'))
    await page.getByRole('alert').getByText('checksum of this address is wrong').waitFor()
    await page.waitForURL(`**/address/${from.toLowerCase()}`)
    await page.getByRole('button', { name: 'close the results' }).click()
    // Of what begins alike one is chosen by arrows.
    await devnet.mine(400)
    const { blocks } = (await devnet.request({
      method: 'preseal_listBlocks',
      params: [{ limit: 1000 }],
    })) as { blocks: { number: string; hash: string }[] }
    const beginnings = blocks.map((block) => block.hash.slice(0, 5))
    const start = beginnings.find((one, i) => beginnings.indexOf(one) !== i) ?? '0x000'
    const alike = blocks.filter((block) => block.hash.startsWith(start))
    await search(start)
    await page.getByText(`${alike.length} begin with ${start}`).waitFor()
    await look(page, 'search-choices')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(({ pathname }) => alike.some(({ hash }) => pathname === `/block/${hash}`))
    await page.getByText('begin with').waitFor({ state: 'detached' })
  },
)

story(
  'the head follows the chain, and the page says when the devnet is gone, and shows the views that it has loaded by then',
  async ({ devnet, open, look }) => {
    const page = await open('/')
    const chain = page.getByRole('group', { name: 'chain' })
    await chain.getByText('chain 31337').waitFor()
    await devnet.mine(3)
    await chain.getByRole('link', { name: '3', exact: true }).waitFor()
    const hasLoaded = () =>
      page.evaluate<boolean>(
        "performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/ConsoleView'))",
      )
    await expect.poll(hasLoaded).toBe(true)

    // Before the page is opened, which loads its views when it has nothing else to do.
    await page.context().route('**/assets/LogsView-*', (route) => route.abort())
    const other = await open('/')
    await other.getByRole('link', { name: 'Logs' }).click()
    await other.getByRole('alert').getByText('the view could not be loaded').waitFor()

    await devnet.close()
    await chain.getByText('lost').waitFor()
    await look(page, 'lost')
    await page.getByRole('link', { name: 'Console' }).click()
    await page.getByRole('heading', { level: 1, name: 'Console' }).waitFor()
  },
  {
    allowedErrors:
      /WebSocket connection|ERR_CONNECTION_REFUSED|LogsView|Failed to load resource: net::ERR_FAILED/,
  },
)

story(
  'the page says when a devnet that is connected does not answer any more, and takes it back when it does',
  async ({ url, open, look }) => {
    // What stands still looks so from outside: its connections are open, and nothing comes.
    const sockets: Socket[] = []
    let isStanding = false
    const standing = createServer((socket) => {
      const on = connect(Number(new URL(url).port), '127.0.0.1')
      socket.pipe(on).pipe(socket)
      for (const end of [socket, on]) {
        sockets.push(end.on('error', () => {}))
        if (isStanding) end.pause()
      }
    })
    const stand = (is: boolean) => {
      isStanding = is
      for (const socket of sockets) is ? socket.pause() : socket.resume()
    }
    await new Promise<void>((resolve) => standing.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      standing.close()
      for (const socket of sockets) socket.destroy()
    })
    const page = await open(`http://127.0.0.1:${(standing.address() as { port: number }).port}/controls`)
    const chain = page.getByRole('group', { name: 'chain' })
    await chain.getByText('live').waitFor()
    stand(true)
    await chain.getByText('no answer').waitFor()
    await page.getByRole('alert').getByText('paused at a breakpoint').waitFor()
    await look(page, 'silent')
    stand(false)
    await chain.getByText('live').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  },
  { allowedErrors: /^request: http:\/\/127\.0\.0\.1:\d+\// },
)

story(
  'the page says when another devnet is on its port, and shows its chain alone',
  async ({ devnet, open, url, look }) => {
    const page = await open('/')
    const chain = page.getByRole('group', { name: 'chain' })
    const { hash } = await devnet.send({ to: devnet.accounts[1]!.address, value: 1n, until: 'accepted' })
    await devnet.mine(3)
    await chain.getByRole('link', { name: '3', exact: true }).waitFor()
    await page.locator(`main a[href="/tx/${hash}"]`).first().waitFor()
    await devnet.close()
    await chain.getByText('lost').waitFor()

    const other = await createDevnet({ rhythm: 'manual', consoleLogs: false, chainId: 4242 })
    onTestFinished(() => other.close())
    await other.mine(1)
    await other.listen({ port: Number(new URL(url).port) })
    await page.getByRole('alert').getByText('another chain').waitFor()
    await chain.getByText('chain 4242').waitFor()
    await chain.getByRole('link', { name: '1', exact: true }).waitFor()
    await page.locator(`main a[href="/tx/${hash}"]`).first().waitFor({ state: 'detached' })
    await look(page, 'other-chain')
    await tabTo(page, 'close')
    await page.keyboard.press('Enter')
    await page.getByText('has another chain now').waitFor({ state: 'detached' })
    await other.mine(1)
    await chain.getByRole('link', { name: '2', exact: true }).waitFor()
  },
  { allowedErrors: /WebSocket connection|ERR_CONNECTION_REFUSED/ },
)

story('words are explained to those who use keys, and to those who tap', async ({ devnet, open, look }) => {
  await devnet.mine(1)
  const page = await open('/block/1')
  const told = page.locator('.hint-text')
  await tabTo(page, 'base fee')
  await told.getByText('burnt for each unit of gas').waitFor()
  await page.keyboard.press('Escape')
  await told.waitFor({ state: 'hidden' })
  await page.keyboard.press('Enter')
  await told.getByText('burnt for each unit of gas').waitFor()
  await page.keyboard.press('Tab')
  await told.getByText('burnt for each unit of gas').waitFor({ state: 'hidden' })
  // A pointer presses once to see it, and once more or elsewhere to be rid of it.
  const hash = page.getByRole('button', { name: 'hash', exact: true })
  await hash.click()
  await told.getByText('keccak-256').waitFor()
  await hash.click()
  await told.waitFor({ state: 'hidden' })
  await hash.click()
  await told.getByText('keccak-256').waitFor()
  await page.getByRole('heading', { level: 1 }).click()
  await told.waitFor({ state: 'hidden' })
  // Links have theirs, too.
  await tabTo(page, '← 0', 'Shift+Tab')
  await told.getByText('key [').waitFor()
  await page.keyboard.press('Escape')
  await look(page, 'hints')
  await hash.click()
  await told.getByText('keccak-256').waitFor()
})
