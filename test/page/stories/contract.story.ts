/** A contract whose sources are known: variables of its storage, its files, where it failed; a proxy in front of it. */
import { expect } from 'vitest'
import type { Devnet } from '../../../src/index.ts'
import { placed } from '../../support/compilers/debugged.ts'
import { compiled } from '../../support/compilers/solidity.ts'
import { story } from '../../support/page/story.ts'

const STORE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import "./Owned.sol";

contract Store is Owned {
  struct Item { address maker; uint256 price; string[] notes; }
  error SoldOut(Item item, uint256 wanted);
  mapping(address => uint256) public paid;
  Item[] public items;
  string public motto = "nothing lasts";
  bool public isOpen;

  function add(Item[] calldata more, bool open) external {
    for (uint256 i = 0; i < more.length; i++) items.push(more[i]);
    isOpen = open;
  }

  function buy(uint256 index) external payable {
    paid[msg.sender] += msg.value;
    check(index, msg.value);
  }

  function check(uint256 index, uint256 wanted) internal view {
    if (wanted > items[index].price) revert SoldOut(items[index], wanted);
  }

  function all() external view returns (Item[] memory) { return items; }
}

contract Proxy {
  constructor(address implementation) {
    assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, implementation) }
  }
  fallback() external payable {
    assembly {
      calldatacopy(0, 0, calldatasize())
      let done := delegatecall(gas(), sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc), 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      if iszero(done) { revert(0, returndatasize()) }
      return(0, returndatasize())
    }
  }
}
`
const OWNED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Owned { address public owner = msg.sender; }
`
const run = compiled({ 'src/Store.sol': STORE, 'src/Owned.sol': OWNED })

async function stored(devnet: Devnet) {
  const { input, output } = run
  devnet.artifacts.add({ input, output })
  const store = placed(devnet, run, 'Store')
  await devnet.mine()
  const { address } = await store
  const proxy = placed(devnet, run, 'Proxy', [address])
  await devnet.mine()
  return { store: address, proxy: (await proxy).address, abi: (await store).abi }
}

story(
  'a reader enters a list of structs, as fields and as JSON, and is told where in the source a call failed',
  async ({ devnet, open, look }) => {
    const { store } = await stored(devnet)
    const page = await open(`/address/${store}?tab=write`)
    const add = page.locator('details', { hasText: /^add\(/ })
    await add.getByText('add(').first().click()
    await add.getByRole('button', { name: 'add an item' }).press('Enter')
    // The focus goes to the new item: its button first, which changes to JSON and keeps it.
    const focused = () => page.evaluate('document.activeElement.textContent')
    await expect.poll(focused).toBe('as JSON')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('as fields')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('as JSON')
    await add.getByRole('combobox', { name: 'maker address' }).fill('account 1')
    await add.getByRole('textbox', { name: 'price uint256' }).fill('2 gwei')
    await add.getByRole('button', { name: 'add an item' }).first().press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toMatch(/^(INPUT|TEXTAREA)$/)
    await page.keyboard.type('as "new"')
    expect(await add.getByRole('textbox', { name: 'notes[0] string' }).inputValue()).toBe('as "new"')
    await add.getByRole('combobox', { name: 'open bool' }).selectOption('true')
    await add.getByText(/about/).waitFor()
    await look(page, 'contract-struct')
    await add.getByRole('button', { name: 'as JSON' }).first().click()
    await add.getByRole('textbox', { name: /^more/ }).waitFor()
    await look(page, 'contract-json')
    await add.getByRole('button', { name: 'send' }).click()
    await add.getByText('waiting').first().waitFor()
    await devnet.mine()
    await add.getByText('sealed', { exact: true }).waitFor()
    const buy = page.locator('details', { hasText: /^buy\(/ })
    await buy.getByText('buy(').first().click()
    await buy.getByRole('textbox', { name: /^index/ }).fill('0')
    await buy.getByRole('textbox', { name: /^value/ }).fill('1 ether')
    await buy.getByText('SoldOut').first().waitFor()
    await buy.getByText(/src\/Store.sol:25/).waitFor()
    await look(page, 'contract-failure')
    await buy.getByText('copy as').click()
    await buy.getByRole('button', { name: 'copy as cast' }).waitFor()
    await buy.getByLabel('gas limit').fill('200000')
    await buy.getByRole('button', { name: 'send all the same' }).click()
    await buy.getByText('waiting').first().waitFor()
    await devnet.mine()
    await buy.getByText('failed', { exact: true }).waitFor()
    const { transactions } = (await devnet.request({
      method: 'eth_getBlockByNumber',
      params: ['latest', true],
    })) as { transactions: readonly { gas: string; to: string }[] }
    expect(transactions).toMatchObject([{ to: store.toLowerCase(), gas: '0x30d40' }])
    await page.getByRole('tab', { name: /^Read/ }).click()
    await page.getByText('1 of string').click()
    await page.getByText('as "new"').waitFor()
  },
  { timeoutMs: 180_000 },
)

story(
  'a reader sees sources, variables of the storage and their history, behind a proxy too',
  async ({ devnet, open, look }) => {
    const { store, proxy, abi } = await stored(devnet)
    const page = await open(`/address/${store}?tab=sources`)
    await page.getByText('contract Store is Owned').waitFor()
    await look(page, 'contract-sources')
    await page.getByRole('combobox', { name: 'file' }).selectOption('src/Owned.sol')
    await page.getByText('contract Owned').waitFor()
    await page.getByRole('tab', { name: 'Storage' }).click()
    await page.getByText('motto').waitFor()
    await page.getByText('nothing lasts').waitFor()
    const form = page.getByRole('region', { name: 'a variable by name' })
    const lookUp = async (name: string) => {
      await form.getByRole('textbox').fill(name)
      await form.getByRole('button', { name: 'look up' }).click()
    }
    await lookUp('paid[account 1]')
    await form.getByRole('cell', { name: '0', exact: true }).waitFor()
    await lookUp('items[0]')
    await form.getByText('with an index less than 0').waitFor()
    const items = [[{ maker: store, price: 5n, notes: ['as new'] }], true]
    await devnet.write({ abi, address: store, functionName: 'add', args: items, until: 'accepted' } as never)
    await devnet.tick()
    await form.getByText('items[0].price').waitFor()
    await look(page, 'contract-storage')
    await lookUp('items[0].notes[0]')
    await form.getByText('as new').waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    const changes = page.getByRole('list', { name: 'changes of the account' })
    await changes.getByText('code').first().waitFor()
    await changes.locator('.value', { hasText: 'owner' }).getByRole('link').waitFor()
    await look(page, 'contract-history')
    await page.goto(new URL(`/address/${proxy}`, page.url()).href)
    await page.getByText('proxy (EIP-1967)').waitFor()
    await page.getByRole('tab', { name: /^Read/ }).waitFor()
    await page.getByText('constructor arguments').click()
    await page.getByText('implementation', { exact: true }).waitFor()
    await look(page, 'contract-proxy')
    await page.locator('.field', { hasText: 'created by' }).locator('a[href*="/tx/"]').click()
    await page.getByRole('heading', { name: 'Creation' }).waitFor()
    await page.getByText('implementation', { exact: true }).waitFor()
    await look(page, 'transaction-creation')
  },
  { timeoutMs: 180_000 },
)
