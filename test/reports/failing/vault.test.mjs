import { describe, test } from 'node:test'
import { assertThat, defineFixture, reportOnFailure } from 'preseal/testing'

const opened = defineFixture(
  async (devnet) => {
    const vault = await devnet.deploy('Vault')
    await devnet.write({ ...vault, functionName: 'store', args: [100n] })
    return { vault }
  },
  { devnet: { artifacts: 'solc.json' } },
)

describe('a payment', () => {
  test('is moved', async (t) => {
    const { devnet, vault } = await opened.use()
    await reportOnFailure(t, devnet)
    const to = devnet.accounts[1].address
    const moved = devnet.write({ ...vault, functionName: 'move', args: [to, 101n], gas: 200_000n })
    await assertThat(moved).toEmit(vault.abi, 'Moved') // here
  })

  test('is stored', async (t) => {
    const { devnet, vault } = await opened.use()
    await reportOnFailure(t, devnet)
    await devnet.write({ ...vault, functionName: 'store', args: [1n] })
  })
})
