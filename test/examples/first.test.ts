import { createDevnet } from 'preseal'
import { expect, test } from 'vitest'

test('a transfer shows under pending before its block is sealed', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const [alice, bob] = devnet.accounts
  const balance = (block: string) =>
    devnet.request({ method: 'eth_getBalance', params: [bob!.address, block] })

  const before = await balance('latest')
  await devnet.request({
    method: 'eth_sendTransaction',
    params: [{ from: alice!.address, to: bob!.address, value: '0x1' }],
  })
  expect(await balance('pending')).toBe(before)

  await devnet.tick() // pre-confirmed: in a slice, in no block yet
  expect(await balance('pending')).not.toBe(before)
  expect(await balance('latest')).toBe(before)

  await devnet.tick() // sealed
  expect(await balance('latest')).toBe(await balance('pending'))
})
