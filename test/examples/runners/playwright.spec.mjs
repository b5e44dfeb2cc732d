// npx playwright test      CHROMIUM=/usr/bin/chromium in the environment takes a browser that is installed already
import { expect, test } from 'preseal/playwright'

const { CHROMIUM } = process.env
test.use({ launchOptions: { args: ['--no-sandbox'], ...(CHROMIUM && { executablePath: CHROMIUM }) } })

/** Runs in the page, which asks as a wallet or viem would there. */
async function ask([url, method, ...params]) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result } = await response.json()
  return result
}

for (const name of ['one', 'another']) {
  test(`${name} page sends a payment and reads the number of its block`, async ({ page, devnet, url }) => {
    const [alice, bob] = devnet.accounts.map(({ address }) => address)
    expect(await page.evaluate(ask, [url, 'eth_blockNumber'])).toBe('0x0')
    const payment = { from: alice, to: bob, value: '0x5' }
    const hash = await page.evaluate(ask, [url, 'eth_sendTransaction', payment])
    await expect(hash).toBeSealed(devnet)
    await expect(hash).toChangeBalance(devnet, bob, 5n)
    expect(await page.evaluate(ask, [url, 'eth_blockNumber'])).toBe('0x1')
  })
}
