/**
 * Tries of the forked network, with only some nodes fetched. Each node is verified by the hash in its parent.
 *
 * A read that reaches a `HashNode` replaces the `HashNode` with the fetched node in place. Other versions of the trie
 * that share the parent stay valid, because the hash stays the same.
 */
import { areEqual, countBits, toBinary } from '../bytes/bytes.ts'
import { type RlpValue, viewRlp } from '../bytes/rlp.ts'
import {
  type Batch,
  Branch,
  divergence,
  HashNode,
  Leaf,
  type Node,
  nibbleAt,
  remove,
  type Trie,
} from './trie.ts'
import { EMPTY_ROOT_BYTES } from './trieEncoding.ts'

/** Returns the encoded node with `hash`, at the first `depth` nibbles of `key`. Throws if the node was not fetched. */
export type NodeSource = (hash: string, key: string, depth: number) => Uint8Array

export interface NodeReader<V> {
  readonly source: NodeSource
  readonly decodeValue: (encoded: Uint8Array) => V
}

interface ResolvedPath<V> {
  /** The trie. All nodes on the path from its root to the key are fetched. */
  readonly trie: Trie<V>
  readonly leaf: Leaf<V> | undefined
  /** The last branch on the path. */
  readonly above: Branch<V> | undefined
}

/** Returns the trie with this root hash, without fetched nodes. */
export function trieOf<V>(root: Uint8Array): Trie<V> {
  return areEqual(root, EMPTY_ROOT_BYTES) ? undefined : new HashNode('', 0, toBinary(root), false)
}

/** Follows the path from the root of `trie` to `key`, and reads the nodes on the path. Throws if `reader` throws. */
export function resolvePath<V>(trie: Trie<V>, key: string, reader: NodeReader<V>): ResolvedPath<V> {
  let root = trie
  let above: Branch<V> | undefined
  let index = 0
  let node = trie
  for (;;) {
    while (node instanceof HashNode && !divergesFrom(node, key)) {
      node = read(node, key, reader)
      if (above === undefined) root = node
      else above.children[index] = node
    }
    if (node instanceof Leaf) return { trie: root, leaf: node.key === key ? node : undefined, above }
    if (!(node instanceof Branch) || divergesFrom(node, key)) return { trie: root, leaf: undefined, above }
    const bit = 1 << nibbleAt(key, node.depth)
    above = node
    index = countBits(node.bitmap & (bit - 1))
    node = (node.bitmap & bit) === 0 ? undefined : node.children[index]
  }
}

/** Returns the trie without `key`. `beside` provides the remaining child of a branch with two children. */
export function removeKey<V>(
  trie: Trie<V>,
  key: string,
  reader: NodeReader<V>,
  beside: NodeSource,
  batch: Batch,
): Trie<V> {
  const { trie: whole, leaf, above } = resolvePath(trie, key, reader)
  if (leaf === undefined) return whole
  if (above?.children.length === 2) {
    const index = above.children[0] === leaf ? 1 : 0
    const other = above.children[index]!
    if (other instanceof HashNode && !other.isBranch) {
      const place = withNibbles(above.key, above.depth, [nibbleOf(above, index)])
      above.children[index] = read(other, place, { ...reader, source: beside })
    }
  }
  return remove(whole, key, batch)
}

/** Returns whether the extension before a branch has different nibbles than `key`. */
function divergesFrom(node: Branch<unknown> | HashNode, key: string): boolean {
  if (node instanceof HashNode && !node.isBranch) return false
  return divergence(node.key, key, 0, node.depth) < node.depth
}

function read<V>(node: HashNode, key: string, { source, decodeValue }: NodeReader<V>): Node<V> {
  const whole = decoded(viewRlp(source(node.hash, key, node.depth)), key, node.depth, decodeValue)
  const isKnown = node.reference !== undefined
  whole.reference = isKnown ? node.reference : node.hash
  whole.referenceFrom = isKnown ? node.referenceFrom : node.depth
  return whole
}

/** Decodes a node (Yellow Paper, appendix D) that begins at nibble `from` of `key`. */
function decoded<V>(
  item: RlpValue,
  key: string,
  from: number,
  decodeValue: (encoded: Uint8Array) => V,
): Node<V> {
  const items = item as RlpValue[]
  if (items.length === 17) {
    let bitmap = 0
    const children: Node<V>[] = []
    for (let nibble = 0; nibble < 16; nibble++) {
      const child = items[nibble]!
      if (child.length === 0) continue
      bitmap |= 1 << nibble
      children.push(
        child instanceof Uint8Array
          ? new HashNode('', from + 1, toBinary(child), false)
          : decoded(child, withNibbles(key, from, [nibble]), from + 1, decodeValue),
      )
    }
    return new Branch(key, from, bitmap, children, undefined)
  }
  const [path, below] = items as [Uint8Array, RlpValue]
  const nibbles = pathOf(path)
  const own = withNibbles(key, from, nibbles)
  if ((path[0]! & 0x20) !== 0) return new Leaf(own, decodeValue(below as Uint8Array))
  const depth = from + nibbles.length
  return below instanceof Uint8Array
    ? new HashNode(own, depth, toBinary(below), true)
    : decoded(below, own, depth, decodeValue)
}

/** Returns the nibbles of a path in hex-prefix encoding (Yellow Paper, appendix C). */
function pathOf(path: Uint8Array): number[] {
  const nibbles: number[] = []
  if ((path[0]! & 0x10) !== 0) nibbles.push(path[0]! & 15)
  for (const byte of path.subarray(1)) nibbles.push(byte >> 4, byte & 15)
  return nibbles
}

/** Returns `key` with the nibbles from index `from` on replaced by `nibbles`. */
function withNibbles(key: string, from: number, nibbles: readonly number[]): string {
  const codes = Array.from({ length: 32 }, (_, at) => key.charCodeAt(at))
  for (const [index, nibble] of nibbles.entries()) {
    const at = from + index
    const byte = codes[at >> 1]!
    codes[at >> 1] = (at & 1) === 0 ? (nibble << 4) | (byte & 15) : (byte & 0xf0) | nibble
  }
  return String.fromCharCode(...codes)
}

function nibbleOf({ bitmap }: Branch<unknown>, index: number): number {
  for (let nibble = 0, at = 0; ; nibble++) {
    if ((bitmap & (1 << nibble)) !== 0 && at++ === index) return nibble
  }
}
