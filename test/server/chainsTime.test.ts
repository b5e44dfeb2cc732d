/** Time on a port with many chains: each has the time of now, and who is not asked rests. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ChainServer, ServeOptions } from '../../src/index.ts'
import { asking, serving } from '../support/servedChains.ts'
import { SOON } from '../support/until.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('the time of a chain', () => {
  const NOW = Date.UTC(2026, 5, 1)
  const hoursLater = (hours: number) => vi.setSystemTime(NOW + hours * 3_600_000)

  /** The time of the newest block of a chain, after another one was made. */
  async function secondsOf(server: ChainServer, name: string): Promise<number> {
    const { devnet } = server.chain(name)
    await devnet.mine()
    const block = await devnet.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    return Number((block as { timestamp: string }).timestamp)
  }

  it('is that of the machine where it runs, however late the chain is made or reset', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW })
    const server = await serving({}, { rhythm: 'instant' })
    hoursLater(1)
    expect(await secondsOf(server, 'alice')).toBe(NOW / 1_000 + 3_600)
    hoursLater(2)
    await server.reset('alice')
    expect(await secondsOf(server, 'alice')).toBe(NOW / 1_000 + 7_200)
  })

  it('is that of the base where it stands', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW })
    const server = await serving()
    const first = await secondsOf(server, 'alice')
    hoursLater(1)
    await server.reset('alice')
    expect([await secondsOf(server, 'alice'), await secondsOf(server, 'bob')]).toEqual([first, first])
  })
})

describe('a chain that nobody asks', () => {
  /** A server whose chains soon rest, and how many blocks they sealed so far. */
  async function counting() {
    const sealed = { count: 0 }
    const onDevnet: ServeOptions['onDevnet'] = (_chain, devnet) => {
      devnet.on('sealed', () => sealed.count++)
    }
    return {
      server: await serving({ restAfterMs: 200, onDevnet }, { rhythm: 'interval', tickMs: 2 }),
      sealed,
    }
  }

  /** Resolves once nothing was sealed for the time of fifty ticks. */
  function standing(sealed: { readonly count: number }): Promise<unknown> {
    let before = -1
    const isSame = () => {
      const same = sealed.count === before
      before = sealed.count
      return same
    }
    return vi.waitUntil(isSame, SOON)
  }

  it('stands still after a while, and goes on when it is asked', async () => {
    const { server, sealed } = await counting()
    const { rpc } = asking(server)
    await rpc('alice', 'eth_chainId')
    await standing(sealed)
    const { count } = sealed
    expect(count).toBeGreaterThan(0)
    // A look from outside is no question.
    expect(server.find('alice')?.describe().block).toBe(count)
    expect(await rpc('alice', 'eth_blockNumber')).toBe(`0x${count.toString(16)}`)
    await vi.waitUntil(() => sealed.count > count, SOON)
  })

  it('goes on while it is in the hands of this process', async () => {
    const { server, sealed } = await counting()
    expect(server.chain('alice').devnet.settings.rhythm).toBe('interval')
    await vi.waitUntil(() => sealed.count > 200, SOON)
  })

  it('rests again after a reset', async () => {
    const { server, sealed } = await counting()
    const { send } = asking(server)
    await send('POST', '/c/alice/reset')
    await standing(sealed)
    const { count } = sealed
    await send('POST', '/c/alice/reset')
    await vi.waitUntil(() => sealed.count > count, SOON)
    await standing(sealed)
  })
})
