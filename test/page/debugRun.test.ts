import { expect, test } from 'vitest'
import {
  type DebugFrame,
  type DebugStep,
  moved,
  stackAt,
  variablesAt,
} from '../../src/page/views/transaction/debugRun.ts'

const SHOP = '0x0000000000000000000000000000000000005a4e'

function frame(depth: number, parent?: number): DebugFrame {
  return {
    kind: 'function',
    depth,
    steps: { first: 0, last: 0 },
    ...(parent === undefined ? {} : { parent }),
  }
}
function step(of: number, line: number, storage: DebugStep['storage'] = []): DebugStep {
  const position = { file: 'Shop.sol', line, column: 1, endLine: line, endColumn: 9, text: '' }
  return { frame: of, position, gasUsed: '0x1', storage, logs: [] }
}
const written = (value: string): DebugStep['storage'] => [
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

test('over does not stop where the compiler tells no place', () => {
  const { position: _, ...nowhere } = step(0, 11)
  expect(moved({ ...run, steps: [step(0, 10), nowhere, step(0, 12)] }, 0, 'over')).toBe(2)
})

test('the stack has the frames around a step, the outermost first', () => {
  expect(stackAt(run, 3)).toEqual([run.frames[0], run.frames[1]])
  expect(stackAt(run, 4)).toEqual([run.frames[0]])
})

test('variables have the value of the step', () => {
  expect(variablesAt(run.steps, 1, SHOP)).toEqual([])
  expect(variablesAt(run.steps, 4, SHOP)).toEqual([
    { name: 'stock', type: 'uint256', value: '5', wasWritten: true },
  ])
  expect(variablesAt(run.steps, 5, SHOP)[0]?.value).toBe('4')
  expect(variablesAt(run.steps, 5, '0x01')).toEqual([])
})
