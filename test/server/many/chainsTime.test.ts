/** Time on a port with many chains: each has the time of now, and who is not asked rests. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ChainServer, ServeOptions } from '../../../src/index.ts'
import { asking, serving } from '../../support/chains/servedChains.ts'

afterEach(() => {
  vi.useRealTimers()
})

const NOW = Date.UTC(2026, 5, 1)

describe('the time of a chain', () => {
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
  const TICK_MS = 200
  const TICKS_BEFORE_REST = 10
  const REST_AFTER_MS = (TICKS_BEFORE_REST + 0.5) * TICK_MS

  /** A server whose chains tick by faked timers, and how many blocks they sealed so far. */
  async function counting() {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: NOW })
    const sealed = { count: 0 }
    const onDevnet: ServeOptions['onDevnet'] = (_chain, devnet) => {
      devnet.on('sealed', () => sealed.count++)
    }
    const chain = { rhythm: 'interval', tickMs: TICK_MS, ticksPerBlock: 0 } as const
    return { server: await serving({ restAfterMs: REST_AFTER_MS, onDevnet }, chain), sealed }
  }

  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  it('stands still after a while, and goes on when it is asked', async () => {
    const { server, sealed } = await counting()
    const { rpc } = asking(server)
    await rpc('alice', 'eth_chainId')
    await pass(10 * REST_AFTER_MS)
    expect(sealed.count).toBe(TICKS_BEFORE_REST)
    // A look from outside is no question.
    expect(server.find('alice')?.describe().block).toBe(TICKS_BEFORE_REST)
    await pass(REST_AFTER_MS)
    expect(sealed.count).toBe(TICKS_BEFORE_REST)
    expect(await rpc('alice', 'eth_blockNumber')).toBe(`0x${TICKS_BEFORE_REST.toString(16)}`)
    await pass(REST_AFTER_MS)
    expect(sealed.count).toBeGreaterThan(TICKS_BEFORE_REST)
  })

  it('goes on while it is in the hands of this process', async () => {
    const { server, sealed } = await counting()
    expect(server.chain('alice').devnet.settings.rhythm).toBe('interval')
    await pass(100 * TICK_MS)
    expect(sealed.count).toBe(100)
  })

  it('rests again after a reset', async () => {
    const { server, sealed } = await counting()
    const { send } = asking(server)
    await send('POST', '/c/alice/reset')
    await pass(10 * REST_AFTER_MS)
    const { count } = sealed
    expect(count).toBeGreaterThan(0)
    await send('POST', '/c/alice/reset')
    await pass(10 * REST_AFTER_MS)
    const again = sealed.count
    expect(again).toBeGreaterThan(count)
    await pass(REST_AFTER_MS)
    expect(sealed.count).toBe(again)
  })
})
