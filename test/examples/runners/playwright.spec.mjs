// npx playwright test      CHROMIUM=/usr/bin/chromium in the environment takes a browser that is installed already
import { test as base, expect as withoutMatchers } from '@playwright/test'
import { createDevnet } from 'preseal'
import { matchers } from 'preseal/testing'

const expect = withoutMatchers.extend(matchers)

/** A chain for each worker, on a port of its own. Each test goes back to where it began. */
const test = base.extend({
  chain: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what is needed here
    async ({}, use) => {
      const devnet = await createDevnet({ rhythm: 'instant' })
      const { url } = await devnet.listen({ port: 0 })
      await use({ devnet, url, beginning: devnet.snapshot() })
      await devnet.close()
    },
    { scope: 'worker' },
  ],
  devnet: async ({ chain: { devnet, beginning } }, use) => {
    await devnet.restore(beginning)
    await use(devnet)
  },
  url: ({ chain }, use) => use(chain.url),
})

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
