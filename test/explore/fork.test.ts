/** `explore` on a devnet that was forked from a network: the values of the network are fetched as calls read them. */
import { expect, it } from 'vitest'
import { type Address, fromHex, type Hex } from '../../src/bytes/hex.ts'
import { createDevnet } from '../../src/index.ts'
import { call, explore, oneOf } from '../../src/testing/index.ts'
import { twinDevnets } from '../support/chains/forkedDevnets.ts'
import { contractsOf } from './exploreContracts.ts'

const contract = contractsOf('puzzles')
const address: Address = '0x00000000000000000000000000000000000000cc'

it('finds the same states on a fork as on a chain that has them', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const deployed = await devnet.deploy(contract('BoundedQueue'), { args: [3n] })
  const code: Hex = await devnet.request({ method: 'eth_getCode', params: [deployed.address, 'latest'] })
  const twins = await twinDevnets({}, [
    // The queue holds one item, 2, when the exploration begins.
    {
      address,
      nonce: 1n,
      code: fromHex(code),
      storage: [
        [0n, 1n],
        [FIRST_ITEM, 2n],
      ],
    },
  ])
  const states = []
  for (const each of [twins.here, twins.there]) {
    const queue = { address, abi: deployed.abi }
    const explored = await explore(
      { use: async () => ({ devnet: each, queue }) },
      {
        actions: ({ queue }) => ({
          put: call(queue, 'put', { args: [oneOf(1, 2)] }),
          take: call(queue, 'take'),
        }),
        invariants: { short: (world, { queue }) => (world.read(queue, 'capacity') as bigint) === 3n },
      },
    )
    states.push(explored.states)
  }
  // Items of all lengths up to three: 1 + 2 + 4 + 8.
  expect(states).toEqual([15, 15])
})

/** The slot of the first items of an array in slot 0: keccak256 of 32 zero bytes. */
const FIRST_ITEM = 0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563n
