import { describe, expect, it } from 'vitest'
import {
  draw,
  dueReorg,
  dueSealFaults,
  dueSliceFault,
  type Occasion,
  type PlannedFault,
} from '../../src/faults/dueFaults.ts'
import type { Fault, Trigger } from '../../src/faults/fault.ts'
import { Random } from '../support/random/random.ts'

const ONCE: Trigger = { kind: 'next', times: 1 }
const OMIT: Fault = { kind: 'omitSlice' }
const DROP: Fault = { kind: 'dropTransaction', lands: 'next' }
const REORG: Fault = { kind: 'reorg', depth: 2, transactions: 'keep' }

function planned(fault: Fault, trigger: Trigger = ONCE, id = 1): PlannedFault {
  return { id, fault, trigger }
}

/** On which of the occasions an omission happens, and what is left of it after them. */
function played(trigger: Trigger, occasions: readonly Occasion[]) {
  let left: readonly PlannedFault[] = [planned(OMIT, trigger)]
  const happened = occasions.map((occasion) => {
    const fate = dueSliceFault(left, occasion, false)
    left = fate.planned
    return fate.due.length > 0
  })
  return { happened, left: left.map((one) => one.trigger) }
}

const slices = (...places: [number, number][]): Occasion[] =>
  places.map(([block, slice]) => ({ block: BigInt(block), slice }))

describe('a trigger', () => {
  const places = slices([1, 1], [1, 2], [2, 1], [2, 2])

  it.each<[string, Trigger, string, Trigger[]]>([
    ['the next time', ONCE, 'x...', []],
    ['so many times', { kind: 'next', times: 3 }, 'xxx.', []],
    ['more often than it can', { kind: 'next', times: 9 }, 'xxxx', [{ kind: 'next', times: 5 }]],
    ['always', { kind: 'next', times: Infinity }, 'xxxx', [{ kind: 'next', times: Infinity }]],
    ['in a block: at its first slice', { kind: 'at', block: 2n }, '..x.', []],
    ['in a slice', { kind: 'at', block: 1n, slice: 2 }, '.x..', []],
    ['in a slice that never comes', { kind: 'at', block: 1n, slice: 9 }, '....', []],
    ['in a block to come', { kind: 'at', block: 3n }, '....', [{ kind: 'at', block: 3n }]],
    ['in a block that has gone by', { kind: 'at', block: 0n }, '....', []],
  ])('goes off %s', (_, trigger, expected, left) => {
    const outcome = played(trigger, places)
    expect(outcome.happened.map((happens) => (happens ? 'x' : '.')).join('')).toBe(expected)
    expect(outcome.left).toEqual(left)
  })

  it('goes off by chance about as often as it should, never at 0, always at 1', () => {
    const times = (probability: number) =>
      played({ kind: 'chance', probability, seed: 1 }, Array(1_000).fill(places[0])).happened.filter(Boolean)
        .length
    expect([times(0), times(1)]).toEqual([0, 1_000])
    expect(times(0.25)).toBeGreaterThan(200)
    expect(times(0.25)).toBeLessThan(300)
  })

  it('draws as mulberry32 does, which the tests have of their own', () => {
    const theirs = new Random(7)
    let seed = 7
    for (let i = 0; i < 100; i++) {
      const drawn = draw(seed)
      expect(drawn.value).toBe(theirs.fraction())
      seed = drawn.seed
    }
  })
})

describe('what happens at an occasion', () => {
  const at: Occasion = { block: 5n, slice: 1 }

  it('is one of several faults of slices; the others wait', () => {
    const all = [planned(OMIT, ONCE, 1), planned({ kind: 'duplicateSlice' }, ONCE, 2)]
    const { due, planned: left } = dueSliceFault(all, at, false)
    expect([due, left]).toEqual([[all[0]], [all[1]]])
  })

  it('is all that is planned for a seal, and can be', () => {
    const all = [
      planned(OMIT, ONCE, 1),
      planned(DROP, ONCE, 2),
      planned(REORG, ONCE, 3),
      planned({ kind: 'sealDifferently', order: 'reversed' }, ONCE, 4),
      planned(DROP, ONCE, 5),
    ]
    const possible = dueSealFaults(all, { block: 5n }, ({ kind }) => kind === 'dropTransaction')
    expect(possible).toEqual({ due: [all[1], all[4]], planned: [all[0], all[2], all[3]] })
  })

  it('is no reorg that was too deep at its block, which is not planned any more', () => {
    const all = [planned({ ...REORG, depth: 3 }, { kind: 'at', block: 5n }), planned(REORG, ONCE, 2)]
    expect(dueReorg(all, { block: 5n }, 1).planned).toEqual(all)
    expect(dueReorg(all, { block: 6n }, 1).planned).toEqual([all[1]])
  })

  it('is one reorg, of no more blocks than can be taken off', () => {
    const all = [planned(DROP), planned(REORG, ONCE, 2), planned(REORG, ONCE, 3)]
    expect(dueReorg(all, { block: 5n }, 1)).toEqual({ due: [], planned: all })
    expect(dueReorg(all, { block: 5n }, 2)).toEqual({ due: [all[1]], planned: [all[0], all[2]] })
  })
})
