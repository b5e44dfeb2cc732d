import { createDevnet, type Snapshot } from 'preseal'
import { expect } from 'preseal/vitest'
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest'

describe('tests that share one devnet, for instance because an app knows its port', async () => {
  const devnet = await createDevnet({ rhythm: 'instant' })
  const { url } = await devnet.listen({ port: 0 })
  let beginning: Snapshot

  beforeAll(async () => {
    await devnet.mine() // what all of them need
  })
  beforeEach(() => {
    beginning = devnet.snapshot()
  })
  afterEach(() => devnet.restore(beginning))
  afterAll(() => devnet.close())

  test.each(['one', 'another'])('%s test begins at the beginning', async () => {
    const [alice, bob] = devnet.accounts
    const ask = async (method: string, ...params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      return ((await response.json()) as { result: unknown }).result
    }
    expect(await ask('eth_blockNumber')).toBe('0x1')
    const hash = await ask('eth_sendTransaction', { from: alice!.address, to: bob!.address, value: '0x5' })
    await expect(hash).toChangeBalance(devnet, bob!, 5n)
    expect(await ask('eth_blockNumber')).toBe('0x2')
  })
})
