import { beforeAll, describe, expect, it } from 'vitest'
import type { Watcher } from '../../../src/evm/engine.ts'
import { paymentOf, simulationMessage } from '../../../src/evm/message.ts'
import { toRunnable } from '../../../src/evm/runCall.ts'
import { loadKeccak } from '../../../src/model/crypto/keccak.ts'
import { EventLoop } from '../../../src/model/work/eventLoop.ts'
import { TimeLimitExceeded, Work } from '../../../src/model/work/work.ts'
import { assemble, type Item } from '../../support/assembly.ts'
import { address, callOf, machine, sceneOf } from '../../support/scenes.ts'

beforeAll(loadKeccak)

const CONTRACT = address(0xc0de)
const EVM = machine()

/** `items` so many times. */
const times = (count: number, ...items: Item[]): Item[] => Array.from({ length: count }, () => items).flat()

/** Work whose time passes a millisecond each time that somebody looks at it, and the turns that others had meanwhile. */
function workOf(limitMs: number): { readonly work: Work; readonly turns: () => number } {
  let nowMs = 0
  let turns = 0
  const soon = (next: () => void) =>
    setImmediate(() => {
      turns++
      next()
    })
  const loop = new EventLoop({ now: () => nowMs++, soon }, 10)
  return { work: new Work({ limitMs, loop }), turns: () => turns }
}

async function run(items: readonly Item[], work: Work, watcher?: Watcher): Promise<void> {
  const { state, context } = sceneOf([{ address: CONTRACT, code: assemble(...items) }])
  const call = toRunnable(
    EVM.rules,
    { state, context, moved: undefined },
    callOf({ to: CONTRACT }),
    16_000_000n,
  )
  await EVM.for(work).run(
    state,
    context,
    simulationMessage(call, paymentOf(call, { ...context, baseFeePerGas: 0n })),
    watcher,
  )
}

describe('a run that takes long', () => {
  it.each<[what: string, code: Item[], watcher?: Watcher]>([
    ['a loop', ['JUMPDEST', 0, 'JUMP']],
    ['code without loops, whose instructions take long', times(500, 100_000, 0, 'KECCAK256', 'POP')],
    [
      'calls within calls',
      [0, 0, 0, 0, 0, 'ADDRESS', 'GAS', 'CALL', 'POP', 0, 0, 0, 0, 0, 'ADDRESS', 'GAS', 'CALL'],
    ],
    ['code whose steps are watched', times(20_000, 1, 'POP'), { step: () => {} }],
  ])('lets others have their turns, and ends at its time limit: %s', async (_, code, watcher) => {
    const { work, turns } = workOf(100)
    await expect(run(code, work, watcher)).rejects.toThrow(TimeLimitExceeded)
    expect(turns()).toBeGreaterThan(2)
  })

  it('goes on where others had their turns, to the same outcome', async () => {
    const { work, turns } = workOf(0)
    await run(times(500, 10_000, 0, 'KECCAK256', 'POP'), work)
    expect(turns()).toBeGreaterThan(0)
  })
})
