/** Merkle proofs: the nodes that prove the value at a key to a reader that has only the root. */
import { countBits } from '../bytes/bytes.ts'
import { Branch, divergence, HashNode, nibbleAt, requireHere, type Trie } from './trie.ts'
import {
  type EncodeValue,
  encodeChildren,
  encodeExtension,
  encodeHashNode,
  encodeLeaf,
} from './trieEncoding.ts'

/**
 * Returns the nodes from the root towards `key`, down to its leaf or to the node that proves its absence (EIP-1186).
 *
 * A node shorter than 32 bytes is part of its parent and not an item of its own, except the root, which always is one
 * (as in go-ethereum's `Trie.Prove`). The empty trie has no nodes, and its proof is empty.
 */
export function proofOf<V>(trie: Trie<V>, key: string, encodeValue: EncodeValue<V>): Uint8Array[] {
  const [root, ...below] = nodesTowards(trie, key, encodeValue)
  return root === undefined ? [] : [root, ...below.filter((node) => node.length >= 32)]
}

/** Yields all nodes from the root towards `key`. An extension and the branch that it leads to are two nodes. */
function* nodesTowards<V>(trie: Trie<V>, key: string, encodeValue: EncodeValue<V>): Generator<Uint8Array> {
  let node = trie
  let from = 0
  while (node instanceof Branch) {
    const encoded = encodeChildren(node, encodeValue)
    if (node.depth > from) {
      yield encodeExtension(node, from, encoded)
      // The extension leads past the key.
      if (divergence(node.key, key, from, node.depth) < node.depth) return
    }
    yield encoded
    from = node.depth + 1
    node = childTowards(node, key)
  }
  if (node instanceof HashNode) {
    // Only an extension that leads past the key proves anything without the node that it leads to.
    if (divergence(node.key, key, from, node.depth) === node.depth) requireHere(node)
    yield encodeHashNode(node, from)
    return
  }
  // The key's own leaf, or the one in its place.
  if (node !== undefined) yield encodeLeaf(node, from, encodeValue)
}

function childTowards<V>({ depth, bitmap, children }: Branch<V>, key: string): Trie<V> {
  const bit = 1 << nibbleAt(key, depth)
  return (bitmap & bit) === 0 ? undefined : children[countBits(bitmap & (bit - 1))]
}
