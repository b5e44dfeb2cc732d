// NODE_OPTIONS=--experimental-vm-modules npx jest
import { expect, test } from '@jest/globals'
import { defineFixture, matchers } from 'preseal/testing'

expect.extend(matchers)

const opened = defineFixture(async (devnet) => ({ shop: await devnet.deploy('Shop', { args: [3n] }) }), {
  devnet: { consoleLogs: false },
})

test('an assertion that fails says where in Solidity', async () => {
  const { devnet, shop } = await opened.use()
  const sale = () => devnet.write({ ...shop, functionName: 'buy', args: [5n, 'for all'] })
  const frame = /\n {4}at Shop\.buy \(contracts\/Shop\.sol:50:36\)/
  await expect(expect(sale()).not.toRevert()).rejects.toThrow(frame)
  await expect(sale()).rejects.toMatchObject({ stack: expect.stringMatching(frame) })
})
