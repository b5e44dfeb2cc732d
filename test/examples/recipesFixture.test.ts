import { defineFixture } from 'preseal/testing'
import { expect, testWith } from 'preseal/vitest'

const bank = defineFixture(async (devnet) => {
  const owner = devnet.accounts[0]!.address
  const gold = await devnet.deploy('Token', { args: ['Gold', 'GOLD'] }) // found in out/ or artifacts/
  await devnet.write({ ...gold, functionName: 'mint', args: [owner, 100n] })
  return { gold, owner }
})
const test = testWith(bank) // deploys once, hands each test a fork

test('gold can be given away', async ({ devnet, gold, accounts }) => {
  const bob = accounts[1]!.address
  const gift = devnet.write({ ...gold, functionName: 'transfer', args: [bob, 60n] })
  await expect(gift).toEmit(gold.abi, 'Transfer', { to: bob, value: 60n })
  expect(await devnet.read({ ...gold, functionName: 'balanceOf', args: [bob] })).toBe(60n)
})

test('nobody gives more than 100', async ({ devnet, gold, owner, accounts }) => {
  const gift = devnet.write({ ...gold, functionName: 'transfer', args: [accounts[1]!.address, 101n] })
  await expect(gift).toRevertWith(gold.abi, 'InsufficientBalance', [owner, 100n, 101n])
})

test('what deploy returns can be spread', async ({ devnet, accounts }) => {
  const gold = await devnet.deploy('Token', { args: ['Gold', 'GOLD'] })
  await devnet.write({ ...gold, functionName: 'mint', args: [accounts[1]!.address, 5n] })
  expect(await devnet.read({ ...gold, functionName: 'totalSupply' })).toBe(5n)
})

// Down here, so that what is above stands in docs/fixtures.md as it is.
import { Token } from '../../fixtures/contracts/Token.ts'
import { inProjectOf } from '../support/compilers/artifacts.ts'

inProjectOf({ Token })
