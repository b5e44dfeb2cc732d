import { MerklePatriciaTrie } from '@ethereumjs/mpt'
import { describe, expect, it } from 'vitest'
import { fromBinary, toBinary } from '../../src/bytes/bytes.ts'
import { toHex } from '../../src/bytes/hex.ts'
import * as trie from '../../src/state/trie.ts'
import { rootOf as rootBytesOf } from '../../src/state/trieEncoding.ts'
import { KEYS, randomValue } from '../support/chains/tries.ts'
import { type Random, withRandom } from '../support/random/random.ts'

type Bytes = trie.Trie<Uint8Array>

describe('the empty trie', () => {
  // keccak(rlp('')), Yellow Paper 4.1.
  it('has the well-known root, holds nothing and stays empty', () => {
    expect(rootOf(undefined)).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
    expect(trie.get(undefined, 'a')).toBeUndefined()
    expect(trie.remove(undefined, 'a')).toBeUndefined()
    expect([...trie.entries(undefined)]).toEqual([])
  })
})

describe.each(Object.entries(KEYS))('a trie with keys %s', (_, makeKeys) => {
  it(
    'has the contents of a Map and the root of @ethereumjs/mpt after any change',
    withRandom(async (random) => {
      const keys = makeKeys(random)
      const theirs = new MerklePatriciaTrie()
      const model = new Map<string, Uint8Array>()
      let ours: Bytes
      for (let step = 0; step < 150; step++) {
        const key = random.pick(keys)
        if (random.chance(removing(step))) {
          ours = trie.remove(ours, key)
          model.delete(key)
          await theirs.del(fromBinary(key))
        } else {
          const value = randomValue(random)
          ours = trie.set(ours, key, value)
          model.set(key, value)
          await theirs.put(fromBinary(key), value)
        }
        expect(rootOf(ours)).toBe(toHex(theirs.root()))
        if (step % 25 === 0) expectContents(ours, model, keys)
      }
      expectContents(ours, model, keys)
    }),
  )

  it(
    'keeps each version’s contents and root while batches make new ones',
    withRandom(async (random) => {
      const keys = makeKeys(random)
      const theirs = new MerklePatriciaTrie()
      const versions: { ours: Bytes; model: Map<string, Uint8Array>; root: string }[] = []
      let ours: Bytes
      let model = new Map<string, Uint8Array>()
      for (let round = 0; round < 25; round++) {
        const batch = trie.newBatch()
        model = new Map(model)
        for (let rest = random.below(20); rest > 0; rest--) {
          const key = random.pick(keys)
          if (random.chance(removing(round * 6))) {
            ours = trie.remove(ours, key, batch)
            model.delete(key)
            await theirs.del(fromBinary(key))
          } else {
            const value = randomValue(random)
            ours = trie.set(ours, key, value, batch)
            model.set(key, value)
            await theirs.put(fromBinary(key), value)
          }
          // Asked for in the middle of a batch, the root is remembered in nodes that still change in place.
          if (random.chance(0.1)) expect(rootOf(ours)).toBe(toHex(theirs.root()))
        }
        versions.push({ ours, model, root: toHex(theirs.root()) })
        // Some roots are asked for at once, some only when newer versions exist: hashes are remembered in shared nodes.
        if (random.chance(0.5)) expect(rootOf(ours)).toBe(toHex(theirs.root()))
        // A side branch that is thrown away must leave no trace either.
        if (random.chance(0.5)) fork(random, ours, keys)
      }
      for (const version of versions.reverse()) {
        expect(rootOf(version.ours)).toBe(version.root)
        expectContents(version.ours, version.model, keys)
      }
    }),
  )
})

describe('a change that changes nothing', () => {
  it('answers the same trie', () => {
    const value = Uint8Array.of(1)
    const two = trie.set(trie.set<Uint8Array>(undefined, 'ab', value), 'cd', value)
    expect(trie.set(two, 'ab', value)).toBe(two)
    expect(trie.remove(two, 'xy')).toBe(two)
    expect(trie.remove(two, 'ax')).toBe(two)
  })
})

describe('a leaf', () => {
  // The sizes at which RLP heads grow, and those around which a node no longer fits into its parent.
  it.each([1, 25, 26, 27, 28, 29, 30, 31, 32, 33, 55, 56, 200, 255, 256, 24_576, 65_536, 70_000])(
    'may hold %d bytes',
    async (length) => {
      const theirs = new MerklePatriciaTrie()
      let ours: Bytes
      for (const first of [0, 0x7f, 0x80, 0xff]) {
        const value = new Uint8Array(length).fill(first)
        const key = Uint8Array.of(first, 7)
        ours = trie.set(ours, toBinary(key), value)
        await theirs.put(key, value)
        expect(rootOf(ours)).toBe(toHex(theirs.root()))
      }
    },
  )
})

function rootOf(bytes: Bytes): string {
  return toHex(rootBytesOf(bytes, (value) => value))
}

/** The trie grows and shrinks by turns, down to nothing at times. */
function removing(step: number): number {
  return step % 100 < 50 ? 0.25 : 0.8
}

function fork(random: Random, bytes: Bytes, keys: readonly string[]): void {
  const batch = trie.newBatch()
  let side = bytes
  for (let rest = 10; rest > 0; rest--) {
    const key = random.pick(keys)
    side = random.chance(0.5)
      ? trie.remove(side, key, batch)
      : trie.set(side, key, randomValue(random), batch)
  }
  rootOf(side)
}

function expectContents(bytes: Bytes, model: ReadonlyMap<string, Uint8Array>, keys: readonly string[]): void {
  expect(keys.filter((key) => trie.get(bytes, key) !== model.get(key))).toEqual([])
  const inOrder = [...model.keys()].sort((a, b) => (a < b ? -1 : 1))
  expect([...trie.entries(bytes)].map(([key]) => key)).toEqual(inOrder)
  // Keys that it has and keys that it lacks.
  for (const key of [keys[0]!, keys[keys.length >> 1]!, keys.at(-1)!, ...inOrder.slice(0, 1)]) {
    const after = [...trie.entriesAfter(bytes, key)].map(([each]) => each)
    expect(after).toEqual(inOrder.filter((each) => each > key))
  }
}
