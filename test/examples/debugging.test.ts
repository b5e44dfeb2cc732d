/** The first example of docs/debugging.md: `Shop` is a contract of the project that Foundry has compiled. */
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { inProjectOf } from '../support/compilers/artifacts.ts'

// From here on as the page has it.

import { expect, test } from 'preseal/vitest'

test('a shop says what it does, and why it does not', async ({ devnet, accounts }) => {
  const said: string[] = []
  devnet.on('console', ({ name, text }) => said.push(`${name}: ${text}`))

  const shop = await devnet.deploy('Shop', { args: [3n] }) // found in out/ or artifacts/
  expect(said).toEqual(['Shop: opened with 3'])

  const sale = devnet.write({ ...shop, functionName: 'buy', args: [5n, 'for a friend'] })
  await expect(sale).toRevertWith(shop.abi, 'InsufficientStock', [3n, 5n])
  expect(said[1]).toBe(`Shop: ${accounts[0]!.address.toLowerCase()} wants 5`)
})

inProjectOf({ Shop })
