/** One transaction: what it called, why it failed, what it changed, step by step, and how its page follows it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Devnet } from '../../../src/index.ts'
import { ROOT } from '../../support/pages.ts'
import { compiled, contractOf } from '../../support/solidity.ts'
import { story } from '../../support/story.ts'

const compilation = compiled({
  'contracts/Shop.sol': readFileSync(join(ROOT, 'fixtures/contracts/Shop.sol'), 'utf8'),
})

/** Deploys a shop with three things, whose sources the devnet knows. */
async function shopOn(devnet: Devnet) {
  devnet.artifacts.add({ input: compilation.input, output: compilation.output })
  const { abi, evm } = contractOf(compilation, 'Shop').output
  const shop = await devnet.deploy({ abi, bytecode: evm!.bytecode! } as never, { args: [3n] } as never)
  return {
    async call(functionName: string, args: readonly unknown[]): Promise<string> {
      const asked = { ...(shop as object), functionName, args, gas: 3_000_000n, until: 'accepted' }
      const { hash } = (await devnet.write(asked as never)) as { hash: string }
      await devnet.mine()
      return hash
    },
  }
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name })

story('a reader sees why a transaction failed, and where in Solidity', async ({ devnet, open, look }) => {
  const shop = await shopOn(devnet)
  const orders = [
    { amount: 1n, note: 'first' },
    { amount: 5n, note: '<script>alert(1)</script>' },
  ]
  const hash = await shop.call('buyAll', [orders])
  const page = await open(`/tx/${hash}`)
  await page.getByText('InsufficientStock(available: 2, wanted: 5)').first().waitFor()
  const trace = page.getByRole('list', { name: 'Solidity stack trace' })
  await trace.getByText('contracts/Shop.sol:50:36').waitFor()
  await trace.getByText('if (amount > stock) revert InsufficientStock(stock, amount);').waitFor()
  await trace.getByText('contracts/Shop.sol:58').waitFor()
  await page.getByText('buyAll((uint256,string)[])').waitFor()
  await page.getByText('<script>alert(1)</script>').first().waitFor()
  await page.getByText('wants 5').waitFor()
  await look(page, 'transaction-failed')
})

story('a reader walks through the calls by keyboard, and zooms', async ({ devnet, open, look }) => {
  const shop = await shopOn(devnet)
  const hash = await shop.call('buyAll', [[{ amount: 1n, note: 'first' }]])
  const page = await open(`/tx/${hash}`)
  await tab(page, 'Calls').click()
  await page.waitForURL('**?tab=calls')
  const tree = page.getByRole('tree', { name: 'calls' })
  const chosen = page.getByRole('region', { name: 'the chosen call' })
  await tree.getByRole('treeitem', { name: 'Shop.buyAll' }).focus()
  await page.keyboard.press('ArrowDown')
  await chosen.getByRole('heading', { name: 'console.log' }).waitFor()
  await page.keyboard.press('ArrowUp')
  await chosen.getByRole('heading', { name: 'Shop.buyAll' }).waitFor()
  await chosen.getByText('Sold').waitFor()
  await page.keyboard.press('ArrowLeft')
  expect(await tree.getByRole('treeitem').count()).toBe(1)
  await page.keyboard.press('ArrowRight')
  expect(await tree.getByRole('treeitem').count()).toBe(2)
  await look(page, 'transaction-calls')
  await tab(page, 'Events').click()
  await page.getByText('buyer').waitFor()
  await look(page, 'transaction-events')
})

story(
  'a reader steps through the sources, and sees what is different afterwards',
  async ({ devnet, open, look }) => {
    const shop = await shopOn(devnet)
    const hash = await shop.call('buy', [2n, 'for me'])
    const page = await open(`/tx/${hash}?tab=source`)
    const steps = page.getByRole('region', { name: 'steps' })
    const line = steps.locator('[aria-current=location]')
    await line.waitFor()
    await steps.getByRole('button', { name: 'first step' }).click()
    await page.waitForURL('**step=0**')
    /** Presses a key until something is seen. */
    const until = async (key: string, seen: () => Promise<boolean>) => {
      for (let i = 0; i < 40 && !(await seen()); i++) {
        const before = page.url()
        await page.keyboard.press(key)
        await page.waitForURL((url) => url.href !== before)
      }
    }
    await until('o', async () => (await line.innerText()).includes('stock -= amount'))
    await until('n', () => steps.getByText('writes').isVisible())
    await steps.getByText('storage so far').waitFor()
    await look(page, 'transaction-source')

    await tab(page, 'State').click()
    const row = page.getByRole('row', { name: 'stock' })
    await row.waitFor()
    expect((await row.getByRole('cell').allInnerTexts()).map((text) => text.trim())).toEqual(['3', '1'])
    await look(page, 'transaction-state')
    await page.goBack()
  },
)

story(
  'the page of a transaction that waits follows it until it is sealed',
  async ({ devnet, open, look }) => {
    const [from, to] = devnet.accounts.map(({ address }) => address) as [`0x${string}`, `0x${string}`]
    const { hash } = await devnet.send({ from, to, value: 5n, until: 'accepted' })
    const page = await open(`/tx/${hash}?tab=timeline`)
    const head = page.getByRole('banner').locator('xpath=..').getByRole('main')
    await head.getByText('waiting', { exact: true }).waitFor()
    await look(page, 'transaction-waiting')
    await devnet.tick()
    await head.getByText('pre-confirmed', { exact: true }).first().waitFor()
    await devnet.seal()
    await head.getByText('sealed', { exact: true }).first().waitFor()
    await page.getByText('slice 1').waitFor()
    await look(page, 'transaction-timeline')
  },
)

story(
  'a transaction that was replaced says by which, and one that nobody sent is not there',
  async ({ devnet, open, look }) => {
    const [from, to] = devnet.accounts.map(({ address }) => address)
    const send = (fee: string) =>
      devnet.request({
        method: 'eth_sendTransaction',
        params: [{ from, to, nonce: '0x0', gas: '0x5208', maxFeePerGas: fee, maxPriorityFeePerGas: '0x1' }],
      } as never) as Promise<string>
    const first = await send('0x77359400')
    const page = await open(`/tx/${first}`)
    await page.getByText('waiting', { exact: true }).waitFor()
    const second = (await devnet.request({
      method: 'eth_sendTransaction',
      params: [
        { from, to, nonce: '0x0', gas: '0x5208', maxFeePerGas: '0xee6b2800', maxPriorityFeePerGas: '0x9' },
      ],
    } as never)) as string
    await devnet.tick()
    await page.getByText('dropped', { exact: true }).waitFor()
    await look(page, 'transaction-dropped')
    await page
      .getByText('replaced by')
      .getByRole('link')
      .or(page.locator(`a[href="/tx/${second}"]`))
      .first()
      .click()
    await page.waitForURL(`**/tx/${second}`)
    const nobody = await open(`/tx/0x${'12'.repeat(32)}`)
    await nobody.getByText('no such transaction was accepted here').waitFor()
  },
)
