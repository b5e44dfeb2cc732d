import { createDevnet } from 'preseal'
import { expect, test } from 'vitest'

test('a chain goes into files and comes back the same', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  await devnet.advance({ ms: 2_000 })
  const genesis = devnet.genesis() // geth's genesis.json
  const blocks = devnet.export() // RLP, as `geth export` writes it

  await using copy = await createDevnet({ genesis, rhythm: 'manual' })
  // Or createReadStream('chain.rlp'), or all bytes at once. A devnet made these blocks, several in a second.
  await copy.import(blocks, { rules: 'devnet' })
  const newest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
  expect(await copy.request(newest)).toEqual(await devnet.request(newest))
})
