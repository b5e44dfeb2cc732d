/**
 * Encodes trie nodes (Yellow Paper, appendix D), and computes Merkle roots and proofs.
 *
 * A branch of `trie.ts` is encoded as a branch node. If all keys of the branch share further nibbles, an extension
 * node with these nibbles precedes the branch node.
 */
import { countBits, fromBinary, toBinary } from '../bytes/bytes.ts'
import { fromHex } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import {
  Branch,
  divergence,
  HashNode,
  Leaf,
  type Node,
  nibbleAt,
  type Trie,
  throwNotFetchedNode,
} from './trie.ts'

export type EncodeValue<V> = (value: V) => Uint8Array

export const EMPTY_ROOT_BYTES: Uint8Array = fromHex(
  '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
)

export function rootOf<V>(trie: Trie<V>, encodeValue: EncodeValue<V>): Uint8Array {
  if (trie === undefined) return EMPTY_ROOT_BYTES
  const reference = referenceOf(trie, 0, encodeValue)
  // The root is always a hash, even if its node is shorter than 32 bytes.
  return reference.length === 32 ? fromBinary(reference) : keccak256(fromBinary(reference))
}

/** Returns the reference to `node`, encoded from nibble `from` on: its hash, or its RLP if shorter than 32 bytes. */
function referenceOf<V>(node: Node<V>, from: number, encodeValue: EncodeValue<V>): string {
  if (node.reference !== undefined && node.referenceFrom === from) return node.reference
  node.reference = newReference(node, from, encodeValue)
  node.referenceFrom = from
  return node.reference
}

function newReference<V>(node: Node<V>, from: number, encodeValue: EncodeValue<V>): string {
  if (node instanceof Leaf) return toReference(encodeLeaf(node, from, encodeValue))
  if (node instanceof Branch) return toReference(encodeBranch(node, from, encodeValue))
  return node.depth === from ? node.hash : toReference(encodeHashNode(node, from))
}

function toReference(encoded: Uint8Array): string {
  return toBinary(encoded.length < 32 ? encoded : keccak256(encoded))
}

function encodeLeaf<V>(leaf: Leaf<V>, from: number, encodeValue: EncodeValue<V>): Uint8Array {
  const value = encodeValue(leaf.value)
  writer.begin(value.length + (leaf.key.length >> 1) + 64)
  writer.path(leaf.key, from, leaf.key.length * 2, true)
  writer.bytes(value)
  return writer.list()
}

function encodeBranch<V>(branch: Branch<V>, from: number, encodeValue: EncodeValue<V>): Uint8Array {
  const encoded = encodeChildren(branch, encodeValue)
  return branch.depth === from ? encoded : encodeExtension(branch, from, encoded)
}

/** Returns the encoded branch node, without the extension node before the branch node. */
function encodeChildren<V>(branch: Branch<V>, encodeValue: EncodeValue<V>): Uint8Array {
  const { children, bitmap, depth } = branch
  // Before the first write, because the children are encoded in the same buffer.
  for (const child of children) referenceOf(child, depth + 1, encodeValue)
  writer.begin(16 * 33 + 16)
  let index = 0
  for (let nibble = 0; nibble < 16; nibble++) {
    if ((bitmap & (1 << nibble)) === 0) writer.empty()
    else writer.reference(children[index++]!.reference!)
  }
  writer.empty() // no key ends at a branch
  return writer.list()
}

/** Encodes the extension node whose path starts at nibble `from`. `encoded`: the encoded branch node below it. */
function encodeExtension<V>(branch: Branch<V>, from: number, encoded: Uint8Array): Uint8Array {
  return extensionTo(branch, from, toReference(encoded))
}

/** Returns the encoded extension node from nibble `from` to a branch node whose content is unknown. */
function encodeHashNode(node: HashNode, from: number): Uint8Array {
  return node.isBranch ? extensionTo(node, from, node.hash) : throwNotFetchedNode(node)
}

function extensionTo(
  { key, depth }: { readonly key: string; readonly depth: number },
  from: number,
  reference: string,
): Uint8Array {
  writer.begin(128)
  writer.path(key, from, depth, false)
  writer.reference(reference)
  return writer.list()
}

/**
 * Returns the nodes from the root to the leaf of `key`, or to the node that proves the absence of `key` (EIP-1186).
 *
 * A node shorter than 32 bytes is embedded in its parent node and is not a separate item. The root is always an item,
 * as in go-ethereum's `Trie.Prove`. The proof of the empty trie has no items.
 */
export function proofOf<V>(trie: Trie<V>, key: string, encodeValue: EncodeValue<V>): Uint8Array[] {
  const [root, ...below] = nodesTowards(trie, key, encodeValue)
  return root === undefined ? [] : [root, ...below.filter((node) => node.length >= 32)]
}

/** Yields all nodes from the root towards `key`. Extension nodes and branch nodes are separate items. */
function* nodesTowards<V>(trie: Trie<V>, key: string, encodeValue: EncodeValue<V>): Generator<Uint8Array> {
  let node = trie
  let from = 0
  while (node instanceof Branch) {
    const encoded = encodeChildren(node, encodeValue).slice()
    if (node.depth > from) {
      yield encodeExtension(node, from, encoded).slice()
      // The extension has different nibbles than the key, which proves the absence of the key.
      if (divergence(node.key, key, from, node.depth) < node.depth) return
    }
    yield encoded
    from = node.depth + 1
    node = childTowards(node, key)
  }
  if (node instanceof HashNode) {
    // The extension alone proves only the absence of keys with different nibbles. For other keys, the branch is needed.
    if (divergence(node.key, key, from, node.depth) === node.depth) throwNotFetchedNode(node)
    yield encodeHashNode(node, from).slice()
    return
  }
  // This is the leaf of `key`, or another leaf that proves the absence of `key`.
  if (node !== undefined) yield encodeLeaf(node, from, encodeValue).slice()
}

function childTowards<V>({ depth, bitmap, children }: Branch<V>, key: string): Trie<V> {
  const bit = 1 << nibbleAt(key, depth)
  return (bitmap & bit) === 0 ? undefined : children[countBits(bitmap & (bit - 1))]
}

/** The first bytes of the buffer are for the header of the list. */
const HEADER_ROOM = 4

/** Writes the items of an RLP list, then the header in front of them. The result is valid until the next `begin`. */
class ListWriter {
  #out = new Uint8Array(1_024)
  #at = HEADER_ROOM

  /** Begins a list whose encoding has at most `size` bytes. */
  begin(size: number): void {
    if (size > this.#out.length) this.#out = new Uint8Array(2 * size)
    this.#at = HEADER_ROOM
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

  /** Writes the nibbles of `key` from index `from` to index `to` in hex-prefix encoding (Yellow Paper, appendix C). */
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
    const length = this.#at - HEADER_ROOM
    const headLength = length < 56 ? 1 : length < 0x100 ? 2 : length < 0x10000 ? 3 : 4
    const start = HEADER_ROOM - headLength
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

/** All nodes are encoded here, one after the other. */
const writer = new ListWriter()
