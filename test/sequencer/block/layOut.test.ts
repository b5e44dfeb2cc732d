import { describe, expect, it } from 'vitest'
import type { BlockRequest, SimulatedBlockOverride } from '../../../src/model/execution/call.ts'
import { layOut, MAX_SIMULATED_BLOCKS } from '../../../src/sequencer/block/layOut.ts'

const BASE = { number: 10n, timestamp: 50n }

/** Number and time of each block, or what is wrong. */
function row(...overrides: SimulatedBlockOverride[]): unknown {
  const laidOut = layOut(
    BASE,
    overrides.map((override) => ({ override, accounts: [], calls: [] })),
  )
  return 'kind' in laidOut ? laidOut : laidOut.map(({ number, timestamp }) => [number, timestamp])
}

// The rows of geth's internal/ethapi/simulate_test.go, TestSimulateSanitizeBlockOrder.
describe('simulated blocks', () => {
  it('stand twelve seconds after each other', () => {
    expect(row({}, {}, {})).toEqual([
      [11n, 62n],
      [12n, 74n],
      [13n, 86n],
    ])
  })

  it('may leave gaps, which are filled, and others go on from there', () => {
    expect(row({ number: 13n, timestamp: 80n }, {})).toEqual([
      [11n, 62n],
      [12n, 74n],
      [13n, 80n],
      [14n, 92n],
    ])
    expect(row({ number: 11n }, { number: 14n }, {})).toEqual([
      [11n, 62n],
      [12n, 74n],
      [13n, 86n],
      [14n, 98n],
      [15n, 110n],
    ])
  })

  it.each<[string, SimulatedBlockOverride[], object]>([
    [
      'go back',
      [{ number: 13n }, { number: 12n }],
      { kind: 'blockOrder', index: 1, got: 12n, previous: 13n },
    ],
    ['begin at their base', [{ number: 10n }], { kind: 'blockOrder', index: 0, got: 10n, previous: 10n }],
    [
      'leave no time for the gap before them',
      [{ number: 13n, timestamp: 74n }],
      { kind: 'timeOrder', index: 0, got: 74n, previous: 74n },
    ],
    [
      'go back in time',
      [
        { number: 11n, timestamp: 60n },
        { number: 12n, timestamp: 55n },
      ],
      { kind: 'timeOrder', index: 1, got: 55n, previous: 60n },
    ],
    [
      'leave no time for the gap between them',
      [
        { number: 11n, timestamp: 60n },
        { number: 13n, timestamp: 72n },
      ],
      { kind: 'timeOrder', index: 1, got: 72n, previous: 72n },
    ],
    ['stand at the time of their base', [{ timestamp: 50n }], { kind: 'timeOrder', got: 50n, previous: 50n }],
    [
      'come after the last second that 64 bits can tell',
      [{ timestamp: 2n ** 64n - 5n }, {}],
      { kind: 'endOfTime', index: 1, got: 2n ** 64n + 7n },
    ],
  ])('cannot %s', (_, overrides, flaw) => {
    expect(row(...overrides)).toMatchObject(flaw)
  })

  it('are at most 256, those in the gaps included', () => {
    expect(row({ number: 10n + 256n })).toHaveLength(256)
    expect(row(...Array(MAX_SIMULATED_BLOCKS).fill({}))).toHaveLength(256)
    const flaw = { kind: 'tooManyBlocks', count: 257n, limit: 256 }
    expect(row({ number: 10n + 257n })).toEqual({ ...flaw, index: 0 })
    expect(row(...Array(257).fill({}))).toEqual({ ...flaw, index: 256 })
    // Whoever is far away is told so before the gap is filled.
    expect(row({ number: 2n ** 64n - 1n })).toMatchObject({ kind: 'tooManyBlocks' })
  })

  it('know which of those that were asked for they are', () => {
    const request = (override: SimulatedBlockOverride): BlockRequest => ({
      override,
      accounts: [],
      calls: [],
    })
    const requests = [request({ number: 12n }), request({ number: 14n })]
    const laidOut = layOut(BASE, requests)
    if ('kind' in laidOut) throw new Error(laidOut.kind)
    expect(laidOut.map(({ index }) => index)).toEqual([0, 0, 1, 1])
    expect(laidOut.map((one) => requests.indexOf(one.request))).toEqual([-1, 0, -1, 1])
  })
})
