/** Back and forward: a place is found as it was left. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { story } from '../../support/page/story.ts'

const scrolled = (page: Page) => page.evaluate<number>('scrollY')
/** How far the list of the view is scrolled. */
const listScrolled = (page: Page) => page.evaluate<number>("document.querySelector('.virtual').scrollTop")
/** What the focus is on. */
const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')

story('back finds a list where it was, and the link that was followed', async ({ devnet, open }) => {
  await devnet.mine(300)
  const page = await open('/blocks?from=0')
  const list = page.getByRole('region', { name: 'blocks' })
  await list.getByRole('link', { name: '300', exact: true }).waitFor()
  await page.evaluate("document.querySelector('.virtual').scrollTop = 4_000")
  await list.getByRole('link', { name: '170', exact: true }).focus()
  const before = await listScrolled(page)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Block 170' }).waitFor()
  await expect.poll(() => scrolled(page)).toBe(0)
  await expect
    .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
    .toBe('block 170')

  await page.goBack()
  await list.getByRole('link', { name: '170', exact: true }).waitFor()
  await expect.poll(() => focused(page)).toBe('170')
  await expect.poll(() => listScrolled(page)).toBe(before)

  // Blocks that came meanwhile stand above what was read.
  await page.goForward()
  await page.getByRole('heading', { level: 1, name: 'Block 170' }).waitFor()
  await devnet.mine(10)
  await page.goBack()
  await expect.poll(() => focused(page)).toBe('170')
  await expect.poll(() => listScrolled(page)).toBe(before + 320)

  // Also when the page is loaded again.
  await page.goForward()
  await page.getByRole('heading', { level: 1, name: 'Block 170' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Block 170' }).waitFor()
  await page.goBack()
  await expect.poll(() => listScrolled(page)).toBe(before + 320)
})

story('back scrolls to where the reader was, also where the data comes later', async ({ devnet, open }) => {
  const from = devnet.accounts[0]!.address
  for (let i = 0; i < 60; i++)
    await devnet.send({ to: devnet.accounts[1]!.address, value: 1n, until: 'accepted' })
  await devnet.mine()
  for (let i = 0; i < 5; i++) {
    await devnet.send({ to: devnet.accounts[1]!.address, value: 1n, until: 'accepted' })
    await devnet.mine()
  }
  const page = await open(`/address/${from}?tab=transactions`)
  await page.setViewportSize({ width: 1400, height: 500 })
  await page.getByRole('table').waitFor()
  const links = page.locator('main table a[href^="/tx/"]')
  await expect.poll(() => links.count()).toBeGreaterThan(5)
  const href = (await links.nth(5).getAttribute('href'))!
  await page.mouse.wheel(0, 260)
  await expect.poll(() => scrolled(page)).toBeGreaterThan(200)
  await links.nth(5).focus()
  const before = await scrolled(page)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${href}`)
  expect(await scrolled(page)).toBe(0)
  await page.goBack()
  await expect.poll(() => scrolled(page)).toBe(before)
  await expect.poll(() => page.evaluate('document.activeElement.getAttribute("href")')).toBe(href)

  // Who goes on by links of the frame begins at the top.
  await page.getByRole('link', { name: 'Console' }).click()
  await page.getByRole('heading', { level: 1, name: 'Console' }).waitFor()
  expect(await scrolled(page)).toBe(0)
})

story('back finds what was entered in the console, and forward goes on', async ({ open }) => {
  const page = await open('/console')
  await page.getByRole('textbox', { name: 'method' }).fill('eth_getCode')
  await page.getByLabel('parameters, as JSON').fill('"0x12"')
  await page.getByRole('link', { name: 'Logs' }).click()
  await page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Console' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'method' }).inputValue()).toBe('eth_getCode')
  expect(await page.getByLabel('parameters, as JSON').inputValue()).toBe('"0x12"')
  await page.goForward()
  await page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor()
})
