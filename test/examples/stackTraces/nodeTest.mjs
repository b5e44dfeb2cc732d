import { test } from 'node:test'
import { assertThat, defineFixture } from 'preseal/testing'

const opened = defineFixture(async (devnet) => ({ shop: await devnet.deploy('Shop', { args: [3n] }) }), {
  devnet: { consoleLogs: false },
})

test('friends buy tea', async () => {
  const { devnet, shop } = await opened.use()
  const sale = devnet.write({ ...shop, functionName: 'buy', args: [5n, 'for all'] })
  await assertThat(sale).not.toRevert()
})
