import { expect, testWith } from 'preseal/playwright'
import { defineFixture } from 'preseal/testing'

const opened = defineFixture(
  async (devnet) => {
    const vault = await devnet.deploy('Vault')
    await devnet.write({ ...vault, functionName: 'store', args: [100n] })
    return { vault }
  },
  { devnet: { artifacts: 'solc.json' } },
)
const test = testWith(opened)

test.describe('a payment', () => {
  test('is moved', async ({ devnet, fixture: { vault } }) => {
    const to = devnet.accounts[1].address
    const moved = devnet.write({ ...vault, functionName: 'move', args: [to, 101n], gas: 200_000n })
    await expect(moved).toEmit(vault.abi, 'Moved') // here
  })
})
