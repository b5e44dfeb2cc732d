/** Watched expressions of the debugger. */
import { expect, test } from 'vitest'
import { changeFrom, parseWatch, watchedAt } from '../../src/page/views/transaction/watch.ts'
import type { DebugFrameAnswer, DebugStepAnswer, DebugValue } from '../../src/wire/debugRun.ts'

const BANK = '0x000000000000000000000000000000000000ba4c'
const ALICE = '0x00000000000000000000000000000000000A11cE'
const LIBRARY = '0x0000000000000000000000000000000000000111'

const FRAMES: DebugFrameAnswer[] = [
  {
    kind: 'message',
    call: 'CALL',
    from: '0x00000000000000000000000000000000000a11ce',
    value: '0x7',
    address: BANK,
    depth: 0,
    steps: { first: 0, last: 5 },
    immutables: [{ name: 'most', type: 'uint8', value: 9 }],
  },
  {
    kind: 'message',
    call: 'DELEGATECALL',
    from: BANK,
    address: BANK,
    to: LIBRARY,
    parent: 0,
    depth: 1,
    steps: { first: 3, last: 3 },
  },
]

function step(
  frame: number,
  storage: readonly Partial<DebugStepAnswer['storage'][number]>[] = [],
  variables?: readonly DebugValue[],
): DebugStepAnswer {
  const accesses = storage.map((one) => ({
    kind: 'read' as const,
    isTransient: false,
    address: BANK as `0x${string}`,
    slot: '0x0' as const,
    isReverted: false,
    type: 'uint256',
    ...one,
  }))
  return { frame, gasUsed: '0x1', storage: accesses, logs: [], ...(variables && { variables }) }
}

const order = (note: string) => ({
  name: 'orders',
  type: 'struct Order[] memory',
  value: [{ note, sizes: ['4', '5'] }],
  omitted: 2,
})
const i = { name: 'i', type: 'uint256', value: '0' }
const lost = { name: 'lost', type: 'uint256', reason: 'moved by the optimizer' }

const STEPS = [
  step(0, [], [i, order('a'), lost]),
  step(0, [{ name: `balances[${ALICE}]`, value: '3' }]),
  step(0, [], [i, order('b'), lost]),
  step(1, [{ kind: 'write', name: `balances[${ALICE}]`, before: '3', value: '4' }]),
  step(0, [{ name: 'names["Ann"].age', value: '40' }]),
  step(0, [{ kind: 'write', name: 'total', before: '1', value: '2' }]),
]

const scope = (at: number, frame = 0) => ({
  run: { frames: FRAMES, steps: STEPS },
  at,
  frame,
  block: { number: '12' },
})
const watched = (text: string, at: number, frame = 0) => watchedAt(scope(at, frame), parseWatch(text)!)

test('an expression is a variable with members, indexes and keys, which are expressions too', () => {
  expect(watched('orders[i].note', 0)).toEqual({ value: 'a' })
  expect(watched('orders[i].sizes[1]', 0)).toEqual({ value: '5' })
  expect(watched('orders.length', 0)).toEqual({ value: 3 })
  expect(watched(' most ', 0)).toMatchObject({ type: 'uint8', value: 9 })
  expect(watched('msg.value', 0)).toEqual({ value: '7' })
  expect(watched('block.number', 0)).toEqual({ value: '12' })
})

test('storage has the value after the step, before its first access too', () => {
  const values = STEPS.map((_, at) => watched('balances[msg.sender]', at).value)
  expect(values).toEqual(['3', '3', '3', '4', '4', '4'])
  expect(watched('total', 0).value).toBe('1')
  expect(watched('total', 5).value).toBe('2')
  expect(watched('names["Ann"]', 4).value).toEqual({ age: '40' })
})

test('a delegate call has the sender and the value of the call around it', () => {
  expect(watched('msg.sender', 3, 1)).toEqual({ value: FRAMES[0]!.from })
  expect(watched('msg.value', 3, 1)).toEqual({ value: '7' })
})

test('an unknown value has a reason', () => {
  expect(watched('lost', 0)).toMatchObject({ reason: 'moved by the optimizer' })
  expect(watched('orders[7]', 0)).toEqual({ reason: 'no such part is shown' })
  expect(watched('nothing', 0)).toEqual({ reason: 'not accessed in this run' })
})

test('a text that is no such expression is refused', () => {
  for (const text of ['', 'a +', 'a[', 'a[1', 'a..b', '.a', 'a b', 'f(1)'])
    expect(parseWatch(text)).toBe(undefined)
})

test('a reader goes to the next and the previous change of a value', () => {
  const change = (text: string, at: number, by: 1 | -1) => changeFrom(scope(at), parseWatch(text)!, by)
  expect(change('orders[0].note', 0, 1)).toBe(2)
  expect(change('orders[0].note', 2, -1)).toBe(0)
  expect(change('orders[0].sizes', 0, 1)).toBe(undefined)
  expect(change('balances[msg.sender]', 0, 1)).toBe(3)
  expect(change('balances[msg.sender]', 5, -1)).toBe(3)
  expect(change('total', 5, -1)).toBe(undefined)
})
