/** Errors of transactions that failed name them on the page, as long as the devnet has one. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Devnet, NotIncluded, Reverted, serveChains } from '../../src/index.ts'
import { STRANGER, started } from '../support/clients/clients.ts'

/** What is thrown for a creation that reverts. `gas` is given, so that it is sent. */
async function failure(devnet: Devnet): Promise<Reverted> {
  const error = await devnet
    .deploy({ abi: [], bytecode: '0x60006000fd' }, { gas: 100_000n })
    .catch((error) => error)
  expect(error).toBeInstanceOf(Reverted)
  return error
}

describe('the error of a transaction that failed', () => {
  it('has the URL where the page shows it, from listening until that ends', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await failure(devnet)).not.toHaveProperty('pageUrl')
    const listener = await devnet.listen()
    const error = await failure(devnet)
    expect(listener.pageUrl).toBe(`${listener.url}/`)
    expect(error.pageUrl).toBe(`${listener.url}/tx/${error.hash}`)
    expect(error.message).not.toContain('http')
    await listener.close()
    expect(await failure(devnet)).not.toHaveProperty('pageUrl')
  })

  it('has none where it was not sent, or the port has no page', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { pageUrl } = await devnet.listen({ page: false })
    expect(pageUrl).toBeUndefined()
    expect(await failure(devnet)).not.toHaveProperty('pageUrl')
    await devnet.listen()
    const unsent = await devnet.deploy({ abi: [], bytecode: '0x60006000fd' }).catch((error) => error)
    expect(unsent).toBeInstanceOf(Reverted)
    expect(unsent).not.toHaveProperty('pageUrl')
  })

  it('has the URL in a browser of this machine, also where the port listens on all interfaces', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { port } = await devnet.listen({ host: '0.0.0.0', page: 'read-only' })
    const { pageUrl, hash } = await failure(devnet)
    expect(pageUrl).toBe(`http://127.0.0.1:${port}/tx/${hash}`)
  })

  it('has the URL on the page of its chain, also after a reset', async () => {
    const server = await serveChains(await started({ rhythm: 'manual' }))
    onTestFinished(() => server.close())
    const chain = server.chain('alice')
    expect(chain.pageUrl).toBe(`${server.pageUrl}c/alice/`)
    for (let i = 0; i < 2; i++) {
      const error = await failure(chain.devnet)
      expect(error.pageUrl).toBe(`${server.url}/c/alice/tx/${error.hash}`)
      await server.reset('alice')
    }
  })
})

it('so does that of one that was not included', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const { pageUrl } = await devnet.listen()
  await devnet.faults.add({ kind: 'dropTransaction', lands: 'never' })
  const error = await devnet.send({ to: STRANGER, value: 1n }).catch((error) => error)
  expect(error).toBeInstanceOf(NotIncluded)
  expect(error.pageUrl).toBe(`${pageUrl}tx/${error.hash}`)
})
