/** The console: JSON-RPC by hand. */
import { expect } from 'vitest'
import { story, tabTo } from '../../support/page/story.ts'

story(
  'a reader finds a method, asks it, reads the answer, and asks once more what was asked before',
  async ({ devnet, open, look }) => {
    const page = await open('/console')
    await tabTo(page, 'find')
    await page.keyboard.type('getBalance')
    await page.getByRole('button', { name: 'eth_getBalance' }).waitFor()
    await tabTo(page, /^eth_getBalance/)
    await page.keyboard.press('Enter')
    await page.getByText('Returns the balance in wei. Parameters:').waitFor()
    // The focus is where the parameters are entered.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toMatch(/^(INPUT|TEXTAREA)$/)
    await page.keyboard.type(JSON.stringify(devnet.accounts[0]!.address))
    await page.keyboard.press('Control+Enter')
    await page.getByRole('region', { name: 'the result' }).getByText('0x21e19e0c9bab2400000').waitFor()
    await look(page, 'console')

    await page.getByRole('textbox', { name: 'method' }).fill('eth_blockNumber')
    await page.getByLabel('parameters, as JSON').fill('')
    await page.getByRole('button', { name: 'send', exact: true }).click()
    await page.getByRole('region', { name: 'the result' }).getByText('"0x0"').waitFor()
    expect(new URL(page.url()).searchParams.get('method')).toBe('eth_blockNumber')
    await page
      .getByRole('button', { name: /^eth_getBalance/ })
      .first()
      .click()
    await expect.poll(() => page.getByRole('textbox', { name: 'method' }).inputValue()).toBe('eth_getBalance')
  },
)

story('an error is shown with its code and its data, and wrong JSON is named', async ({ open, look }) => {
  const page = await open('/console?method=eth_getBalance&params=%22nobody%22')
  await page.getByRole('button', { name: 'send', exact: true }).click()
  await page.getByRole('alert').getByText('error -32602').waitFor()
  await look(page, 'console-error')
  await page.getByLabel('parameters, as JSON').fill('{')
  await page.getByRole('button', { name: 'send', exact: true }).click()
  await page.getByRole('alert').getByText('the parameters are not JSON').waitFor()
})
