import { createDevnet, optionsOfState } from 'preseal'
import { expect, test } from 'vitest'

test('a state file of a fork needs no network', async () => {
  await using network = await createDevnet({ rhythm: 'manual', chainId: 4242 })
  const [alice, bob] = network.accounts.map(({ address }) => address)
  await network.send({ to: bob!, value: 1n })
  await using fork = await createDevnet({ rhythm: 'manual', fork: { provider: network } })
  await fork.send({ to: bob!, value: 2n })
  const file = Buffer.concat([...fork.dump()])

  await using devnet = await createDevnet({ rhythm: 'manual', ...(await optionsOfState(file)) })
  await devnet.load(file)
  expect(await devnet.request({ method: 'eth_getTransactionCount', params: [alice!, 'latest'] })).toBe('0x2')
})
