import { createMerkleProof, MerklePatriciaTrie } from '@ethereumjs/mpt'
import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { fromBinary, toBinary } from '../../src/bytes/bytes.ts'
import { type Hex, toHex } from '../../src/bytes/hex.ts'
import * as trie from '../../src/state/trie.ts'
import { proofOf, rootOf } from '../../src/state/trieEncoding.ts'
import { KEYS, randomValue } from '../support/chains/tries.ts'
import { proven } from '../support/nodes/proofs.ts'
import { type Random, withRandom } from '../support/random/random.ts'

type Bytes = trie.Trie<Uint8Array>

describe('the empty trie', () => {
  it('has an empty proof, which shows the absence of any key', async () => {
    expect(proofOf(undefined, 'ab', itself)).toEqual([])
    expect(await shownBy(undefined, 'ab')).toBeUndefined()
  })
})

describe.each(Object.entries(KEYS))('the proofs of a trie with keys %s', (_, makeKeys) => {
  it(
    'show each value and each absence, in the nodes of @ethereumjs/mpt',
    withRandom(async (random) => {
      const keys = makeKeys(random)
      for (const size of [1, 2, 3, 8, 40, keys.length]) {
        const held = new Map(keys.slice(0, size).map((key) => [key, randomValue(random)]))
        const ours = trieOf(held)
        const theirs = await theirTrieOf(held)
        for (const key of [...sample(random, [...held.keys()]), ...absentKeys(random, keys, held)]) {
          expect(await shownBy(ours, key)).toBe(hexOf(held.get(key)))
          expect(hexProofOf(ours, key)).toEqual(await theirProofOf(theirs, key))
        }
      }
    }),
  )

  it(
    'stay what they are while batches make new versions',
    withRandom(async (random) => {
      const keys = makeKeys(random)
      const versions: { ours: Bytes; held: Map<string, Uint8Array> }[] = []
      let ours: Bytes
      let held = new Map<string, Uint8Array>()
      for (let round = 0; round < 12; round++) {
        const batch = trie.newBatch()
        held = new Map(held)
        for (let rest = random.below(20); rest > 0; rest--) {
          const key = random.pick(keys)
          if (random.chance(0.4)) {
            ours = trie.remove(ours, key, batch)
            held.delete(key)
          } else {
            const value = randomValue(random)
            ours = trie.set(ours, key, value, batch)
            held.set(key, value)
          }
          // Asked for in the middle of a batch, nodes remember hashes and still change in place.
          if (random.chance(0.1)) proofOf(ours, key, itself)
        }
        versions.push({ ours, held })
      }
      for (const { ours, held } of versions.reverse()) {
        for (const key of random.list(5, () => random.pick(keys))) {
          expect(await shownBy(ours, key)).toBe(hexOf(held.get(key)))
        }
      }
    }),
  )
})

describe('the proofs of a trie of any size', () => {
  it.each([1, 2, 3, 10, 100, 1_000, 5_000])('are those of @ethereumjs/mpt, with %i keys', (size) =>
    withRandom(async (random) => {
      const held = new Map(
        random.list(size, () => [toBinary(random.bytes(32)), random.bytes(random.between(1, 110))]),
      )
      const ours = trieOf(held)
      const theirs = await theirTrieOf(held)
      const absent = random.list(20, () => toBinary(random.bytes(32)))
      for (const key of [...sample(random, [...held.keys()]), ...absent]) {
        expect(await shownBy(ours, key)).toBe(hexOf(held.get(key)))
        expect(hexProofOf(ours, key)).toEqual(await theirProofOf(theirs, key))
      }
    })(),
  )
})

describe('a node below 32 bytes', () => {
  // Leaves with no nibbles left: c2 20 05 and c2 20 06. The branch that has them at 0 and 1 and 15 empty items: d5.
  const BRANCH = `d5c22005c22006${'80'.repeat(15)}`

  it('stands in its parent, while the root is an item however short', () => {
    const ours = trieOf(
      new Map([
        ['\x10', Uint8Array.of(5)],
        ['\x11', Uint8Array.of(6)],
      ]),
    )
    // The root is an extension by the nibble 1, in which the branch stands whole: 1 + 22 bytes.
    const root: Hex = `0xd711${BRANCH}`
    expect(toHex(rootOf(ours, itself))).toBe(keccak256(root))
    for (const key of ['\x10', '\x11', '\x12', '\x21']) expect(hexProofOf(ours, key)).toEqual([root])
  })

  it('is left out below a longer one, and what is hashed below it is not', () => {
    const long = new Uint8Array(32).fill(7)
    const ours = trieOf(
      new Map([
        ['\x10', Uint8Array.of(5)],
        ['\x11', Uint8Array.of(6)],
        ['\x20', long],
      ]),
    )
    // The leaf of 0x20 has the nibble 0 left: its path is 30, its value a0 and 32 bytes; 34 bytes, c0 + 34 = e2.
    const leaf: Hex = `0xe230a0${'07'.repeat(32)}`
    // The root parts at the first nibble: 80, the branch of 22 bytes, a0 and the leaf's hash, 14 times 80: 70 bytes.
    const root: Hex = `0xf84680${BRANCH}a0${keccak256(leaf).slice(2)}${'80'.repeat(14)}`
    expect(toHex(rootOf(ours, itself))).toBe(keccak256(root))
    expect(hexProofOf(ours, '\x10')).toEqual([root])
    expect(hexProofOf(ours, '\x20')).toEqual([root, leaf])
  })
})

describe('a leaf below a branch', () => {
  // c0 + length, a path of one byte, 80 + length and the value: 3 bytes more than the value has.
  it.each([
    [28, 1],
    [29, 2],
  ])('with a value of %i bytes makes a proof of %i items', (length, items) => {
    const value = new Uint8Array(length).fill(0xff)
    const ours = trieOf(
      new Map([
        ['\x10', value],
        ['\x20', value],
      ]),
    )
    expect(
      proofOf(ours, '\x10', itself)
        .map((node) => node.length)
        .slice(1),
    ).toEqual(Array(items - 1).fill(32))
  })
})

describe('an absence', () => {
  const value = new Uint8Array(40).fill(1)
  const two = trieOf(
    new Map([
      ['\x12\x34\x01', value],
      ['\x12\x34\x11', value],
    ]),
  )

  it.each<[what: string, key: string, ours: Bytes, items: number]>([
    ['a leaf that has its place', 'ac', trieOf(new Map([['ab', value]])), 1],
    ['an extension that leads elsewhere', '\x12\x44\x01', two, 1],
    ['an empty item of a branch', '\x12\x34\x21', two, 2],
    ['a leaf below a branch', '\x12\x34\x02', two, 3],
  ])('is shown by %s', async (_, key, ours, items) => {
    expect(proofOf(ours, key, itself)).toHaveLength(items)
    expect(await shownBy(ours, key)).toBeUndefined()
  })
})

describe('whoever is shown a proof', () => {
  it(
    'refuses it once a node is changed, missing, added or moved',
    withRandom(async (random) => {
      const held = new Map(random.list(200, () => [toBinary(random.bytes(32)), random.bytes(40)]))
      const ours = trieOf(held)
      const [key] = held.keys()
      const show = (proof: Hex[]) => proven(toHex(rootOf(ours, itself)), toHex(fromBinary(key!)), proof)
      const proof = hexProofOf(ours, key!)
      expect(proof.length).toBeGreaterThan(1)
      await show(proof)
      for (const [at, node] of proof.entries()) {
        const changed: Hex = `${node.slice(0, -1)}${node.endsWith('0') ? '1' : '0'}` as Hex
        await expect(show(proof.with(at, changed))).rejects.toThrow('expected the node')
        await expect(show(proof.toSpliced(at, 1))).rejects.toThrow('the node')
        await expect(show(proof.toSpliced(at, 0, node))).rejects.toThrow('node')
      }
      await expect(show(proof.toReversed())).rejects.toThrow('expected the node')
      await expect(show([])).rejects.toThrow('is missing')
    }),
  )
})

function itself(value: Uint8Array): Uint8Array {
  return value
}

function trieOf(held: ReadonlyMap<string, Uint8Array>): Bytes {
  const batch = trie.newBatch()
  let made: Bytes
  for (const [key, value] of held) made = trie.set(made, key, value, batch)
  return made
}

async function theirTrieOf(held: ReadonlyMap<string, Uint8Array>): Promise<MerklePatriciaTrie> {
  const made = new MerklePatriciaTrie()
  for (const [key, value] of held) await made.put(fromBinary(key), value)
  return made
}

function hexProofOf(ours: Bytes, key: string): Hex[] {
  return proofOf(ours, key, itself).map(toHex)
}

/** Theirs has an item for each node, also for those that stand in their parents, where go-ethereum's has none. */
async function theirProofOf(theirs: MerklePatriciaTrie, key: string): Promise<Hex[]> {
  const [root, ...below] = await createMerkleProof(theirs, fromBinary(key))
  return [root!, ...below.filter((node) => node.length >= 32)].map(toHex)
}

/** The value that our proof shows to another implementation, by the root alone. */
function shownBy(ours: Bytes, key: string): Promise<Hex | undefined> {
  return proven(toHex(rootOf(ours, itself)), toHex(fromBinary(key)), hexProofOf(ours, key))
}

function hexOf(value: Uint8Array | undefined): Hex | undefined {
  return value && toHex(value)
}

/** Up to 40 of `keys`. */
function sample(random: Random, keys: readonly string[]): string[] {
  return keys.length <= 40 ? [...keys] : random.list(40, () => random.pick(keys))
}

/** Keys that are not held: some of those that could be, and some that leave a held one at any nibble. */
function absentKeys(
  random: Random,
  keys: readonly string[],
  held: ReadonlyMap<string, Uint8Array>,
): string[] {
  const near = random.list(20, () => {
    const key = fromBinary(random.pick(keys))
    key[random.below(key.length)]! ^= 1 << random.below(8)
    return toBinary(key)
  })
  return [...sample(random, keys), ...near].filter((key) => !held.has(key))
}
