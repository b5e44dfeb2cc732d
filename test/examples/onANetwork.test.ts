import { createDevnet } from 'preseal'
import { createPublicClient, parseEther } from 'viem'
import { expect, test } from 'vitest'

test('a devnet goes on where a network is', async () => {
  // Here the network is another devnet. A URL is given in the same way: fork: { url: 'https://…' }
  await using network = await createDevnet({ rhythm: 'manual', chainId: 4242 })
  const [alice, bob] = network.accounts.map(({ address }) => address)
  await network.send({ to: bob!, value: parseEther('1') })

  await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider: network } })
  const client = createPublicClient({ transport: devnet.transport(), cacheTime: 0 })
  expect(await client.getChainId()).toBe(4242)
  expect(await client.getBlockNumber()).toBe(1n)
  expect(await client.getBlock({ blockNumber: 1n })).toMatchObject({ number: 1n }) // the network's
  expect(await client.getTransactionCount({ address: alice! })).toBe(1)

  await devnet.send({ to: bob!, value: parseEther('2') }) // block 2, of the devnet alone
  expect(await client.getBlockNumber()).toBe(2n)
  expect(await network.request({ method: 'eth_blockNumber' })).toBe('0x1')
})
