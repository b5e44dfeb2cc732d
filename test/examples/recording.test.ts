import { createDevnet, replay } from 'preseal'
import { expect, test } from 'vitest'

test('a session is recorded, and played again', async () => {
  await using devnet = await createDevnet()
  const recording = await devnet.record() // or record((text) => stream.write(text))
  const [alice, bob] = devnet.accounts
  await devnet.send({ to: bob!.address, value: 1n })
  await devnet.request({ method: 'eth_getBalance', params: [alice!.address, 'pending'] })
  recording.end()

  const { requests, difference } = await replay(recording.text) // or createReadStream('bug.jsonl')
  expect(requests).toBeGreaterThanOrEqual(2)
  expect(difference).toBeUndefined() // { line, method, params, path, recorded, answered, … }
})
