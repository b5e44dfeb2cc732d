import { expect, test } from 'vitest'
import {
  firstShown,
  localsAt,
  messageAround,
  moved,
  stackAt,
  variablesAt,
} from '../../src/page/views/transaction/debugRun.ts'
import type { DebugFrameAnswer, DebugStepAnswer } from '../../src/wire/debugRun.ts'

const SHOP = '0x0000000000000000000000000000000000005a4e'

function frame(depth: number, parent?: number): DebugFrameAnswer {
  return {
    kind: 'function',
    depth,
    steps: { first: 0, last: 0 },
    ...(parent === undefined ? {} : { parent }),
  }
}
function step(of: number, line: number, storage: DebugStepAnswer['storage'] = []): DebugStepAnswer {
  const position = { file: 'Shop.sol', line, column: 1, endLine: line, endColumn: 9, text: '' }
  return { frame: of, position, gasUsed: '0x1', storage, logs: [] }
}
const written = (value: string): DebugStepAnswer['storage'] => [
  {
    kind: 'write',
    isTransient: false,
    address: SHOP,
    slot: '0x0',
    name: 'stock',
    type: 'uint256',
    value,
    isReverted: false,
  },
]

/** Lines 10, 10, then a call of a function with lines 20 and 21, then lines 10 and 11. */
const run = {
  frames: [frame(0), frame(1, 0)],
  steps: [
    step(0, 10),
    step(0, 10),
    step(1, 20, written('5')),
    step(1, 21),
    step(0, 10),
    step(0, 11, written('4')),
  ],
}

test('a reader goes step by step, over calls to the next line, out of a function, and to the ends', () => {
  expect(moved(run, 1, 'next')).toBe(2)
  expect(moved(run, 0, 'previous')).toBe(0)
  expect(moved(run, 5, 'next')).toBe(5)
  expect(moved(run, 0, 'over')).toBe(5)
  expect(moved(run, 2, 'over')).toBe(3)
  expect(moved(run, 3, 'over')).toBe(4)
  expect(moved(run, 2, 'out')).toBe(4)
  expect(moved(run, 0, 'out')).toBe(5)
  expect(moved(run, 5, 'back')).toBe(4)
  expect(moved(run, 3, 'back')).toBe(2)
  expect(moved(run, 4, 'first')).toBe(0)
  expect(moved(run, 0, 'last')).toBe(5)
})

test('a reader goes to calls, into the next function, back to the caller, and to the failure', () => {
  const call = (first: number, end: number, parent?: number) => ({
    ...frame(parent === undefined ? 0 : 1, parent),
    kind: 'message' as const,
    steps: { first, last: end },
  })
  const inner = { ...frame(1, 0), steps: { first: 2, last: 3 } }
  const steps = [0, 0, 1, 1, 0, 2, 0, 3, 0].map((of, line) => step(of, line))
  const calls = { frames: [call(0, 8), inner, call(5, 5, 0), call(7, 7, 0)], steps }
  expect(moved(calls, 0, 'in')).toBe(2)
  expect(moved(calls, 2, 'in')).toBe(5)
  expect(moved(calls, 0, 'call')).toBe(5)
  expect(moved(calls, 5, 'call')).toBe(7)
  expect(moved(calls, 7, 'call')).toBe(8)
  expect(moved(calls, 7, 'callBefore')).toBe(5)
  expect(moved(calls, 5, 'callBefore')).toBe(0)
  expect(moved(calls, 3, 'caller')).toBe(1)
  expect(moved(calls, 1, 'caller')).toBe(0)
  const error = { text: 'too few' }
  const failed = { frames: [{ ...call(0, 8), error }, inner, { ...call(5, 5, 0), error }], steps }
  expect(moved(failed, 0, 'revert')).toBe(5)
})

test('over does not stop where the compiler tells no place', () => {
  const { position: _, ...nowhere } = step(0, 11)
  expect(moved({ ...run, steps: [step(0, 10), nowhere, step(0, 12)] }, 0, 'over')).toBe(2)
})

test('the stack has the frames around a step, the innermost first', () => {
  expect(stackAt(run, 3)).toEqual([1, 0])
  expect(stackAt(run, 4)).toEqual([0])
})

test('variables have the value of the step', () => {
  expect(variablesAt(run.steps, 1, SHOP)).toEqual([])
  expect(variablesAt(run.steps, 4, SHOP)).toEqual([{ name: 'stock', type: 'uint256', value: '5' }])
  expect(variablesAt(run.steps, 5, SHOP)[0]?.value).toBe('4')
  expect(variablesAt(run.steps, 5, '0x01')).toEqual([])
})

test('variables of a frame are those that were told of it last, also while it calls another', () => {
  const told = (of: number, line: number, value: string): DebugStepAnswer => ({
    ...step(of, line),
    variables: [{ name: 'i', type: 'uint256', value }],
  })
  const frames = [frame(0), { ...frame(1, 0), steps: { first: 2, last: 3 } }]
  const steps = [told(0, 10, '1'), step(0, 11), told(1, 20, '7'), step(1, 21), told(0, 11, '2')]
  const valueAt = (of: number, at: number) => localsAt({ frames, steps }, of, at)?.[0]?.value
  expect([valueAt(0, 1), valueAt(0, 3), valueAt(1, 3), valueAt(0, 4)]).toEqual(['1', '1', '7', '2'])
  expect(localsAt({ frames, steps: [step(0, 10)] }, 0, 0)).toBeUndefined()
})

test('a reader begins in a function, and in a run that failed where it did', () => {
  expect(firstShown({ ...run, status: 'success' })).toBe(0)
  const call = (depth: number, first: number, last: number, error: string, parent?: number) => ({
    ...frame(depth, parent),
    kind: 'message' as const,
    steps: { first, last },
    error: { text: error },
  })
  const steps = Array.from({ length: 9 }, (_, i) => step(0, i))
  // The second call failed otherwise, and was caught; the third failed within a function, and made the whole fail.
  const frames = [
    call(0, 0, 8, 'too few'),
    call(1, 1, 2, 'too few', 0),
    call(1, 3, 4, 'other', 0),
    frame(1, 0),
    call(2, 5, 7, 'too few', 3),
    call(3, 6, 6, 'other', 4),
  ]
  expect(firstShown({ frames, steps, status: 'reverted' })).toBe(7)
  expect(messageAround({ frames, steps }, 3)).toBe(0)
})
