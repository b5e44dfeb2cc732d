import { beforeAll, describe, expect, it } from 'vitest'
import { PersistentMap } from '../../../src/model/collections/persistentMap.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

describe('a persistent map', () => {
  it(
    'behaves like a Map under random changes, and each old version stays what it was',
    withRandom((random) => {
      for (let round = 0; round < 4; round++) {
        // Few keys, so that they are overwritten and deleted; colliding ones among them.
        const keys = [
          ...collisions.flat().slice(0, 12),
          ...random.list(random.pick([5, 60, 600]), () => randomKey(random)),
        ]
        let map = PersistentMap.empty<number>()
        let model = new Map<string, number>()
        const versions: (readonly [PersistentMap<number>, Map<string, number>])[] = [[map, model]]
        for (let step = 0; step < 300; step++) {
          ;[map, model] = changed(random, keys, map, model)
          expectSame(map, model, keys, step % 20 === 0)
          if (random.chance(0.1)) versions.push([map, model])
        }
        for (const [old, contents] of versions) expectSame(old, contents, keys, true)
      }
    }),
  )

  it('keeps what it already has: setting an equal value or deleting a missing key answers the same map', () => {
    const map = PersistentMap.empty<number>().set('a', 1).set('b', 2)
    expect(map.set('a', 1)).toBe(map)
    expect(map.setAll([])).toBe(map)
    expect(map.delete('c')).toBe(map)
    expect(PersistentMap.empty().delete('a')).toBe(PersistentMap.empty())
  })

  it('is the empty map again after its last key was deleted', () => {
    expect(PersistentMap.empty<number>().set('a', 1).delete('a')).toBe(PersistentMap.empty())
  })

  it('does not change a map that setAll started from, nor one that it answered', () => {
    const first = PersistentMap.empty<number>().setAll(numbered(0, 100))
    const second = first.setAll(numbered(50, 150, 1000))
    const third = second.setAll(numbered(0, 150, 2000))
    expect(new Map(first.entries())).toEqual(new Map(numbered(0, 100)))
    expect(new Map(second.entries())).toEqual(new Map([...numbered(0, 100), ...numbered(50, 150, 1000)]))
    expect(new Map(third.entries())).toEqual(new Map(numbered(0, 150, 2000)))
  })

  it('holds 200,000 keys', () => {
    const entries = numbered(0, 200_000)
    const map = PersistentMap.empty<number>().setAll(entries)
    expect(map.size).toBe(200_000)
    expect(entries.every(([key, value]) => map.get(key) === value)).toBe(true)
    expect(map.get('200000')).toBeUndefined()
  })

  it(
    'lists equal sets of keys in the same order, whatever became of them before',
    withRandom((random) => {
      const keys = [...collisions.flat(), ...random.list(200, () => randomKey(random))]
      const others = random.list(100, () => randomKey(random)).filter((key) => !keys.includes(key))
      const listed = random.list(4, () => {
        let map = PersistentMap.empty<string>().setAll(
          shuffled(random, [...keys, ...others]).map((key) => [key, key] as const),
        )
        for (const key of shuffled(random, [...others, ...keys.slice(0, 20)])) map = map.delete(key)
        for (const key of shuffled(random, keys)) map = map.set(key, key)
        return [...map.entries()].map(([key]) => key)
      })
      expect(new Set(listed[0])).toEqual(new Set(keys))
      for (const list of listed) expect(list).toEqual(listed[0])
    }),
  )

  describe('with keys of equal hash', () => {
    it('tells them apart', () => {
      for (const keys of collisions) {
        let map = PersistentMap.empty<number>().setAll(keys.map((key, i) => [key, i] as const))
        expect(map.size).toBe(keys.length)
        expect(keys.map((key) => map.get(key))).toEqual([...keys.keys()])
        for (const [i, key] of keys.entries()) {
          map = map.delete(key)
          expect(map.size).toBe(keys.length - i - 1)
          expect(map.has(key)).toBe(false)
          expect(keys.slice(i + 1).every((other) => map.has(other))).toBe(true)
        }
      }
    })

    it('does not find a key of the same hash that was never set', () => {
      const [a, b, c] = collisions[0]!
      const map = PersistentMap.empty<number>().set(a!, 1).set(b!, 2)
      expect(map.get(c!)).toBeUndefined()
      expect(map.delete(c!)).toBe(map)
      expect(PersistentMap.empty<number>().set(a!, 1).get(b!)).toBeUndefined()
    })

    it('overwrites one without adding a key', () => {
      const [a, b] = collisions[0]!
      const map = PersistentMap.empty<number>().set(a!, 1).set(b!, 2).set(a!, 3)
      expect(map.size).toBe(2)
      expect([map.get(a!), map.get(b!)]).toEqual([3, 2])
      expect(map.set(b!, 2)).toBe(map)
    })
  })
})

/** Groups of four keys with the same hash. */
let collisions: string[][]

beforeAll(() => {
  // The map hashes with FNV-1a, whose state after a colliding pair is the same again: after two pairs in a row there
  // are four keys with one hash (Joux 2004), and whatever is appended to all of them leaves them equal.
  const first = collidingPair('')
  const second = collidingPair(first[0])
  const four = first.flatMap((head) => second.map((tail) => head + tail))
  for (const key of four) expect(fnv1a(key)).toBe(fnv1a(four[0]!))
  collisions = ['', 'x', 'yz'].map((suffix) => four.map((key) => key + suffix))
})

/** Two different strings that hash alike when they follow `prefix`. */
function collidingPair(prefix: string): [string, string] {
  const seen = new Map<number, string>()
  for (let i = 0; ; i++) {
    const text = Math.imul(i, 0x9e3779b1).toString(36)
    const hash = fnv1a(prefix + text)
    const other = seen.get(hash)
    if (other !== undefined) return [other, text]
    seen.set(hash, text)
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

function changed(
  random: Random,
  keys: readonly string[],
  map: PersistentMap<number>,
  before: Map<string, number>,
): [PersistentMap<number>, Map<string, number>] {
  const model = new Map(before)
  const key = random.pick(keys)
  switch (random.below(5)) {
    case 0:
    case 1: {
      const value = random.below(4)
      return [map.set(key, value), model.set(key, value)]
    }
    case 2:
    case 3:
      model.delete(key)
      return [map.delete(key), model]
    default: {
      const entries = random.list(random.below(40), () => [random.pick(keys), random.below(4)] as const)
      for (const [key, value] of entries) model.set(key, value)
      return [map.setAll(entries), model]
    }
  }
}

function expectSame(
  map: PersistentMap<number>,
  model: Map<string, number>,
  keys: readonly string[],
  entirely: boolean,
): void {
  expect(map.size).toBe(model.size)
  const wrong = keys.filter((key) => map.get(key) !== model.get(key) || map.has(key) !== model.has(key))
  expect(wrong).toEqual([])
  if (entirely) expect(sorted([...map.entries()])).toEqual(sorted([...model]))
}

function sorted<T extends [string, ...unknown[]]>(rows: T[]): T[] {
  return rows.sort(([a], [b]) => (a < b ? -1 : 1))
}

function numbered(start: number, end: number, add = 0): [string, number][] {
  return Array.from({ length: end - start }, (_, i) => [String(start + i), start + i + add])
}

function randomKey(random: Random): string {
  return random.hex(random.pick([1, 2, 20]))
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => [random.fraction(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)
}
