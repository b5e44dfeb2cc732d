import { describe, expect, it } from 'vitest'
import { jsonText } from '../../src/rpc/jsonText.ts'
import { EventLoop } from '../../src/work/eventLoop.ts'
import { Work } from '../../src/work/work.ts'
import { type Random, withRandom } from '../support/random/random.ts'

/** Any value that JSON has, and what JavaScript has besides. */
function value(random: Random, depth: number): unknown {
  const kinds: (() => unknown)[] = [
    () => random.below(1_000),
    () => 'text with "quotes" \n',
    () => null,
    () => undefined,
    () => true,
    () => ({}),
    () => [],
  ]
  if (depth > 0) {
    kinds.push(
      () => random.list(random.below(6), () => value(random, depth - 1)),
      () =>
        Object.fromEntries(
          random.list(random.below(6), () => [`name ${random.below(20)}"`, value(random, depth - 1)]),
        ),
    )
  }
  return random.pick(kinds)()
}

describe('jsonText', () => {
  it(
    'is what JSON.stringify writes, whatever the value',
    withRandom(async (random) => {
      for (let i = 0; i < 300; i++) {
        const one = { a: value(random, 12), b: [value(random, 12)] }
        expect(await jsonText(one, new Work())).toBe(JSON.stringify(one))
      }
    }),
  )

  it('is so of long arrays, deep trees and long strings', async () => {
    let tree: unknown = { leaf: 1 }
    for (let i = 0; i < 1_000; i++) tree = { calls: [tree, { i }], text: 'x'.repeat(50) }
    const long = {
      list: Array.from({ length: 20_000 }, (_, i) => ({ i, at: [i, undefined] })),
      tree,
      text: 'y'.repeat(1_000_000),
    }
    const text = await jsonText(long, new Work())
    // Not by `toBe`, which would print megabytes.
    expect(text === JSON.stringify(long)).toBe(true)
  })

  it('lets others have their turn while it writes a long answer', async () => {
    let nowMs = 0
    let turns = 0
    const soon = (next: () => void) => {
      turns++
      setImmediate(next)
    }
    const loop = new EventLoop({ now: () => nowMs++, soon }, 1)
    await jsonText(
      Array.from({ length: 100_000 }, (_, i) => [i]),
      new Work({ loop }),
    )
    expect(turns).toBeGreaterThan(100)
  })
})
