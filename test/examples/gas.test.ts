import { defineFixture } from 'preseal/testing'
import { expect, testWith } from 'preseal/vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { Token } from '../../fixtures/contracts/Token.ts'

const market = defineFixture(
  async (devnet) => {
    devnet.abis.add({ Shop, Token }) // their names in the report
    const shop = await devnet.deploy(Shop, { args: [100n] })
    const token = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
    return { shop, token }
  },
  { devnet: { consoleLogs: false } },
)
const test = testWith(market)

test('buying tea costs what it did', async ({ devnet, shop }) => {
  const bought = devnet.write({ ...shop, functionName: 'buy', args: [1n, 'tea'] })
  await expect(bought).toCostGas()
})

test('the first transfer to somebody is the most expensive', async ({ devnet, token, accounts }) => {
  const [alice, bob] = accounts.map(({ address }) => address)
  await devnet.write({ ...token, functionName: 'mint', args: [alice!, 10n] })
  const transfer = () => devnet.write({ ...token, functionName: 'transfer', args: [bob!, 1n] })
  await expect(transfer()).toCostGas('first')
  await expect(transfer()).toCostGas({ max: 36_000 })
})
