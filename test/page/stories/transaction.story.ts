/** One transaction: what it called, why it failed, what it changed, step by step, and how its page follows it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { pad, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { Devnet } from '../../../src/index.ts'
import { assemble } from '../../support/compilers/assembly.ts'
import { compiled, contractOf } from '../../support/compilers/solidity.ts'
import { ROOT } from '../../support/docs/pages.ts'
import { story, tabTo } from '../../support/page/story.ts'

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

/** The values in a part of the page, by their names. */
async function valuesIn(part: Locator): Promise<Record<string, string>> {
  const values = await part.locator('.value').all()
  return Object.fromEntries(
    await Promise.all(
      values.map(async (value) => {
        const [name] = (await value.locator('dt').first().innerText()).split(/\s/)
        return [name!, (await value.locator('dd').first().innerText()).trim()]
      }),
    ),
  )
}

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

  await page.getByRole('link', { name: 'step by step' }).click()
  const steps = page.getByRole('region', { name: 'steps' })
  await steps.getByText('variables before the step').waitFor()
  expect(await valuesIn(steps)).toMatchObject({ amount: '5', note: '<script>alert(1)</script>' })
  const failed = page.url()
  await steps.getByRole('button', { name: 'first step' }).click()
  await page.waitForURL('**step=0**')
  await steps.getByRole('button', { name: 'step that made the transaction revert' }).click()
  await page.waitForURL((url) => url.searchParams.get('step') !== '0')
  expect(await valuesIn(steps)).toMatchObject({ amount: '5', note: '<script>alert(1)</script>' })
  expect(failed).not.toContain('step=0')
  await tabTo(page, /Shop\.buyAll/)
  await page.keyboard.press('Enter')
  await steps.getByText('variables before the call').waitFor()
  expect(await valuesIn(steps)).toMatchObject({ i: '1', left: '2' })
  await steps.getByText('Shop.Order[]', { exact: true }).waitFor()
  await look(page, 'transaction-failed-step')
})

story('a reader walks through the calls by keyboard, and zooms', async ({ devnet, open, look, glance }) => {
  const shop = await shopOn(devnet)
  const hash = await shop.call('buyAll', [[{ amount: 1n, note: 'first' }]])
  const page = await open('/')
  await page.keyboard.press('/')
  await page.keyboard.type(hash)
  await page.keyboard.press('Enter')
  await tab(page, 'Calls').waitFor()
  await tabTo(page, 'Overview')
  await page.keyboard.press('ArrowRight')
  await page.waitForURL('**?tab=calls')
  const tree = page.getByRole('tree', { name: 'calls' })
  const chosen = page.getByRole('region', { name: 'the chosen call' })
  await tree.waitFor()
  await tabTo(page, /Shop.buyAll/)
  await page.keyboard.press('ArrowDown')
  await chosen.getByRole('heading', { name: 'console.log' }).waitFor()
  await page.keyboard.press('ArrowUp')
  await chosen.getByRole('heading', { name: 'Shop.buyAll' }).waitFor()
  await chosen.getByText('Sold').waitFor()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => tree.getByRole('treeitem').count()).toBe(1)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => tree.getByRole('treeitem').count()).toBe(2)
  await look(page, 'transaction-calls')
  await tab(page, 'Events').click()
  await page.getByText('buyer').waitFor()
  await look(page, 'transaction-events')
  for (const name of ['Console', 'JSON']) {
    await tab(page, name).click()
    await page.getByRole('tabpanel', { name }).waitFor()
    await glance(page, `transaction-${name}`)
  }
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
    expect(await valuesIn(steps)).toMatchObject({ amount: '2', note: 'for me', stock: '1' })

    const write = new URL(page.url()).searchParams.get('step')
    for (const text of ['stock', 'nothing[msg.sender]']) {
      await steps.getByRole('textbox', { name: 'expression' }).fill(text)
      await page.keyboard.press('Enter')
    }
    await steps.getByText('unknown: not accessed in this run').waitFor()
    await look(page, 'transaction-source')
    await steps.getByRole('button', { name: 'first step' }).click()
    await page.waitForURL('**step=0**')
    const watched = steps.locator('.debugger-watch')
    expect((await valuesIn(watched)).stock).toBe('3')
    await steps.getByRole('button', { name: 'next change of stock' }).click()
    await page.waitForURL(`**step=${write}**`)
    expect((await valuesIn(watched)).stock).toBe('1')
    await steps.getByRole('button', { name: 'remove stock' }).click()

    await tab(page, 'State').click()
    const row = page.getByRole('row', { name: 'stock' })
    await row.waitFor()
    expect((await row.getByRole('cell').allInnerTexts()).map((text) => text.trim())).toEqual(['3', '1'])
    await tabTo(page, 'stock')
    await page
      .locator('.hint-text')
      .getByText(/^slot 0x/)
      .waitFor()
    await look(page, 'transaction-state')
    await page.goBack()
  },
)

/** Goes on after a call that fails, and then sends 3 wei on. */
const SENDER = `0x${'5e'.repeat(20)}` as const
const REVERTER = `0x${'4e'.repeat(20)}` as const
const RECEIVER = `0x${'4c'.repeat(20)}` as const
const SENDS = assemble(
  ...([0, 0, 0, 0, 0, REVERTER, 'GAS', 'CALL', 'POP'] as const),
  ...([0, 0, 0, 0, 3, RECEIVER, 'GAS', 'CALL', 'POP'] as const),
)

story(
  'a reader sees authorizations, the access list, a failed call inside and ether that moved, and the transaction reorganised away',
  async ({ devnet, open, look }) => {
    const setCode = (address: string, code: Uint8Array) =>
      devnet.request({ method: 'anvil_setCode', params: [address, toHex(code)] })
    await setCode(SENDER, SENDS)
    await setCode(REVERTER, assemble(0, 0, 'REVERT'))
    const signer = privateKeyToAccount(`0x${'17'.repeat(32)}`)
    const signed = { chainId: 31337, nonce: 0 }
    const raw = await privateKeyToAccount(devnet.accounts[0]!.privateKey).signTransaction({
      ...{ ...signed, type: 'eip7702', to: SENDER, value: 5n, gas: 500_000n, data: toHex('gm, reader') },
      ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n },
      accessList: [{ address: REVERTER, storageKeys: [pad('0x7')] }],
      authorizationList: [await signer.signAuthorization({ ...signed, contractAddress: SENDER })],
    })
    const hash = (await devnet.request({ method: 'eth_sendRawTransaction', params: [raw] })) as string
    await devnet.mine()
    const page = await open(`/tx/${hash}`)
    const authority = page.locator(`a[href$="/address/${signer.address.toLowerCase()}"]`)
    await authority.waitFor()
    await page.getByText('gm, reader').waitFor()
    await page.getByText(pad('0x7')).waitFor()
    await page.getByRole('list', { name: 'transfers' }).getByText('3 wei').waitFor()
    await look(page, 'transaction-authorization')
    await tab(page, 'Calls').click()
    await page.getByRole('treeitem', { name: '✗' }).click()
    const chosen = page.getByRole('region', { name: 'the chosen call' })
    await chosen.getByText(/^(reverted|failed):/).waitFor()
    const account = await open(`/address/${signer.address}`)
    await account.getByText('delegates to').waitFor()
    await account.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await look(account, 'account-delegated')
    await account.close()
    await devnet.request({ method: 'preseal_reorg', params: [{ depth: 1, transactions: 'wait' }] })
    await tab(page, 'Timeline').click()
    await page.getByText('which another replaced').waitFor()
    await look(page, 'transaction-reorganised')
  },
  { timeoutMs: 120_000 },
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
  async ({ devnet, open, look, glance }) => {
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
    await nobody.getByText('no transaction with this hash was accepted').waitFor()
    await glance(nobody, 'transaction-nothing')
  },
)

story(
  'the largest amounts fit a phone, and a creation of unknown code that fails says what it did not do',
  async ({ devnet, open, look, glance }) => {
    const [from, to] = devnet.accounts.map(({ address }) => address)
    const send = async (fields: Record<string, string>) => {
      const params = [{ from: from!, gas: '0xf4240', ...fields }]
      const hash = (await devnet.request({ method: 'eth_sendTransaction', params } as never)) as string
      await devnet.mine()
      return hash
    }
    const most = toHex(2n ** 256n - 1n)
    await devnet.request({ method: 'anvil_setBalance', params: [from!, most] } as never)
    const largest = await send({ to: to!, value: toHex(2n ** 255n) })
    const page = await open(`/tx/${largest}?tab=state`)
    await page.getByText('fee recipient').waitFor()
    await look(page, 'transaction-largest')
    await tab(page, 'Overview').click()
    await page.getByText('empty').waitFor()
    await look(page, 'transaction-largest-overview')

    const failed = await send({ data: toHex(assemble(0, 0, 'REVERT')) })
    const creation = await open(`/tx/${failed}`)
    await creation.getByText('no contract was created at').waitFor()
    await tab(creation, 'Source').click()
    await creation.getByText('no artifacts are known').waitFor()
    await glance(creation, 'transaction-unknown-source')
  },
)
