/**
 * A persistent Merkle Patricia trie: an immutable map from byte strings to values that knows its Merkle root.
 *
 * `set` and `remove` answer a new trie that shares all but the path to the changed leaf with the old one, so holding
 * an old trie costs one pointer. Each node remembers its own hash once it was asked for, so a new root hashes only
 * what changed.
 *
 * Keys are byte strings held as JavaScript strings with one byte per character (48 bytes for a 32-byte key, where a
 * Uint8Array takes 170), and no key may be a prefix of another. There are no extension nodes: a branch knows at which
 * nibble it parts and one key below it, which together are the extension's path. They appear when the root is
 * encoded (Yellow Paper, appendix D).
 */

import { fromBinary, toBinary } from '../model/binary.ts'
import { countBits } from '../model/bits.ts'
import { keccak256 } from '../model/keccak.ts'

/** An immutable trie; `undefined` is the empty one. */
export type Trie<V> = Leaf<V> | Branch<V> | undefined
type Node<V> = Leaf<V> | Branch<V>

/**
 * Marks the branches that one batch of changes made and may therefore still change in place. Pass the same object to
 * a series of `set` and `remove`, then forget it: from then on the result is immutable.
 */
export type Batch = object

/** How a value stands in its leaf, as bytes. */
export type EncodeValue<V> = (value: V) => Uint8Array

class Leaf<V> {
  readonly key: string
  readonly value: V
  /** This node's reference in its parent, and the nibble at which it was made to begin. */
  reference: string | undefined = undefined
  referenceFrom = -1

  constructor(key: string, value: V) {
    this.key = key
    this.value = value
  }
}

class Branch<V> {
  /** Any key below: its first `depth` nibbles are common to all of them. */
  readonly key: string
  readonly depth: number
  bitmap: number
  children: Node<V>[]
  readonly batch: Batch | undefined
  reference: string | undefined = undefined
  referenceFrom = -1

  constructor(key: string, depth: number, bitmap: number, children: Node<V>[], batch: Batch | undefined) {
    this.key = key
    this.depth = depth
    this.bitmap = bitmap
    this.children = children
    this.batch = batch
  }
}

/** The value at `key`. */
export function get<V>(trie: Trie<V>, key: string): V | undefined {
  let node = trie
  while (node !== undefined) {
    if (node instanceof Leaf) return node.key === key ? node.value : undefined
    const bit = 1 << nibbleAt(key, node.depth)
    if ((node.bitmap & bit) === 0) return undefined
    node = node.children[countBits(node.bitmap & (bit - 1))]
  }
  return undefined
}

/** The trie in which `key` has `value`. */
export function set<V>(trie: Trie<V>, key: string, value: V, batch?: Batch): Node<V> {
  return trie === undefined ? new Leaf(key, value) : setBelow(trie, key, value, 0, batch)
}

function setBelow<V>(node: Node<V>, key: string, value: V, from: number, batch: Batch | undefined): Node<V> {
  if (node instanceof Leaf) {
    if (node.key === key) return node.value === value ? node : new Leaf(key, value)
    return fork(node, new Leaf(key, value), divergence(node.key, key, from), batch)
  }
  const parts = divergence(node.key, key, from, node.depth)
  if (parts < node.depth) return fork(node, new Leaf(key, value), parts, batch)
  const bit = 1 << nibbleAt(key, node.depth)
  const index = countBits(node.bitmap & (bit - 1))
  if ((node.bitmap & bit) === 0) return withInserted(node, bit, index, new Leaf(key, value), batch)
  const child = node.children[index]!
  const changed = setBelow(child, key, value, node.depth + 1, batch)
  return isUntouched(child, changed, batch) ? node : withReplaced(node, index, changed, batch)
}

/** The trie without `key`. */
export function remove<V>(trie: Trie<V>, key: string, batch?: Batch): Trie<V> {
  if (trie === undefined) return undefined
  if (trie instanceof Leaf) return trie.key === key ? undefined : trie
  const bit = 1 << nibbleAt(key, trie.depth)
  if ((trie.bitmap & bit) === 0) return trie
  const index = countBits(trie.bitmap & (bit - 1))
  const child = trie.children[index]!
  const changed = remove(child, key, batch)
  if (isUntouched(child, changed, batch)) return trie
  if (changed !== undefined) return withReplaced(trie, index, changed, batch)
  // A branch with one child left is that child.
  if (trie.children.length === 2) return trie.children[1 - index]
  const children = trie.children.slice()
  children.splice(index, 1)
  return new Branch(trie.key, trie.depth, trie.bitmap & ~bit, children, batch)
}

/** Each key with its value, in the order of the keys. */
export function* entries<V>(trie: Trie<V>): Generator<[key: string, value: V]> {
  if (trie === undefined) return
  if (trie instanceof Leaf) yield [trie.key, trie.value]
  else for (const child of trie.children) yield* entries(child)
}

/** Whether a change below did nothing; a branch of this batch may have changed in place, and then its parents' hashes too. */
function isUntouched<V>(child: Node<V>, changed: Trie<V>, batch: Batch | undefined): boolean {
  return changed === child && !(batch !== undefined && child instanceof Branch && child.batch === batch)
}

function fork<V>(node: Node<V>, leaf: Leaf<V>, depth: number, batch: Batch | undefined): Branch<V> {
  const nodeNibble = nibbleAt(node.key, depth)
  const leafNibble = nibbleAt(leaf.key, depth)
  const children = nodeNibble < leafNibble ? [node, leaf] : [leaf, node]
  return new Branch(leaf.key, depth, (1 << nodeNibble) | (1 << leafNibble), children, batch)
}

function withInserted<V>(
  branch: Branch<V>,
  bit: number,
  index: number,
  child: Node<V>,
  batch: Batch | undefined,
): Branch<V> {
  if (batch !== undefined && branch.batch === batch) {
    branch.children.splice(index, 0, child)
    branch.bitmap |= bit
    branch.reference = undefined
    return branch
  }
  const children = branch.children.slice()
  children.splice(index, 0, child)
  return new Branch(branch.key, branch.depth, branch.bitmap | bit, children, batch)
}

function withReplaced<V>(
  branch: Branch<V>,
  index: number,
  child: Node<V>,
  batch: Batch | undefined,
): Branch<V> {
  if (batch !== undefined && branch.batch === batch) {
    branch.children[index] = child
    branch.reference = undefined
    return branch
  }
  const children = branch.children.slice()
  children[index] = child
  return new Branch(branch.key, branch.depth, branch.bitmap, children, batch)
}

/** The first nibble at or after `from` in which two keys differ, at most `limit`. */
function divergence(a: string, b: string, from: number, limit = Number.MAX_SAFE_INTEGER): number {
  let nibble = from
  while (nibble < limit && nibbleAt(a, nibble) === nibbleAt(b, nibble)) nibble++
  return nibble
}

function nibbleAt(key: string, nibble: number): number {
  const byte = key.charCodeAt(nibble >> 1)
  return (nibble & 1) === 0 ? byte >> 4 : byte & 15
}

/** keccak(rlp('')), the root of the empty trie. */
export const EMPTY_ROOT_BYTES: Uint8Array = keccak256(Uint8Array.of(0x80))

/** The Merkle root, 32 bytes. */
export function rootOf<V>(trie: Trie<V>, encodeValue: EncodeValue<V>): Uint8Array {
  if (trie === undefined) return EMPTY_ROOT_BYTES
  const reference = referenceOf(trie, 0, encodeValue)
  // A root is a hash however short its node is.
  return reference.length === 32 ? fromBinary(reference) : keccak256(fromBinary(reference))
}

/** What stands for `node` in a parent that leads to its nibble `from`: its RLP if below 32 bytes, else the hash of it. */
function referenceOf<V>(node: Node<V>, from: number, encodeValue: EncodeValue<V>): string {
  if (node.reference !== undefined && node.referenceFrom === from) return node.reference
  const encoded =
    node instanceof Leaf ? encodeLeaf(node, from, encodeValue) : encodeBranch(node, from, encodeValue)
  node.reference = toReference(encoded)
  node.referenceFrom = from
  return node.reference
}

function toReference(encoded: Uint8Array): string {
  return toBinary(encoded.length < 32 ? encoded : keccak256(encoded))
}

function encodeLeaf<V>(leaf: Leaf<V>, from: number, encodeValue: EncodeValue<V>): Uint8Array {
  const value = encodeValue(leaf.value)
  const scratch = new Scratch(value.length + (leaf.key.length >> 1) + 64)
  scratch.path(leaf.key, from, leaf.key.length * 2, true)
  scratch.bytes(value)
  return scratch.list()
}

function encodeBranch<V>(branch: Branch<V>, from: number, encodeValue: EncodeValue<V>): Uint8Array {
  const scratch = new Scratch(16 * 33 + 16)
  let index = 0
  for (let nibble = 0; nibble < 16; nibble++) {
    if ((branch.bitmap & (1 << nibble)) === 0) scratch.empty()
    else scratch.reference(referenceOf(branch.children[index++]!, branch.depth + 1, encodeValue))
  }
  scratch.empty() // no key ends at a branch
  const encoded = scratch.list()
  if (branch.depth === from) return encoded
  const extension = new Scratch(128)
  extension.path(branch.key, from, branch.depth, false)
  extension.reference(toReference(encoded))
  return extension.list()
}

/** Writes the items of one RLP list, and its head at last. */
class Scratch {
  readonly #out: Uint8Array
  #at = 4 // room for the head

  constructor(size: number) {
    this.#out = new Uint8Array(size)
  }

  empty(): void {
    this.#out[this.#at++] = 0x80
  }

  reference(reference: string): void {
    if (reference.length === 32) this.#out[this.#at++] = 0xa0
    for (let i = 0; i < reference.length; i++) this.#out[this.#at++] = reference.charCodeAt(i)
  }

  bytes(bytes: Uint8Array): void {
    if (bytes.length === 1 && bytes[0]! < 0x80) {
      this.#out[this.#at++] = bytes[0]!
      return
    }
    this.#head(0x80, bytes.length)
    this.#out.set(bytes, this.#at)
    this.#at += bytes.length
  }

  /** Nibbles `from` to `to` of `key` in hex-prefix encoding (Yellow Paper, appendix C). */
  path(key: string, from: number, to: number, isLeaf: boolean): void {
    const odd = (to - from) & 1
    const length = ((to - from) >> 1) + 1
    const first = (isLeaf ? 0x20 : 0) | (odd ? 0x10 | nibbleAt(key, from) : 0)
    if (length > 1) this.#head(0x80, length)
    this.#out[this.#at++] = first
    for (let nibble = from + odd; nibble < to; nibble += 2) {
      this.#out[this.#at++] = (nibbleAt(key, nibble) << 4) | nibbleAt(key, nibble + 1)
    }
  }

  list(): Uint8Array {
    const length = this.#at - 4
    const headLength = length < 56 ? 1 : length < 0x100 ? 2 : length < 0x10000 ? 3 : 4
    const start = 4 - headLength
    const end = this.#at
    this.#at = start
    this.#head(0xc0, length)
    return this.#out.subarray(start, end)
  }

  #head(offset: number, length: number): void {
    if (length < 56) {
      this.#out[this.#at++] = offset + length
      return
    }
    const bytes = length < 0x100 ? 1 : length < 0x10000 ? 2 : 3
    this.#out[this.#at++] = offset + 55 + bytes
    for (let shift = (bytes - 1) * 8; shift >= 0; shift -= 8) this.#out[this.#at++] = (length >> shift) & 0xff
  }
}
