import { defineFixture } from 'preseal/testing'
import { expect, test, testWith } from 'preseal/vitest'
import { describe } from 'vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'

test('each test has a devnet of its own', async ({ devnet, client, accounts }) => {
  const bob = accounts[1]!.address
  const hash = await client.sendTransaction({ to: bob, value: 5n })
  await devnet.tick()
  await expect(hash).toBePreconfirmed(devnet)
  await expect(hash).toChangeBalance(devnet, bob, 5n)
  await devnet.tick()
  await expect(hash).toBeSealed(devnet)
})

const opened = defineFixture(
  async (devnet) => {
    const { address } = await devnet.deploy(Shop, { args: [3n] }) // three things
    return { shop: address }
  },
  { devnet: { consoleLogs: false } },
)

describe('a shop', () => {
  const test = testWith(opened)
  const { abi } = Shop

  test('sells what it has', async ({ client, shop }) => {
    const bought = client.writeContract({ abi, address: shop, functionName: 'buy', args: [2n, 'for me'] })
    await expect(bought).toEmit(abi, 'Sold', { amount: 2n, note: 'for me' })
  })

  test('says why it does not sell', async ({ client, shop }) => {
    const bought = client.writeContract({ abi, address: shop, functionName: 'buy', args: [5n, 'for all'] })
    await expect(bought).toRevertWith(abi, 'InsufficientStock', [3n, 5n])
  })
})

describe('Base, with its slices', () => {
  const test = testWith({ profile: 'base-flashblocks' })

  test('has ten slices in a block', async ({ devnet, client, accounts }) => {
    const hash = await client.sendTransaction({ to: accounts[1]!.address, value: 5n })
    await devnet.advance({ ms: 200 })
    await expect(hash).toBePreconfirmed(devnet)
    await devnet.advance({ ms: 2_000 })
    await expect(hash).toBeSealed(devnet)
  })
})
