/** A fixture of three contracts, for the tests of what test suites import: a shop, a token, and one that fails in all ways. */
import type { Hex } from 'viem'
import { Reverter } from '../../../fixtures/contracts/Reverter.ts'
import { Shop } from '../../../fixtures/contracts/Shop.ts'
import { Token } from '../../../fixtures/contracts/Token.ts'
import { defineFixture } from '../../../src/testing/index.ts'

/** The shop has 3 things, the first account 1,000 tokens. */
export const stall = defineFixture(
  async (devnet) => {
    const [alice, bob] = devnet.accounts.map(({ address }) => address) as [Hex, Hex]
    const shop = await devnet.deploy(Shop, { args: [3n] })
    const token = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
    const reverter = await devnet.deploy(Reverter)
    const gold = { abi: Token.abi, address: token.address }
    await devnet.write({ ...gold, functionName: 'mint', args: [alice, 1_000n] })
    return { alice, bob, shop: shop.address, token: token.address, reverter: reverter.address }
  },
  { name: 'stall', devnet: { consoleLogs: false } },
)

/** What an assertion says that fails; it is an error if it does not. */
export async function complaint(assertion: PromiseLike<unknown>): Promise<string> {
  try {
    await assertion
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('the assertion holds, and was to fail')
}
