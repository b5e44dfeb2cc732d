/** The rhythm `interval`: ticks by a timer, which ends with the devnet. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ALICE, BOB, engineAfter, type Workplace, workplace } from '../support/chains/sequencers.ts'
import { sign } from '../support/chains/signing.ts'
import { createEngine } from '../support/engines/engineOfRun.ts'

describe('the interval', () => {
  const NOW = 1_800_000_000_000
  let place: Workplace | undefined

  beforeEach(() => {
    vi.useFakeTimers({ now: NOW, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await place?.sequencer.stop()
  })

  /** An engine on which each transaction takes half a second. */
  const slow = engineAfter(() => new Promise((resolve) => setTimeout(resolve, 500)))

  /** A started sequencer, and how many milliseconds after its start it pre-confirmed. */
  async function started(engine = createEngine, onDefect?: (error: unknown) => void) {
    const started = await workplace({ rhythm: 'interval', engine, ...(onDefect && { onDefect }) })
    place = started
    const slices: (readonly [ms: number, transactions: number])[] = []
    started.sequencer.listeners.on('preconfirmed', (_, added) =>
      slices.push([Date.now() - NOW, added.length]),
    )
    started.sequencer.start()
    return { ...started, slices }
  }

  it('makes a tick every 200 ms', async () => {
    const { slices, chain, sequencer } = await started()
    await sequencer.submissions.submit(sign(ALICE))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(slices).toEqual([
      [200, 1],
      [400, 0],
      [600, 0],
      [800, 0],
      [1_000, 0],
    ])
    expect(chain.latest.block.header.number).toBe(4n)
  })

  it('is not queued twice by a tick that overruns, goes on after it, and makes up for nothing', async () => {
    const { slices, sequencer } = await started(slow)
    await sequencer.submissions.submit(sign(ALICE))
    await vi.advanceTimersByTimeAsync(300)
    // Comes while the tick of 200 still runs, and waits for the one after.
    const late = sequencer.submissions.submit(sign(BOB))
    await vi.advanceTimersByTimeAsync(1_500)
    expect(await late).toMatchObject({ kind: 'accepted' })
    // What is overdue is made at once, which for a timer is after 1 ms; then every 200 ms again.
    expect(slices).toEqual([
      [700, 1],
      [1_201, 1],
      [1_202, 0],
      [1_402, 0],
      [1_602, 0],
    ])
  })

  it('is shifted by ticks that are asked for and by time that is moved', async () => {
    const { slices, sequencer } = await started()
    await vi.advanceTimersByTimeAsync(100)
    await sequencer.blocks.tick()
    await vi.advanceTimersByTimeAsync(250)
    await sequencer.blocks.advance(140)
    await vi.advanceTimersByTimeAsync(60)
    expect(slices.map(([ms]) => ms)).toEqual([100, 300, 360])
  })

  it('goes on after a tick that broke, and tells what broke it', async () => {
    const onDefect = vi.fn()
    const { slices, chain } = await started(createEngine, onDefect)
    const broken = new Error('broken')
    vi.spyOn(chain, 'preconfirm').mockImplementationOnce(() => {
      throw broken
    })
    await vi.advanceTimersByTimeAsync(600)
    expect(onDefect.mock.calls).toEqual([[broken]])
    expect(slices.map(([ms]) => ms)).toEqual([400, 600])
  })

  it('ends when it is stopped, after the command that runs', async () => {
    const { slices, sequencer } = await started(slow)
    await sequencer.submissions.submit(sign(ALICE))
    await vi.advanceTimersByTimeAsync(200)
    const stopped = vi.fn()
    void sequencer.stop().then(stopped)
    await vi.advanceTimersByTimeAsync(100)
    expect(stopped).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(stopped).toHaveBeenCalled()
    expect(slices).toEqual([[700, 1]])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a devnet that is closed', () => {
  it('keeps no process alive, nor do its forks', async () => {
    const script = `
      import { createDevnet } from './src/index.ts'
      const devnet = await createDevnet({ tickMs: 20 })
      const fork = devnet.fork({ rhythm: 'interval' })
      const { url } = await devnet.listen({ port: 0 })
      await new Promise((resolve) => devnet.on('sealed', ({ block }) => block.header.number >= 3n && resolve()))
      await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[]' })
      await Promise.all([devnet.close(), fork.close()])
      console.log('closed')`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      cwd: new URL('../..', import.meta.url),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text
    })
    const [code] = await once(child, 'exit')
    expect([said, code]).toEqual(['closed\n', 0])
  })
})
