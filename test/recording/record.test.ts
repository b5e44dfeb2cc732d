import { expect, it } from 'vitest'
import { createDevnet, replay } from '../../src/index.ts'
import { recordingOfNow } from '../../src/recording/record.ts'

it('a recording that begins and ends now has the blocks, the open block and the waiting transactions of the chain', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', profile: 'base-flashblocks' })
  const to = devnet.accounts[1]!.address
  await devnet.send({ to, value: 1n })
  await devnet.send({ to, value: 2n, until: 'preconfirmed' })
  const { hash } = await devnet.send({ to, value: 3n, until: 'accepted' })
  const ask = (of: Pick<typeof devnet, 'request'>) =>
    Promise.all([
      of.request({ method: 'eth_getBlockByNumber', params: ['latest', true] }),
      of.request({ method: 'eth_getBlockByNumber', params: ['pending', true] }),
      of.request({ method: 'eth_getTransactionByHash', params: [hash] }),
    ])
  let seen: unknown
  const text = await recordingOfNow(devnet)
  const { ending, requests } = await replay(text, {
    look: async (played) => {
      seen = await ask(played)
    },
  })
  expect({ ending, requests }).toEqual({ ending: 'end', requests: 0 })
  expect(seen).toEqual(await ask(devnet))
})

it('a devnet that is recorded by another recording can be exported, too', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const recording = await devnet.record()
  await devnet.mine()
  const { ending } = await replay(await recordingOfNow(devnet))
  expect(ending).toBe('end')
  recording.end()
})

it('a recording begins at once: it has a request that is sent before it resolves', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const starting = devnet.record()
  await devnet.request({ method: 'evm_mine' })
  const { textToNow } = await starting
  const { requests, ending } = await replay(textToNow)
  expect({ requests, ending }).toEqual({ requests: 1, ending: 'end' })
})
