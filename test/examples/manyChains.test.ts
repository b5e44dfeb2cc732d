import { createDevnet, serveChains } from 'preseal'
import { createTestClient, http, publicActions } from 'viem'
import { expect, test } from 'vitest'

test('eight workers share a port, and each has a chain of its own', async () => {
  await using base = await createDevnet({ rhythm: 'manual' }) // and what your fixture deploys
  await using server = await serveChains(base)

  const worker = async (_: unknown, index: number) => {
    const url = `${server.url}/c/worker-${index}` // created at its first request
    const client = createTestClient({ mode: 'anvil', transport: http(url) }).extend(publicActions)
    await client.mine({ blocks: index + 1 })
    expect(await client.getBlockNumber()).toBe(BigInt(index + 1))

    await fetch(`${url}/reset`, { method: 'POST' }) // before each test
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(0n)
  }
  await Promise.all(Array.from({ length: 8 }, worker))

  expect(server.chains()).toHaveLength(8) // over HTTP: GET /c
})
