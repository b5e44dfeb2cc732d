import assert from 'node:assert/strict'
import { test } from 'node:test'
import { network } from 'hardhat'

test('a shop, with viem, sells', async () => {
  const { viem, networkHelpers } = await network.create()
  const { shop } = await networkHelpers.loadFixture(async function openShop() {
    return { shop: await viem.deployContract('Shop', [3n]) }
  })
  await shop.write.buy([2n])
  assert.equal(await shop.read.stock(), 1n)
})

test('a shop, on an L2 of the OP Stack', async () => {
  const { viem } = await network.create({ chainType: 'op' })
  const client = await viem.getPublicClient()
  const code = await client.getCode({ address: '0x420000000000000000000000000000000000000F' })
  assert.notEqual(code, undefined)
})
