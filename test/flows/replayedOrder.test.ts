/** A recording holds the order of commands and requests, though neither the clock nor the callers are the same in a replay. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Devnet, replay } from '../../src/index.ts'
import { processLoop } from '../../src/work/eventLoop.ts'
import { behind } from '../support/clients/behind.ts'
import { ask, started } from '../support/clients/clients.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Long work pauses before every `n`th step from now on, instead of when a slice of time is used up. */
function pauseAtEvery(n: number): void {
  let steps = 0
  vi.spyOn(processLoop, 'pause').mockImplementation(() => (++steps % n === 0 ? nextTurn() : undefined))
}

const numberOf = async (devnet: Devnet) => Number(await ask(devnet, 'eth_blockNumber'))

describe('a long command', () => {
  it.each([3, 7, 1_000])(
    'that pauses at other places in the replay, every %i steps, answers what came in between as before',
    async (n) => {
      const devnet = await started({ rhythm: 'manual' })
      const recording = await devnet.record()
      pauseAtEvery(5)
      let isMining = true
      const mining = ask(devnet, 'anvil_mine', '0x28').then(() => {
        isMining = false
      })
      const seen: number[] = []
      while (isMining) {
        await nextTurn()
        seen.push(await numberOf(devnet))
      }
      await mining
      recording.end()
      expect(seen).toEqual(expect.arrayContaining([5, 10, 15, 20, 25, 30, 35, 40]))
      pauseAtEvery(n)
      expect((await replay(recording.text)).difference).toBeUndefined()
    },
  )
})

describe('what the caller of a command does next', () => {
  it('comes before the next command, though many functions pass the result on', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 0 })
    const recording = await devnet.record()
    const [first, second] = [devnet.tick(), devnet.tick()]
    await behind(100, () => first)
    expect(await numberOf(devnet)).toBe(1)
    await second
    recording.end()
    expect((await replay(recording.text)).difference).toBeUndefined()
  })
})
