/** What happens now, the list of blocks, and the theme. */
import { expect } from 'vitest'
import { scrollTo, story } from '../../support/page/story.ts'

story(
  'a reader sees a transaction wait, and why, then pre-confirmed in a slice, then sealed',
  async ({ devnet, open, look }) => {
    const page = await open('/')
    const [from, to] = devnet.accounts.map(({ address }) => address) as [`0x${string}`, `0x${string}`]
    const section = (name: string) => page.getByRole('region', { name })
    await section('Waiting').getByText('none at present').waitFor()

    const { hash } = await devnet.send({ from, to, value: 1n, until: 'accepted' })
    const short = `${hash.slice(0, 8)}…${hash.slice(-4)}`
    await section('Waiting').getByRole('link', { name: short }).first().waitFor()
    await section('Waiting').getByText('the next slice will include it').first().waitFor()

    await devnet.tick()
    await section('Newest pre-confirmed').getByRole('row', { name: short }).waitFor()
    const openBlock = section('Open block')
    await openBlock.locator('.field', { hasText: 'slices' }).getByText('1', { exact: true }).waitFor()
    expect(await section('Waiting').getByText('none at present').count()).toBe(1)

    await devnet.mine()
    await section('Newest sealed').getByRole('row', { name: short }).waitFor()
    await section('Newest blocks')
      .getByRole('row', { name: /^1 \d+ s ago/ })
      .waitFor()
    await section('Newest pre-confirmed').getByText('none at present').waitFor()
    expect(await page.getByText('failed').count()).toBe(0)

    // Its code reverts.
    await devnet.request({ method: 'anvil_setCode', params: [to, '0x5f5ffd'] })
    const failing = await devnet.send({ from, to, gas: 50_000n, until: 'accepted' })
    const failed = `${failing.hash.slice(0, 8)}…${failing.hash.slice(-4)} failed`
    await devnet.tick()
    await section('Newest pre-confirmed').getByRole('row', { name: failed }).waitFor()
    await look(page, 'now-failed')
    await devnet.seal()
    await section('Newest sealed').getByRole('row', { name: failed }).waitFor()
    await section('Newest sealed').getByRole('heading', { name: '1 failed' }).waitFor()
    await look(page, 'now')
    // The mark takes no room from the columns: its row is as high as that of another.
    await page.setViewportSize({ width: 1280, height: 900 })
    const rows = section('Newest sealed').locator('tbody tr')
    expect(await rows.count()).toBe(2)
    const [height, other] = [await rows.nth(0).boundingBox(), await rows.nth(1).boundingBox()]
    expect(height!.height).toBe(other!.height)
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
    const line = page.getByRole('slider', { name: /^timeline of/ })
    await line.focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => line.getAttribute('aria-valuetext')).toMatch(/^block 2, sealed, \d transactions/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Block 2' }).waitFor()
    await page.goBack()
    // A block can be pressed where the mouse is a hand.
    const box = (await line.boundingBox())!
    const cursor = () => page.evaluate("getComputedStyle(document.querySelector('canvas')).cursor")
    await page.mouse.move(box.x + 4, box.y + box.height / 3)
    await expect.poll(cursor).toBe('default')
    await page.mouse.move(box.x + box.width - 4, box.y + box.height / 3)
    await expect.poll(cursor).toBe('pointer')

    await page.getByRole('button', { name: 'pause' }).click()
    const { hash } = await devnet.send({ from, to, value: 3n, until: 'accepted' })
    await devnet.mine()
    // The head of the page is not paused.
    const head = page.getByRole('group', { name: 'chain' })
    await head.getByRole('link', { name: String(devnet.latest.header.number), exact: true }).waitFor()
    const short = `${hash.slice(0, 8)}…${hash.slice(-4)}`
    expect(await page.getByRole('main').getByText(short).count()).toBe(0)
    await page.getByRole('button', { name: 'resume' }).click()
    await section('Newest sealed').getByRole('row', { name: short }).waitFor()
  },
)

/** The name of the link to all empty blocks. Digits are grouped by thin spaces. */
const EMPTY = /^10.000 empty blocks$/

story(
  'a reader goes through ten thousand blocks by keys, while new ones come',
  async ({ devnet, open, look }) => {
    const page = await open('/')
    // What was sealed before the page was opened.
    await page.getByRole('region', { name: 'Newest blocks' }).getByRole('link', { name: EMPTY }).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Blocks' }).click()
    const list = page.getByRole('region', { name: 'blocks', exact: true })
    await list.getByRole('link', { name: EMPTY }).waitFor()
    expect(await list.getByRole('table').getAttribute('aria-rowcount')).toBe('3')
    await look(page, 'blocks-joined')
    await list.getByRole('link', { name: EMPTY }).click()
    await page.getByText('blocks 1 to 10000').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'list each empty block' }).click()
    await list.getByRole('link', { name: '10000', exact: true }).waitFor()
    expect(await list.getByRole('table').getAttribute('aria-rowcount')).toBe('10002')
    expect(await list.getByRole('row').count()).toBeLessThan(100)
    await look(page, 'blocks')
    // On a tablet, too, each has its gas and its base fee.
    await page.setViewportSize({ width: 768, height: 900 })
    const last = page.getByRole('table').locator('tbody tr').first().locator('td').last()
    const { x, width } = (await last.boundingBox())!
    expect(x + width).toBeLessThanOrEqual(768)
    await page.setViewportSize({ width: 1400, height: 900 })

    await list.focus()
    await scrollTo(page, 'End', list.getByRole('link', { name: '0', exact: true }))
    const focused = () => page.evaluate('document.activeElement.textContent')
    await list.getByRole('link', { name: '0', exact: true }).focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(focused).toBe('1')
    await page.keyboard.press('Home')
    await expect.poll(focused).toBe('10000')
    // Paper has whole lists, as far as anybody reads them.
    const rows = () => list.getByRole('row').count()
    await page.evaluate('dispatchEvent(new Event("beforeprint"))')
    await expect.poll(rows).toBe(1_001)
    await page.evaluate('dispatchEvent(new Event("afterprint"))')
    await expect.poll(rows).toBeLessThan(100)

    await devnet.mine()
    await list.getByRole('link', { name: '10001', exact: true }).waitFor()
    // New rows come above: the one that has the focus keeps it, and Tab leaves the list.
    expect(await focused()).toBe('10000')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.closest(".virtual") !== null')).toBe(false)
    // What has the focus is scrolled out of the document: the list takes the focus.
    await list.getByRole('link', { name: '10000', exact: true }).focus()
    await list.evaluate((element) => element.scrollTo(0, 100_000))
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('blocks')
    await list.evaluate((element) => element.scrollTo(0, 0))

    await devnet.request({ method: 'preseal_reorg', params: [{ depth: 1, transactions: 'keep' }] })
    const gone = list.getByRole('row', { name: 'reorganised away' })
    await gone.waitFor()
    expect(await gone.getByRole('link').last().getAttribute('href')).toMatch(/^\/block\/0x[0-9a-f]{64}$/)
    // The block under construction is above them, and keeps its row when it is sealed.
    await devnet.tick()
    await list.getByRole('row', { name: /^10002 pre-confirmed/ }).waitFor()
    await devnet.seal()
    await list.getByRole('row', { name: /^10002 \d/ }).waitFor()
    await list.getByRole('link', { name: '9999', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /9.?999/ }).waitFor()
  },
  { before: (devnet) => devnet.mine(10_000), timeoutMs: 180_000 },
)

story(
  'the theme is that of the system or the one that a reader chose, which stays; paper is light',
  async ({ open }) => {
    const page = await open('/')
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await ground()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(ground).not.toBe(light)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(ground).toBe(light)
    await page.getByRole('button', { name: 'theme: system' }).click()
    await page.getByRole('button', { name: 'theme: light' }).click()
    await page.getByRole('button', { name: 'theme: dark' }).waitFor()
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.reload()
    await page.getByRole('button', { name: 'theme: dark' }).waitFor()
    expect(await ground()).toBe(dark)
    await page.emulateMedia({ media: 'print' })
    expect(await ground()).toBe('rgb(255, 255, 255)')
  },
)
