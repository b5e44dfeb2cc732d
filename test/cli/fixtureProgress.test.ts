/** How a fixture that takes long shows on a terminal. */
import { Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { showProgress } from '../../src/cli/fixtureProgress.ts'
import { ask, started } from '../support/clients.ts'

/** A terminal that remembers what was written to it, as lines without colours and movements. */
function terminal(isTTY: boolean) {
  const written: string[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk))
      done()
    },
  })
  const lines = () => written.map((text) => text.replaceAll(ESCAPES, '').trim()).filter((text) => text !== '')
  const moves = { columns: 80, rows: 24, cursorTo: () => true, moveCursor: () => true, clearLine: () => true }
  return { stream: Object.assign(stream, { isTTY, ...moves }) as unknown as NodeJS.WriteStream, lines }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ESCAPES = /\u001b\[[0-9;?]*[a-zA-Z]/g

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
  // ora asks for them, too, whether somebody looks.
  vi.stubEnv('TERM', 'xterm')
  vi.stubEnv('CI', undefined)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

async function pay(devnet: Awaited<ReturnType<typeof started>>): Promise<void> {
  const [from, to] = devnet.accounts.map(({ address }) => address)
  await ask(devnet, 'eth_sendTransaction', { from, to })
}

describe('the progress of a fixture', () => {
  it('shows after half a second: the file, blocks, transactions and seconds so far', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { stream, lines } = terminal(true)
    const progress = await showProgress(devnet, 'market.ts', 'text', stream)
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
    const timers = vi.spyOn(globalThis, 'setInterval').mockReturnValue({} as never)
    onTestFinished(() => timers.mockRestore())
    const devnet = await started({ rhythm: 'manual' })
    const { stream, lines } = terminal(true)
    const progress = await showProgress(devnet, 'market.ts', 'text', stream)
    for (let block = 0; block < 3; block++) {
      vi.advanceTimersByTime(400)
      await devnet.mine()
    }
    expect(lines().at(-1)).toMatch(/^\S fixture market\.ts: 3 blocks, 0 transactions, 1 s$/)
    progress.end()
  })

  it.each([
    ['nobody looks', 'text', false],
    ['the report is JSON', 'json', true],
    ['the report is silent', 'silent', true],
  ] as const)('is not shown where %s', async (_, report, isTTY) => {
    const devnet = await started({ rhythm: 'manual' })
    const { stream, lines } = terminal(isTTY)
    const progress = await showProgress(devnet, 'market.ts', report, stream)
    vi.advanceTimersByTime(5_000)
    await devnet.mine()
    progress.end()
    expect(lines()).toEqual([])
  })
})
