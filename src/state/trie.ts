/**
 * A persistent Merkle Patricia trie: an immutable map from byte strings to values. `trieEncoding.ts` computes roots
 * and proofs.
 *
 * `set` and `remove` return a new trie. The new trie shares all nodes with the old trie except the nodes on the path
 * to the changed leaf. Nodes cache their hashes, so computing a new root hashes only new nodes.
 *
 * Keys are JavaScript strings with one byte per character, because a 32-byte key then takes 48 bytes of memory
 * instead of 170 as a Uint8Array. No key may be a prefix of another key. There are no extension nodes. Instead, a
 * branch stores the index of the nibble in which its children differ, and one key below the branch. The encoding
 * derives extension nodes from both.
 *
 * In a trie of a forked network, a `HashNode` represents a part that was not fetched. Callers first use
 * `sparseTrie.ts` to replace the `HashNode`s on the path to a key, and then call the functions of this file with the
 * key.
 */
import { countBits } from '../bytes/bytes.ts'

export type Trie<V> = Node<V> | undefined
export type Node<V> = Leaf<V> | Branch<V> | HashNode

/** Identifies a series of `set` and `remove` calls, in which later calls change new branches of the series in place. */
export type Batch = number

/** The last batch. Batches are numbers to save memory, because each branch stores its batch. */
let batches = 0

export function newBatch(): Batch {
  // Fits in a small integer of V8. The value repeats after a billion batches, long after the earlier batch has ended.
  batches = (batches + 1) & 0x3fffffff
  return batches
}

export class Leaf<V> {
  readonly key: string
  readonly value: V
  /** The cached reference to this leaf (see `trieEncoding.ts`), which is encoded from nibble `referenceFrom` on. */
  reference: string | undefined = undefined
  referenceFrom = -1

  constructor(key: string, value: V) {
    this.key = key
    this.value = value
  }
}

/** Bit positions in `#shape` of a branch. Depths take seven bits, because keys have at most 64 nibbles. */
const DEPTH = 16
const REFERENCE_FROM = 23

/** A node with two or more children. The keys of the children differ in the nibble at index `depth`. */
export class Branch<V> {
  /** A key below the branch. All keys below the branch have the same first `depth` nibbles. */
  readonly key: string
  /** Bitmap, depth and `referenceFrom`, packed into one number to save memory. */
  #shape: number
  children: Node<V>[]
  readonly batch: Batch | undefined
  reference: string | undefined = undefined

  constructor(key: string, depth: number, bitmap: number, children: Node<V>[], batch: Batch | undefined) {
    this.key = key
    this.#shape = bitmap | (depth << DEPTH)
    this.children = children
    this.batch = batch
  }

  /** Bit n is set if the branch has a child for nibble n. */
  get bitmap(): number {
    return this.#shape & 0xffff
  }

  set bitmap(bitmap: number) {
    this.#shape = (this.#shape & ~0xffff) | bitmap
  }

  get depth(): number {
    return (this.#shape >> DEPTH) & 127
  }

  get referenceFrom(): number {
    return this.#shape >> REFERENCE_FROM
  }

  set referenceFrom(from: number) {
    this.#shape = (this.#shape & ((1 << REFERENCE_FROM) - 1)) | (from << REFERENCE_FROM)
  }
}

/** A subtrie of which only the hash is known. */
export class HashNode {
  /** A key that begins with the `depth` nibbles common to all keys of the subtrie. Empty unless `isBranch`. */
  readonly key: string
  /** The index of the nibble at which the encoded node begins. */
  readonly depth: number
  /** The hash of the encoded node, as a byte string. */
  readonly hash: string
  /** Whether the node must be a branch, because its parent is an extension node. */
  readonly isBranch: boolean
  reference: string | undefined
  referenceFrom: number

  constructor(key: string, depth: number, hash: string, isBranch: boolean) {
    this.key = key
    this.depth = depth
    this.hash = hash
    this.isBranch = isBranch
    this.reference = hash
    this.referenceFrom = depth
  }
}

/** Throws an error, because the caller should have fetched the node. */
export function throwNotFetchedNode(node: HashNode): never {
  throw new Error(`only the hash of the node at nibble ${node.depth} is here`)
}

export function get<V>(trie: Trie<V>, key: string): V | undefined {
  let node = trie
  while (node instanceof Branch) {
    const bit = 1 << nibbleAt(key, node.depth)
    if ((node.bitmap & bit) === 0) return undefined
    node = node.children[countBits(node.bitmap & (bit - 1))]
  }
  if (node instanceof Leaf) return node.key === key ? node.value : undefined
  return node === undefined ? undefined : throwNotFetchedNode(node)
}

export function set<V>(trie: Trie<V>, key: string, value: V, batch?: Batch): Node<V> {
  return trie === undefined ? new Leaf(key, value) : setBelow(trie, key, value, 0, batch)
}

function setBelow<V>(node: Node<V>, key: string, value: V, from: number, batch: Batch | undefined): Node<V> {
  if (node instanceof Leaf) {
    if (node.key === key) return node.value === value ? node : withoutReference(node, new Leaf(key, value))
    return fork(node, new Leaf(key, value), divergence(node.key, key, from), batch)
  }
  const parts = divergence(node.key, key, from, node.depth)
  if (parts < node.depth) return fork(node, new Leaf(key, value), parts, batch)
  if (node instanceof HashNode) return throwNotFetchedNode(node)
  const bit = 1 << nibbleAt(key, node.depth)
  const index = countBits(node.bitmap & (bit - 1))
  if ((node.bitmap & bit) === 0) return withInserted(node, bit, index, new Leaf(key, value), batch)
  const child = node.children[index]!
  const changed = setBelow(child, key, value, node.depth + 1, batch)
  return isUntouched(child, changed, batch) ? node : withReplaced(node, index, changed, batch)
}

export function remove<V>(trie: Trie<V>, key: string, batch?: Batch): Trie<V> {
  if (trie === undefined) return undefined
  if (trie instanceof Leaf) return trie.key === key ? undefined : trie
  if (trie instanceof HashNode) return throwNotFetchedNode(trie)
  const bit = 1 << nibbleAt(key, trie.depth)
  if ((trie.bitmap & bit) === 0) return trie
  const index = countBits(trie.bitmap & (bit - 1))
  const child = trie.children[index]!
  const changed = remove(child, key, batch)
  if (isUntouched(child, changed, batch)) return trie
  if (changed !== undefined) return withReplaced(trie, index, changed, batch)
  // The remaining child replaces the branch.
  if (trie.children.length === 2) return trie.children[1 - index]
  const children = trie.children.slice()
  children.splice(index, 1)
  return new Branch(trie.key, trie.depth, trie.bitmap & ~bit, children, batch)
}

export function* entries<V>(trie: Trie<V>): Generator<[key: string, value: V]> {
  if (trie === undefined) return
  if (trie instanceof Leaf) yield [trie.key, trie.value]
  else if (trie instanceof HashNode) throwNotFetchedNode(trie)
  else for (const child of trie.children) yield* entries(child)
}

/** Yields all keys greater than `after`, in order, with their values. `after` has the length of a key. */
export function* entriesAfter<V>(trie: Trie<V>, after: string): Generator<[key: string, value: V]> {
  if (trie === undefined) return
  if (trie instanceof Leaf) {
    if (trie.key > after) yield [trie.key, trie.value]
    return
  }
  if (trie instanceof HashNode) return throwNotFetchedNode(trie)
  const parts = divergence(trie.key, after, 0, trie.depth)
  if (parts < trie.depth) {
    if (nibbleAt(trie.key, parts) > nibbleAt(after, parts)) yield* entries(trie)
    return
  }
  const first = nibbleAt(after, trie.depth)
  for (const child of trie.children) {
    const nibble = nibbleAt(child.key, trie.depth)
    if (nibble === first) yield* entriesAfter(child, after)
    else if (nibble > first) yield* entries(child)
  }
}

/** Returns whether `child` is unchanged; `false` for a branch of the batch, which may have changed in place. */
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
  return withoutReference(branch, new Branch(branch.key, branch.depth, branch.bitmap | bit, children, batch))
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
  return withoutReference(branch, new Branch(branch.key, branch.depth, branch.bitmap, children, batch))
}

/** Returns `next`. Drops the cached reference of `node`, which `next` replaces. Proofs compute the reference again. */
function withoutReference<N extends Node<unknown>>(node: Node<unknown>, next: N): N {
  node.reference = undefined
  return next
}

/** Returns the index of the first nibble, from index `from` on, in which two keys differ, but at most `limit`. */
export function divergence(a: string, b: string, from: number, limit = Number.MAX_SAFE_INTEGER): number {
  let nibble = from
  while (nibble < limit && nibbleAt(a, nibble) === nibbleAt(b, nibble)) nibble++
  return nibble
}

/** Returns the nibble of `key` at index `nibble`. The high nibble of each byte comes first. */
export function nibbleAt(key: string, nibble: number): number {
  const byte = key.charCodeAt(nibble >> 1)
  return (nibble & 1) === 0 ? byte >> 4 : byte & 15
}
