import { expect, it } from 'vitest'
import type { Hash } from '../../../src/bytes/hex.ts'
import { HashIndex, type Place } from '../../../src/model/collections/hashIndex.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

/** A hash whose first 32 bits others are likely to have too. */
function randomHash(random: Random): Hash {
  return `0x${random
    .below(random.pick([3, 2 ** 32]))
    .toString(16)
    .padStart(8, '0')}${random.hex(28).slice(2)}`
}

it(
  'finds the last place of each hash, and each version what was added to it, through all merges',
  withRandom((random) => {
    let index = HashIndex.empty
    const there = new Map<Hash, Place[]>()
    const versions: (readonly [HashIndex, number])[] = [[index, -1]]
    const hashes: Hash[] = []
    for (let number = 0; hashes.length < 12_000; number++) {
      const entries = random
        .list(random.pick([0, 1, 5, 700]), () => randomHash(random))
        .map((hash, i) => [hash, { number, index: i }] as const)
      // Now and then a hash comes a second time.
      if (hashes.length > 0 && random.chance(0.1))
        entries.push([random.pick(hashes), { number, index: 9_999 }])
      index = index.add(entries)
      for (const [hash, place] of entries) there.set(hash, [...(there.get(hash) ?? []), place])
      hashes.push(...entries.map(([hash]) => hash))
      if (random.chance(0.05)) versions.push([index, number])
    }
    const last = [index, Number.MAX_SAFE_INTEGER] as const
    for (const [version, newest] of [...random.list(5, () => random.pick(versions)), last]) {
      for (const hash of random.list(200, () =>
        random.chance(0.2) ? randomHash(random) : random.pick(hashes),
      )) {
        const places = there.get(hash) ?? []
        const isThere = ({ number, index: i }: Place) =>
          places.findLast((place) => place.number === number)?.index === i
        expect(version.find(hash, isThere)).toEqual(places.findLast(({ number }) => number <= newest))
      }
    }
  }),
)

it(
  'finds an older place where the newest is refused, as that of a block that is gone',
  withRandom((random) => {
    const hash = randomHash(random)
    const others = () => random.list(2_000, () => [randomHash(random), { number: 5, index: 0 }] as const)
    const index = HashIndex.empty
      .add([[hash, { number: 1, index: 2 }]])
      .add(others())
      .add([[hash, { number: 3, index: 4 }]])
      .add(others())
    expect(index.find(hash, ({ number }) => number < 3)).toEqual({ number: 1, index: 2 })
    expect(index.find(hash, ({ number }) => number < 5)).toEqual({ number: 3, index: 4 })
    expect(index.find(hash, () => false)).toBeUndefined()
  }),
)
