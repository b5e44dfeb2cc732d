import { createDevnet } from 'preseal'
import { expect, test } from 'vitest'

test('a devnet with proofs has the state root that the network would have', async () => {
  await using network = await createDevnet({ rhythm: 'manual' })
  const [alice, bob] = network.accounts.map(({ address }) => address)
  const fork = { provider: network, proofs: true }
  await using devnet = await createDevnet({ rhythm: 'manual', accounts: 0, autoImpersonate: true, fork })

  for (const chain of [network, devnet]) {
    const transaction = { from: alice!, to: bob!, value: '0x1' } as const
    await chain.request({ method: 'eth_sendTransaction', params: [transaction] })
    await chain.mine()
  }
  const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] } as const
  const theirs = await network.request(latest)
  expect(await devnet.request(latest)).toMatchObject({ number: '0x1', stateRoot: theirs!.stateRoot })
})
