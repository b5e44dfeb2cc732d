import { defineFixture } from 'preseal/testing'
import { expect, testWith } from 'preseal/vitest'

const opened = defineFixture(async (devnet) => ({ shop: await devnet.deploy('Shop', { args: [3n] }) }), {
  devnet: { consoleLogs: false },
})
const test = testWith(opened)

test('friends buy tea', async ({ devnet, shop }) => {
  const orders = [
    { amount: 2n, note: 'for me' },
    { amount: 2n, note: 'for a friend' },
  ]
  const sale = devnet.write({ ...shop, functionName: 'buyAll', args: [orders] })
  await expect(sale).toEmit(shop.abi, 'Sold')
})
