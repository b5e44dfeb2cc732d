import { describe, expect, it } from 'vitest'
import * as trie from '../../src/state/trie.ts'
import { changesBetween } from '../../src/state/trieChanges.ts'
import { KEYS } from '../support/chains/tries.ts'
import { withRandom } from '../support/random/random.ts'

type Value = { readonly value: number }
type Numbers = trie.Trie<Value>

/** The differences between two maps, in the order of the keys. */
function changesOf(before: ReadonlyMap<string, Value>, after: ReadonlyMap<string, Value>) {
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((key) => [key, before.get(key), after.get(key)] as const)
    .filter(([, was, is]) => was !== is)
}

describe.each(Object.entries(KEYS))('tries with keys %s', (_, makeKeys) => {
  it(
    'differ as Maps do that have had the same changes',
    withRandom((random) => {
      const keys = makeKeys(random)
      const versions: { ours: Numbers; model: ReadonlyMap<string, Value> }[] = [
        { ours: undefined, model: new Map() },
      ]
      for (let round = 0; round < 30; round++) {
        const { ours, model } = random.pick(versions)
        const next = { ours, model: new Map(model) }
        const batch = trie.newBatch()
        for (let i = random.below(12); i > 0; i--) {
          const key = random.pick(keys)
          if (random.chance(0.4)) {
            next.ours = trie.remove(next.ours, key, batch)
            next.model.delete(key)
          } else {
            const value = { value: random.below(9) }
            next.ours = trie.set(next.ours, key, value, batch)
            next.model.set(key, value)
          }
        }
        versions.push(next)
      }
      for (let i = 0; i < 200; i++) {
        const [before, after] = [random.pick(versions), random.pick(versions)]
        expect([...changesBetween(before.ours, after.ours)]).toEqual(changesOf(before.model, after.model))
      }
    }),
  )

  it(
    'differ in nothing but identity that were built apart',
    withRandom((random) => {
      const keys = makeKeys(random)
      const build = (order: readonly string[]): Numbers => {
        let ours: Numbers
        for (const key of order) ours = trie.set(ours, key, { value: key.length })
        return ours
      }
      const [one, other] = [build(keys), build(keys.toReversed())]
      const changes = [...changesBetween(one, other)]
      expect(changes.map(([key]) => key)).toEqual([...new Set(keys)].sort())
      for (const [, was, is] of changes) expect(is).toEqual(was)
    }),
  )
})
