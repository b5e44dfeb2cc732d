/** Reports of the chains of a port: what is recorded of them for that. What a report of a failed test says: test/reports. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ChainServer, replay } from '../../../src/index.ts'
import { asking, refusal, serving } from '../../support/chains/servedChains.ts'

/** The document of a report is the recording itself: the page of reports is not built here. */
vi.mock(import('../../../src/reports/reportDocument.ts'), async (load) => ({
  ...(await load()),
  reportOfDevnet: async (_, recording) => recording.textToNow,
}))

afterEach(() => {
  vi.useRealTimers()
})

/** The number of the newest block when what is recorded of a chain is played again, just as it went. */
async function blocksPlayed(server: ChainServer, name: string): Promise<number> {
  const textToNow = await server.find(name)!.report()
  let blocks = 0
  const { difference, ending } = await replay(textToNow, {
    look: async (devnet) => {
      blocks = Number(await devnet.request({ method: 'eth_blockNumber' }))
    },
  })
  expect({ difference, ending }).toEqual({ difference: undefined, ending: 'end' })
  return blocks
}

describe('what is recorded of a chain that is served with reports', () => {
  it('is all that happened since it was made, as often as it is asked for', async () => {
    const server = await serving({ reports: true })
    const { rpc } = asking(server)
    await rpc('alice', 'hardhat_mine', '0x2')
    expect(await blocksPlayed(server, 'alice')).toBe(2)
    await rpc('alice', 'evm_mine')
    await rpc('bob', 'evm_mine')
    expect(await blocksPlayed(server, 'alice')).toBe(3)
    expect(await blocksPlayed(server, 'bob')).toBe(1)
  })

  it('is what happened since it was reset', async () => {
    const server = await serving({ reports: true })
    const { rpc } = asking(server)
    await rpc('alice', 'hardhat_mine', '0x2')
    await server.reset('alice')
    await rpc('alice', 'evm_mine')
    expect(await blocksPlayed(server, 'alice')).toBe(1)
  })

  it('has what happened after the chain stood still for a while', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const chain = { rhythm: 'interval', tickMs: 200, ticksPerBlock: 0 } as const
    const server = await serving({ reports: true, restAfterMs: 1_100 }, chain)
    const { rpc } = asking(server)
    await rpc('alice', 'eth_chainId')
    await vi.advanceTimersByTimeAsync(10_000)
    await rpc('alice', 'eth_chainId')
    await vi.advanceTimersByTimeAsync(10_000)
    const { block } = server.find('alice')!.describe() as { block: number }
    vi.useRealTimers()
    expect(block).toBeGreaterThan(5)
    expect(await blocksPlayed(server, 'alice')).toBe(block)
  })
})

describe('GET /c/<name>/report.html', () => {
  it('says how to get reports where chains are not recorded', async () => {
    const { rpc, send } = asking(await serving())
    await rpc('alice', 'evm_mine')
    const answer = await send('GET', '/c/alice/report.html')
    expect(answer.status).toBe(404)
    expect(refusal(answer)).toContain('{ reports: true }')
  })

  it('refuses for a chain that there is not, and makes none', async () => {
    const server = await serving({ reports: true })
    const answer = await asking(server).send('GET', '/c/alice/report.html')
    expect(answer.status).toBe(404)
    expect(refusal(answer)).toContain('there is no chain alice')
    expect(server.chains()).toEqual([])
  })

  it('says that a chain is recorded by its holder', async () => {
    const server = await serving({ reports: true })
    await server.chain('alice').devnet.record()
    const answer = await asking(server).send('GET', '/c/alice/report.html')
    expect(answer.status).toBe(409)
    expect(refusal(answer)).toContain('devnet.record')
  })

  it('takes no other method', async () => {
    const { send } = asking(await serving({ reports: true }))
    expect((await send('DELETE', '/c/alice/report.html')).status).toBe(405)
  })
})
