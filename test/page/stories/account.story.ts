/** Contracts and accounts: what they have, what their functions return, and what is sent to them. */
import { expect } from 'vitest'
import market from '../../../fixtures/market.ts'
import { compileWithPackages, openZeppelinInput } from '../../support/compilers/openZeppelin.ts'
import { story, tabTo } from '../../support/page/story.ts'

story(
  'a reader finds a contract by its name, among all and by the search of the frame',
  async ({ devnet, open, look }) => {
    const { pool, gold } = await market(devnet)
    const safe = `0x${'5a'.repeat(20)}`
    await devnet.request({ method: 'anvil_impersonateAccount', params: [safe] })
    const page = await open('/contracts')
    await page.getByRole('table', { name: 'accounts', exact: true }).getByText('ETH').first().waitFor()
    const impersonated = page.getByRole('table', { name: 'impersonated accounts' })
    await impersonated.getByRole('row', { name: '0 0x5a5a5a' }).waitFor()
    await page.getByRole('table', { name: 'contracts' }).getByText('Token').first().waitFor()
    expect(await page.getByRole('columnheader', { name: 'proxy' }).count()).toBe(0)
    await look(page, 'contracts')
    // On a phone a row of an account has its balance in a second line.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('columnheader', { name: 'address, balance' }).first().waitFor()
    await page.setViewportSize({ width: 1400, height: 900 })
    await page.getByLabel('name or address').fill('poo')
    await page.getByText('1 of 8').waitFor()
    await page.getByLabel('name or address').fill('nobody')
    await page.getByText('0 of 8').waitFor()
    await page.getByLabel('name or address').fill('')
    await page.keyboard.press('Escape')
    const search = page.getByRole('textbox', { name: /^search/ })
    await search.fill('pool')
    await search.press('Enter')
    await page.waitForURL(`**/address/${pool.toLowerCase()}`)
    await search.fill('token')
    await search.press('Enter')
    await page.waitForURL('**/contracts?name=token')
    await page.getByText('2 of 8').waitFor()
    const shown = gold.toLowerCase()
    await page.getByRole('link', { name: `${shown.slice(0, 8)}…${shown.slice(-4)}` }).click()
    await page.waitForURL(`**/address/${gold.toLowerCase()}`)
    await search.fill('impersonated 0')
    await search.press('Enter')
    await page.waitForURL(`**/address/${safe}`)
    await page.getByRole('heading', { level: 1, name: 'Impersonated account' }).waitFor()
  },
)

story('a reader reads a token, and sees at once what a block changes', async ({ devnet, open, look }) => {
  const { gold, owner, trader } = await market(devnet)
  const page = await open(`/address/${gold}`)
  await page.getByRole('tab', { name: /Read/ }).waitFor()
  await page.getByRole('tabpanel').getByText('Gold', { exact: true }).first().waitFor()
  await look(page, 'account-read')
  await page.getByText('balanceOf(address').click()
  await page.getByRole('button', { name: 'read' }).click()
  await page.getByText('expected an address').waitFor()
  await page.getByRole('combobox', { name: /address/ }).fill('account 1')
  await page.getByRole('button', { name: 'read' }).click()
  await page.getByText('90 000 000 000 000 000 000').waitFor()
  expect(trader).toBeDefined()
  await devnet.request({
    method: 'eth_sendTransaction',
    params: [
      {
        from: owner,
        to: gold,
        data: `0x40c10f19${trader.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}`,
      },
    ],
  })
  await devnet.tick()
  await page.getByText('90 000 000 000 000 000 001').waitFor()
})

story(
  'a reader sends a transaction by a form with keys alone, and follows it to its seal',
  async ({ devnet, open, look }) => {
    const { gold } = await market(devnet)
    const page = await open(`/address/${gold}?tab=write`)
    const form = page.locator('details', { hasText: /^transfer\(/ })
    await form.waitFor()
    await tabTo(page, /^transfer\(/)
    await page.keyboard.press('Enter')
    await tabTo(page, 'send')
    await page.keyboard.press('Enter')
    await form.getByText('expected an address').waitFor()
    await form.getByText('selector 0xa9059cbb').waitFor()
    // The focus goes to the first field that is wrong.
    await expect.poll(() => page.evaluate('document.activeElement.labels[0].textContent')).toBe('to address')
    await page.keyboard.type('account 2')
    await tabTo(page, /uint256$/)
    await page.keyboard.type('1 000 000 ether')
    await form.getByText('InsufficientBalance').waitFor()
    await look(page, 'account-write-refused')
    await form.getByRole('button', { name: 'simulate' }).click()
    await form.getByText('InsufficientBalance').waitFor()
    await form.getByLabel(/uint256/).fill('1.5 ether')
    await form.getByText(/about/).waitFor()
    // What was said of another amount is gone.
    await expect.poll(() => form.getByText('InsufficientBalance').count()).toBe(0)
    await form.getByLabel(/uint256/).focus()
    await tabTo(page, 'simulate')
    await page.keyboard.press('Space')
    await form.getByText('It would succeed and return:').waitFor()
    await tabTo(page, 'send')
    await page.keyboard.press('Enter')
    await form.getByRole('status').getByText('waiting').first().waitFor()
    await devnet.tick()
    await form.getByRole('status').getByText('pre-confirmed', { exact: true }).waitFor()
    await devnet.mine()
    await form.getByRole('status').getByText('sealed', { exact: true }).waitFor()
    await look(page, 'account-write')
  },
  { timeoutMs: 120_000 },
)

story(
  'a reader connects the wallet of the browser, which changes to this chain and sends',
  async ({ devnet, open, look }) => {
    const { gold, rival } = await market(devnet)
    const page = await open('/console')
    await page.context().addInitScript(wallet, rival.toLowerCase())
    await page.goto(new URL(`/address/${gold}?tab=write`, page.url()).href)
    const form = page.locator('details', { hasText: /^approve\(/ })
    await form.getByText('approve(').first().click()
    await form.getByRole('button', { name: 'connect <b>Purse</b>' }).click()
    const accounts = form.getByRole('combobox', { name: 'from' }).getByRole('option')
    await accounts.filter({ hasText: '<b>Purse' }).waitFor({ state: 'attached' })
    await form.getByLabel(/address/).fill('account 0')
    await form.getByLabel(/uint256/).fill('0x10')
    await form.getByText(/about/).waitFor()
    await look(page, 'account-wallet')
    await page.evaluate('globalThis.refusesToSend = true')
    await form.getByRole('button', { name: 'send', exact: true }).click()
    await form.getByText('Not sent').waitFor()
    await form.getByText('User rejected the request').waitFor()
    expect(await form.getByLabel(/uint256/).inputValue()).toBe('0x10')
    await page.evaluate('globalThis.refusesToSend = false')
    await form.getByRole('button', { name: 'send', exact: true }).click()
    await form.getByRole('status').getByText('waiting').first().waitFor()
    await devnet.mine()
    await form.getByRole('status').getByText('sealed', { exact: true }).waitFor()
    const { transactions } = (await devnet.request({
      method: 'eth_getBlockByNumber',
      params: ['latest', true],
    })) as unknown as { transactions: { from: string }[] }
    expect(transactions.map(({ from }) => from)).toEqual([rival.toLowerCase()])
  },
)

/** A wallet as EIP-6963 has it, in the browser: it is on another chain at first, and asks the node of this one for what it does not know. */
function wallet(account: string): void {
  let chainId = '0x1'
  let isKnown = false
  async function request({ method, params }: { method: string; params?: { chainId: string }[] }) {
    if (method === 'eth_requestAccounts') return [account]
    if (method === 'eth_chainId') return chainId
    if (method === 'wallet_addEthereumChain') isKnown = true
    if (method === 'wallet_switchEthereumChain') {
      if (!isKnown) throw { code: 4902, message: 'Unrecognized chain ID' }
      chainId = params![0]!.chainId
    }
    if (method.startsWith('wallet_')) return null
    if ((globalThis as { refusesToSend?: boolean }).refusesToSend) {
      throw { code: 4001, message: 'User rejected the request.' }
    }
    const answer = await fetch('/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await answer.json()) as { result?: unknown; error?: unknown }
    if (error) throw { code: -32603, message: 'refused', data: { originalError: error } }
    return result
  }
  const page = globalThis as unknown as EventTarget
  page.addEventListener('eip6963:requestProvider', () => {
    const info = { uuid: '1', name: '<b>Purse</b>', icon: 'data:,', rdns: 'org.example' }
    const detail = { info, provider: { request } }
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  })
}

story(
  'a reader looks at the code and the transactions of a contract, and calls it with any calldata',
  async ({ devnet, open, look }) => {
    const { pool } = await market(devnet)
    const page = await open(`/address/${pool}?tab=code`)
    await page.getByText('PUSH1').first().waitFor()
    await page.getByText(/items/).click()
    await look(page, 'account-code')
    await page.getByRole('tab', { name: 'Transactions' }).click()
    await page.getByText('swap').first().waitFor()
    await look(page, 'account-transactions')
    await page.getByRole('tab', { name: 'Raw call' }).click()
    await page.getByLabel(/calldata/).fill('0x12345678')
    await page.getByText('It would fail').waitFor()
    await page.getByLabel(/calldata/).fill('0xd21220a7')
    await page.getByText(/about/).waitFor()
    await page.getByRole('button', { name: 'read' }).click()
    await page.getByText('at pending', { exact: true }).waitFor()
    await look(page, 'account-raw')
  },
  { timeoutMs: 120_000 },
)

story(
  'a reader looks at the tokens of an account, and sends ether from it',
  async ({ devnet, open, look }) => {
    const { gold, trader } = await market(devnet)
    const page = await open(`/address/${trader}?tab=tokens`)
    await page.getByText('90 GOLD').waitFor()
    await look(page, 'account-tokens')
    await page.getByRole('tab', { name: 'Send ether' }).click()
    await page.getByLabel(/to address/).fill(gold)
    await page.getByLabel(/amount/).fill('1 gwei')
    await page.getByText('It would fail').waitFor()
    await page.getByLabel(/to address/).fill('account 0')
    await page.getByText(/about 21/).waitFor()
    await page.getByRole('button', { name: 'send ether' }).click()
    await page.getByRole('status').getByText('waiting').first().waitFor()
    await devnet.mine()
    await page.getByRole('status').getByText('sealed', { exact: true }).waitFor()
    await look(page, 'account-send-ether')
  },
  { timeoutMs: 120_000 },
)

story(
  'a reader sees what became of tokens with ids (ERC-1155): what a transaction moved, and who has how much of which',
  async ({ devnet, open, look }) => {
    const [owner, player] = devnet.accounts.map(({ address }) => address) as [`0x${string}`, `0x${string}`]
    const game = await devnet.deploy(game1155(), { args: [owner] })
    const one = await devnet.write({
      ...game,
      functionName: 'safeTransferFrom',
      args: [owner, player, 7n, 3n, '0x'],
    })
    const ids = [1n, 7n, 2n ** 255n]
    const args = [owner, player, ids, [250n, 2n, 1n], '0x']
    const many = await devnet.write({ ...game, functionName: 'safeBatchTransferFrom', args })
    await devnet.mine()
    const page = await open(`/tx/${one.hash}`)
    const transfers = page.getByRole('list', { name: 'transfers' })
    await transfers.getByText('3 × number 7').waitFor()
    await transfers.getByText('ITEM').waitFor()
    await page.goto(page.url().replace(one.hash, many.hash))
    await transfers.getByText('250 × number 1').waitFor()
    await transfers.getByText('2 × number 7').waitFor()
    await look(page, 'transaction-multi-tokens')
    const tokens = await open(`/address/${player}?tab=tokens`)
    const row = tokens.getByRole('row', { name: 'Items number 7' })
    await row.getByText('5 ITEM').waitFor()
    const back = { functionName: 'safeTransferFrom', args: [player, owner, 7n, 1n, '0x'] }
    await tabTo(tokens, /^578960…/)
    await tokens
      .locator('.hint-text')
      .getByText(String(2n ** 255n))
      .waitFor()
    await look(tokens, 'account-multi-tokens')
    await devnet.write({ ...game, ...back, from: player })
    await devnet.tick()
    await row.getByText('4 ITEM').waitFor()
  },
  { timeoutMs: 120_000 },
)

/** A contract of many tokens by OpenZeppelin, with a name and a symbol as most have. */
function game1155() {
  const content = `
    // SPDX-License-Identifier: MIT
    pragma solidity ^0.8.20;
    import "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
    contract Items is ERC1155 {
      string public name = "Items";
      string public symbol = "ITEM";
      constructor(address owner) ERC1155("") {
        _mint(owner, 1, 1000, "");
        _mint(owner, 7, 10, "");
        _mint(owner, 1 << 255, 1, "");
      }
    }`
  const output = compileWithPackages({
    ...openZeppelinInput(() => false),
    sources: { 'Items.sol': { content } },
  })
  const { abi, evm } = output.contracts['Items.sol'].Items
  return { abi, bytecode: `0x${evm.bytecode.object}` as const }
}

story(
  'a reader looks at an account at an earlier block, and is told of a moment that is none',
  async ({ devnet, open, look }) => {
    const { gold } = await market(devnet)
    const page = await open(`/address/${gold}?at=0`)
    await page.getByText('none', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'state at' }).selectOption('latest')
    await page.getByRole('tab', { name: /Read/ }).waitFor()
    await page.getByRole('combobox', { name: 'state at' }).selectOption('number')
    await page.getByRole('textbox', { name: 'block number' }).fill('2')
    await page.getByRole('textbox', { name: 'block number' }).press('Enter')
    await page.waitForURL('**?at=2')
    await page.getByRole('combobox', { name: 'slice of the block' }).waitFor()
    await look(page, 'account-moment')
    const wrong = await open(`/address/${gold}?at=never`)
    await wrong.getByText('is not valid').waitFor()
    const later = await open(`/address/${gold}?at=99`)
    await later.getByRole('alert').first().waitFor()
    await look(later, 'account-no-moment')
  },
  { timeoutMs: 120_000 },
)

story(
  'a page that is read-only reads contracts, and has no form that sends',
  async ({ devnet, open, glance }) => {
    const { gold } = await market(devnet)
    const { url } = await devnet.listen({ page: 'read-only' })
    const page = await open('/console')
    await page.goto(new URL(`/address/${gold}?tab=write`, url).href)
    await page.getByRole('tabpanel').getByText('Gold', { exact: true }).first().waitFor()
    const tabs = await page.getByRole('tab').allTextContents()
    expect(tabs.filter((name) => /Write|Send/.test(name))).toEqual([])
    await page.getByRole('tab', { name: 'Raw call' }).click()
    await page.getByRole('button', { name: 'read' }).waitFor()
    expect(await page.getByRole('button', { name: 'send' }).count()).toBe(0)
    await glance(page, 'read-only-call')
    expect(await page.getByRole('link', { name: 'Controls' }).count()).toBe(0)
    await page.goto(new URL('/controls', url).href)
    await page.getByText('this page is read-only').waitFor()
    await glance(page, 'read-only-controls')
  },
  { allowedErrors: /^request: http:\/\/127\.0\.0\.1/ },
)
