import { createDevnet } from 'preseal'
import { expect, test } from 'vitest'

test('a chain is written down, and goes on elsewhere', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  await devnet.mine()
  const state = devnet.dump() // pieces of a file, of this moment, made as they are read

  await using copy = await createDevnet({ rhythm: 'manual' })
  await copy.load(state) // or createReadStream('chain.state'), all bytes at once, anvil's state.json
  expect(Buffer.concat([...copy.dump()])).toEqual(Buffer.concat([...devnet.dump()]))
})
