import { expect, test } from 'vitest'
import {
  afterKey,
  callNodes,
  delegateOf,
  flameBoxes,
  hasFlame,
  precompileAt,
  toggled,
  visibleNodes,
} from '../../src/page/views/transaction/callTree.ts'
import type { RpcCallFrame } from '../../src/wire/encodeTrace.ts'

const A = '0x00000000000000000000000000000000000000aa'

function call(gasUsed: number, calls: RpcCallFrame[] = [], error?: string): RpcCallFrame {
  return {
    type: 'CALL',
    from: A,
    to: A,
    gas: '0xffff',
    gasUsed: `0x${gasUsed.toString(16)}`,
    input: '0x',
    calls,
    ...(error === undefined ? {} : { error }),
  }
}

/** 0 calls 1 and 4; 1 calls 2 and 3; 4 fails and calls 5. */
const root = call(1000, [call(400, [call(100), call(150)]), call(300, [call(200)], 'execution reverted')])
const nodes = callNodes(root)
const OPEN: ReadonlySet<number> = new Set()

test('calls stand in the order in which they began, with their depth, their own gas and what undid them', () => {
  expect(
    nodes.map(({ index, parent, depth, ownGas, isUndone }) => [index, parent, depth, ownGas, isUndone]),
  ).toEqual([
    [0, undefined, 0, 300, false],
    [1, 0, 1, 150, false],
    [2, 1, 2, 100, false],
    [3, 1, 2, 150, false],
    [4, 0, 1, 100, true],
    [5, 4, 2, 200, true],
  ])
})

test('what is within a closed call is not seen', () => {
  expect(visibleNodes(nodes, new Set([1]))).toEqual([0, 1, 4, 5])
  expect(visibleNodes(nodes, new Set([0, 4]))).toEqual([0])
})

test('keys walk through the tree as ARIA has it', () => {
  const walk = (...keys: string[]) =>
    keys.reduce((state, key) => afterKey(key, state, nodes) ?? state, { chosen: 0, closed: OPEN })
  expect(walk('ArrowDown').chosen).toBe(1)
  expect(walk('ArrowUp').chosen).toBe(0)
  expect(walk('End').chosen).toBe(5)
  expect(walk('End', 'ArrowDown').chosen).toBe(5)
  expect(walk('End', 'ArrowLeft').chosen).toBe(4)
  expect(walk('ArrowRight', 'ArrowLeft')).toEqual({ chosen: 1, closed: new Set([1]) })
  expect(walk('ArrowRight', 'ArrowLeft', 'ArrowDown').chosen).toBe(4)
  expect(walk('ArrowRight', 'ArrowLeft', 'ArrowRight')).toEqual({ chosen: 1, closed: OPEN })
  expect(walk('Enter').closed).toEqual(new Set([0]))
  expect(walk('Enter', '*').closed).toEqual(OPEN)
  expect(afterKey('x', { chosen: 0, closed: OPEN }, nodes)).toBeUndefined()
  expect(toggled({ chosen: 2, closed: new Set([1]) }, 1)).toEqual({ chosen: 2, closed: OPEN })
})

test('boxes of the flame graph lie within those of their callers, and zooming gives one the whole width', () => {
  const whole = flameBoxes(nodes, 0)
  expect(whole.map(({ index, row, left, width }) => [index, row, left, width])).toEqual([
    [0, 0, 0, 1],
    [1, 1, 0, 0.4],
    [2, 2, 0, 0.1],
    [3, 2, 0.1, 0.15],
    [4, 1, 0.4, 0.3],
    [5, 2, 0.4, 0.2],
  ])
  const zoomed = flameBoxes(nodes, 4)
  expect(zoomed.map(({ index, left }) => [index, left])).toEqual([
    [0, 0],
    [4, 0],
    [5, 0],
  ])
  expect(zoomed[2]!.width).toBeCloseTo(2 / 3)
})

test('boxes that nobody would see are left out with what is in them', () => {
  const many = callNodes(call(1_000_000, [call(10, [call(5)]), call(900_000)]))
  expect(flameBoxes(many, 0).map(({ index }) => index)).toEqual([0, 3])
})

test('a flame graph is drawn where a call within can be seen', () => {
  expect(hasFlame(nodes)).toBe(true)
  expect(hasFlame(callNodes(call(100_000, [call(1)])))).toBe(false)
})

test('precompiles have names', () => {
  expect(precompileAt('0x0000000000000000000000000000000000000001')).toBe('ecrecover')
  expect(precompileAt('0x0000000000000000000000000000000000000100')).toBe('p256Verify')
  expect(precompileAt(A)).toBeUndefined()
  expect(precompileAt(undefined)).toBeUndefined()
})

test('a proxy hands its whole input on', () => {
  const inner = {
    ...call(1),
    type: 'DELEGATECALL',
    to: '0x00000000000000000000000000000000000000bb',
  } as const
  const proxy = { ...call(9, [call(1), { ...inner, input: '0x01' }]), input: '0x01' } as const
  expect(delegateOf(proxy)).toBe(inner.to)
  expect(delegateOf({ ...proxy, input: '0x02' })).toBeUndefined()
  expect(delegateOf(call(1))).toBeUndefined()
})
