/** An immutable map with string keys: a hash array mapped trie (Bagwell 2001). A change copies at most seven arrays. */
import { countBits } from '../../bytes/bytes.ts'

const BITS = 5
const MASK = 31

class Entry<V> {
  readonly key: string
  readonly hash: number
  readonly value: V

  constructor(key: string, hash: number, value: V) {
    this.key = key
    this.hash = hash
    this.value = value
  }
}

/** Entries with equal hashes, sorted by key. */
class Collision<V> {
  readonly hash: number
  readonly entries: readonly Entry<V>[]

  constructor(hash: number, entries: readonly Entry<V>[]) {
    this.hash = hash
    this.entries = entries
  }
}

class Branch<V> {
  bitmap: number
  children: Node<V>[]
  /** Identifies the batch of changes that may change this node in place. */
  readonly batch: object | undefined

  constructor(bitmap: number, children: Node<V>[], batch: object | undefined) {
    this.bitmap = bitmap
    this.children = children
    this.batch = batch
  }
}

type Node<V> = Entry<V> | Collision<V> | Branch<V>

export class PersistentMap<V> {
  readonly size: number
  readonly #root: Node<V> | undefined

  private constructor(root: Node<V> | undefined, size: number) {
    this.#root = root
    this.size = size
  }

  static empty<V>(): PersistentMap<V> {
    return EMPTY as PersistentMap<V>
  }

  /** Returns the value of `key`. `knownHash` is `textHash(key)`, if the caller has it. */
  get(key: string, knownHash?: number): V | undefined {
    let node = this.#root
    if (node === undefined) return undefined
    const hash = knownHash ?? textHash(key)
    let rest = hash
    while (node instanceof Branch) {
      const bit = 1 << (rest & MASK)
      if ((node.bitmap & bit) === 0) return undefined
      node = node.children[countBits(node.bitmap & (bit - 1))]!
      rest >>>= BITS
    }
    if (node instanceof Entry) return node.key === key ? node.value : undefined
    if (node.hash !== hash) return undefined
    return node.entries.find((entry) => entry.key === key)?.value
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  set(key: string, value: V): PersistentMap<V> {
    return this.#with(key, value, undefined)
  }

  delete(key: string): PersistentMap<V> {
    if (this.#root === undefined) return this
    const root = remove(this.#root, key, textHash(key), 0)
    if (root === this.#root) return this
    return root === undefined ? PersistentMap.empty() : new PersistentMap<V>(root, this.size - 1)
  }

  /** Sets many entries in one batch, which copies each existing node at most once. */
  setAll(entries: Iterable<readonly [key: string, value: V]>): PersistentMap<V> {
    const batch = {}
    let map: PersistentMap<V> = this
    for (const [key, value] of entries) map = map.#with(key, value, batch)
    return map
  }

  /** Yields the entries in the order of their hashes, which is the same for equal sets of keys. */
  *entries(): Generator<[key: string, value: V]> {
    if (this.#root !== undefined) yield* entriesOf(this.#root)
  }

  #with(key: string, value: V, batch: object | undefined): PersistentMap<V> {
    const entry = new Entry(key, textHash(key), value)
    if (this.#root === undefined) return new PersistentMap<V>(entry, 1)
    added = 0
    const root = insert(this.#root, entry, 0, batch)
    return root === this.#root && added === 0 ? this : new PersistentMap<V>(root, this.size + added)
  }
}

const EMPTY: PersistentMap<unknown> = Reflect.construct(PersistentMap, [undefined, 0])

/** A second return value of `insert` that needs no allocation: 1 if `insert` added a key. */
let added = 0

function insert<V>(node: Node<V>, entry: Entry<V>, shift: number, batch: object | undefined): Node<V> {
  if (node instanceof Branch) {
    const bit = 1 << ((entry.hash >>> shift) & MASK)
    const index = countBits(node.bitmap & (bit - 1))
    if ((node.bitmap & bit) === 0) {
      added = 1
      return inserted(node, bit, index, entry, batch)
    }
    const child = node.children[index]!
    const changed = insert(child, entry, shift + BITS, batch)
    return changed === child ? node : replaced(node, index, changed, batch)
  }
  if (node.hash !== entry.hash) {
    added = 1
    return parted(node, entry, shift, batch)
  }
  if (node instanceof Entry) {
    if (node.key === entry.key) return node.value === entry.value ? node : entry
    added = 1
    return collision([node, entry])
  }
  if (node.entries.some((other) => other.key === entry.key && other.value === entry.value)) return node
  const others = node.entries.filter((other) => other.key !== entry.key)
  added = others.length === node.entries.length ? 1 : 0
  return collision([...others, entry])
}

function collision<V>(entries: Entry<V>[]): Collision<V> {
  entries.sort((a, b) => (a.key < b.key ? -1 : 1))
  return new Collision(entries[0]!.hash, entries)
}

function inserted<V>(
  branch: Branch<V>,
  bit: number,
  index: number,
  child: Node<V>,
  batch: object | undefined,
): Branch<V> {
  if (batch !== undefined && branch.batch === batch) {
    branch.children.splice(index, 0, child)
    branch.bitmap |= bit
    return branch
  }
  const { length } = branch.children
  const children: Node<V>[] = new Array(length + 1)
  for (let i = 0; i < index; i++) children[i] = branch.children[i]!
  children[index] = child
  for (let i = index; i < length; i++) children[i + 1] = branch.children[i]!
  return new Branch(branch.bitmap | bit, children, batch)
}

function replaced<V>(branch: Branch<V>, index: number, child: Node<V>, batch: object | undefined): Branch<V> {
  if (batch !== undefined && branch.batch === batch) {
    branch.children[index] = child
    return branch
  }
  const children = branch.children.slice()
  children[index] = child
  return new Branch(branch.bitmap, children, batch)
}

/** Returns the branch, or chain of branches, that separates two nodes with different hashes. */
function parted<V>(
  node: Entry<V> | Collision<V>,
  entry: Entry<V>,
  shift: number,
  batch: object | undefined,
): Branch<V> {
  const a = (node.hash >>> shift) & MASK
  const b = (entry.hash >>> shift) & MASK
  if (a === b) return new Branch(1 << a, [parted(node, entry, shift + BITS, batch)], batch)
  return new Branch((1 << a) | (1 << b), a < b ? [node, entry] : [entry, node], batch)
}

function remove<V>(node: Node<V>, key: string, hash: number, shift: number): Node<V> | undefined {
  if (node instanceof Branch) {
    const bit = 1 << ((hash >>> shift) & MASK)
    if ((node.bitmap & bit) === 0) return node
    const index = countBits(node.bitmap & (bit - 1))
    const child = node.children[index]!
    const changed = remove(child, key, hash, shift + BITS)
    if (changed === child) return node
    if (changed === undefined) {
      if (node.children.length === 1) return undefined
      const children = node.children.slice()
      children.splice(index, 1)
      return lifted(new Branch(node.bitmap & ~bit, children, undefined))
    }
    return lifted(replaced(node, index, changed, undefined))
  }
  if (node instanceof Entry) return node.key === key ? undefined : node
  const others = node.entries.filter((entry) => entry.key !== key)
  if (others.length === node.entries.length) return node
  return others.length === 1 ? others[0] : new Collision(node.hash, others)
}

/** Replaces a branch that has only one entry by the entry, so that equal sets of keys have equal shapes. */
function lifted<V>(branch: Branch<V>): Node<V> {
  const only = branch.children.length === 1 ? branch.children[0]! : undefined
  return only !== undefined && !(only instanceof Branch) ? only : branch
}

function* entriesOf<V>(node: Node<V>): Generator<[string, V]> {
  if (node instanceof Entry) yield [node.key, node.value]
  else for (const child of node instanceof Branch ? node.children : node.entries) yield* entriesOf(child)
}

/** Returns the FNV-1a hash of a string, mixed and signed: V8 stores signed 32-bit integers without an object. */
export function textHash(key: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}
