/** How a fixture that takes long shows on a terminal. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { showProgress } from '../../src/cli/fixtures.ts'
import { ask, started } from '../support/clients/clients.ts'
import { terminal } from '../support/processes/terminal.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
})

afterEach(() => {
  vi.useRealTimers()
})

async function pay(devnet: Awaited<ReturnType<typeof started>>): Promise<void> {
  const [from, to] = devnet.accounts.map(({ address }) => address)
  await ask(devnet, 'eth_sendTransaction', { from, to })
}

const print = () => expect.unreachable('nothing is printed on a terminal')

describe('the progress of a fixture', () => {
  it('shows after half a second: the file, blocks, transactions and seconds so far', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { stream, lines } = terminal()
    const progress = showProgress(devnet, 'market.ts', { format: 'text', print, terminal: stream })
    await pay(devnet)
    await devnet.mine()
    vi.advanceTimersByTime(400)
    expect(lines()).toEqual([])
    vi.advanceTimersByTime(200)
    expect(lines().at(-1)).toMatch(/^\S fixture market\.ts: 1 block, 1 transaction, 0 s$/)
    await pay(devnet)
    await pay(devnet)
    await devnet.mine()
    vi.advanceTimersByTime(1_500)
    expect(lines().at(-1)).toMatch(/^\S fixture market\.ts: 2 blocks, 3 transactions, 2 s$/)
    progress.end()
    const shown = lines().length
    await devnet.mine()
    vi.advanceTimersByTime(5_000)
    expect(lines()).toHaveLength(shown)
  })

  it('shows with each block where the fixture leaves timers no time', async () => {
    const timers = vi.spyOn(globalThis, 'setInterval').mockReturnValue({ unref: () => {} } as never)
    onTestFinished(() => timers.mockRestore())
    const devnet = await started({ rhythm: 'manual' })
    const { stream, lines } = terminal()
    const progress = showProgress(devnet, 'market.ts', { format: 'text', print, terminal: stream })
    for (let block = 0; block < 3; block++) {
      vi.advanceTimersByTime(400)
      await devnet.mine()
    }
    expect(lines().at(-1)).toMatch(/^\S fixture market\.ts: 3 blocks, 0 transactions, 1 s$/)
    progress.end()
  })
})
