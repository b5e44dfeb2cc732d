/** Puzzles whose number of states is known. */
import { describe, expect, it } from 'vitest'
import type { Deployed } from '../../src/index.ts'
import { defineFixture } from '../../src/testing/fixture.ts'
import { call, explore, oneOf, type World } from '../../src/testing/index.ts'
import { contractsOf } from './exploreContracts.ts'

const contract = contractsOf('puzzles')

/** Deploys a contract, and returns the fixture with it. */
const deployed = (name: string, ...args: unknown[]) =>
  defineFixture(async (devnet) => ({ it: await devnet.deploy(contract(name), { args }) }))

/** The numbers below `count`. */
const indices = (count: number) => oneOf(...(Array.from({ length: count }, (_, i) => BigInt(i)) as [bigint]))

const EVERYTHING = { actors: ['0x00000000000000000000000000000000000000aa'], seconds: 60 } as const

describe('explore', () => {
  // States of a ring in which no fork is held twice: the trace of the nth power of the matrix of neighbours.
  it.each([2, 3, 4, 5, 6])(
    'finds all states of %i philosophers, and that they can be stuck',
    async (count) => {
      const fixture = deployed('Philosophers', count)
      const actions = ({ it }: { it: Deployed }) => ({
        takeLeft: call(it, 'takeLeft', { args: [indices(count)] }),
        takeRight: call(it, 'takeRight', { args: [indices(count)] }),
        putBack: call(it, 'putBack', { args: [indices(count)] }),
      })
      const { states, isComplete } = await explore(fixture, { ...EVERYTHING, actions })
      expect({ states, isComplete }).toEqual({ states: ringStates(count), isComplete: true })
      const stuck = explore(fixture, {
        ...EVERYTHING,
        actions,
        invariants: { progress: (world, { it }) => !world.read(it, 'isStuck') },
      })
      await expect(stuck).rejects.toMatchObject({ rule: 'invariant progress' })
      expect((await stuck.catch((error) => error)).story).toHaveLength(count)
    },
  )

  // 288 for three resource managers: Lamport, TLA+ Video Course, lecture 6, "Two-Phase Commit".
  it('finds the 288 states of a two-phase commit with three resource managers, none of them split', async () => {
    const { states, isComplete } = await explore(deployed('TwoPhaseCommit', 3), {
      ...EVERYTHING,
      actions: ({ it }) => {
        const each = (name: string) => call(it, name, { args: [indices(3)] })
        return {
          receivePrepared: each('receivePrepared'),
          commit: call(it, 'commit'),
          abort: call(it, 'abort'),
          prepare: each('prepare'),
          chooseToAbort: each('chooseToAbort'),
          receiveCommit: each('receiveCommit'),
          receiveAbort: each('receiveAbort'),
        }
      },
      invariants: { consistent: (world, { it }) => !world.read(it, 'isSplit') },
    })
    expect({ states, isComplete }).toEqual({ states: 288, isComplete: true })
  })

  it.each([
    { capacity: 3, items: 2 },
    { capacity: 6, items: 3 },
  ])('finds every content of a queue of $capacity for $items items', async ({ capacity, items }) => {
    const { states, isComplete } = await explore(deployed('BoundedQueue', capacity), {
      ...EVERYTHING,
      actions: ({ it }) => ({
        put: call(it, 'put', {
          args: [oneOf(...(Array.from({ length: items }, (_, i) => i + 1) as [number]))],
        }),
        take: call(it, 'take'),
      }),
    })
    // Items of all lengths: 1 + k + k^2 + … + k^capacity.
    expect({ states, isComplete }).toEqual({
      states: (items ** (capacity + 1) - 1) / (items - 1),
      isComplete: true,
    })
  })

  it('finds the only state at the greatest depth that breaks a rule', async () => {
    const { story } = await explore(deployed('BoundedQueue', 6), {
      ...EVERYTHING,
      actions: ({ it }) => ({
        put: call(it, 'put', { args: [oneOf(1, 2, 3)] }),
        take: call(it, 'take'),
      }),
      // An array of six items that are all 3 is packed into one slot.
      invariants: {
        'not all three': (world, { it }) => {
          for (let i = 0n; i < 6n; i++) if (valueAt(world, it, i) !== 3) return true
          return false
        },
      },
    }).catch((error) => error)
    expect(story.map(({ args }: { args: unknown[] }) => args[0])).toEqual([3, 3, 3, 3, 3, 3])
  })
})

/** Returns an item of the queue; `undefined` beyond its end. */
function valueAt(world: World, queue: Deployed, index: bigint): unknown {
  try {
    return world.read(queue, 'items', index)
  } catch {
    return undefined
  }
}

/** Counts rings of thinking (T), left-holding (L) and eating (E) philosophers, in which only T follows E. */
function ringStates(count: number): number {
  const next = [
    [1, 1, 1],
    [1, 1, 1],
    [1, 0, 0],
  ]
  let power = next
  for (let i = 1; i < count; i++) {
    power = power.map((row) =>
      next[0]!.map((_, j) => row.reduce((sum, value, k) => sum + value * next[k]![j]!, 0)),
    )
  }
  return power.reduce((sum, row, i) => sum + row[i]!, 0)
}
