import { createDevnet } from 'preseal'
import { expect, test } from 'vitest'

test('a devnet with proofs has the block that the network would have', async () => {
  await using network = await createDevnet({ rhythm: 'manual', autoImpersonate: true })
  const [alice, bob] = network.accounts.map(({ address }) => address)
  const fork = { provider: network, proofs: true }
  await using devnet = await createDevnet({ rhythm: 'manual', autoImpersonate: true, accounts: 0, fork })

  const transaction = { from: alice!, to: bob!, value: '0x1', gas: '0x5208' } as const
  for (const chain of [network, devnet]) {
    await chain.request({ method: 'eth_sendTransaction', params: [transaction] })
    await chain.request({ method: 'evm_setNextBlockTimestamp', params: [4_000_000_000] })
    await chain.mine()
  }
  expect(devnet.latest.hash).toBe(network.latest.hash)
})
