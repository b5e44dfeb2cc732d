import { defineFixture } from 'preseal/testing'
import { expect, testWith } from 'preseal/vitest'
import { Token } from '../../fixtures/contracts/Token.ts' // { abi, bytecode }, as a compiler writes them

const bank = defineFixture(async (devnet) => {
  const owner = devnet.accounts[0]!.address
  const { address } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
  const gold = { address, abi: Token.abi } as const
  await devnet.write({ ...gold, functionName: 'mint', args: [owner, 100n] })
  return { gold, owner }
})
const test = testWith(bank) // deploys once, hands each test a fork

test('gold can be given away', async ({ devnet, gold, accounts }) => {
  const bob = accounts[1]!.address
  const gift = devnet.write({ ...gold, functionName: 'transfer', args: [bob, 60n] })
  await expect(gift).toEmit(Token.abi, 'Transfer', { to: bob, value: 60n })
  expect(await devnet.read({ ...gold, functionName: 'balanceOf', args: [bob] })).toBe(60n)
})

test('nobody gives more than 100', async ({ devnet, gold, owner, accounts }) => {
  const gift = devnet.write({ ...gold, functionName: 'transfer', args: [accounts[1]!.address, 101n] })
  await expect(gift).toRevertWith(Token.abi, 'InsufficientBalance', [owner, 100n, 101n])
})
