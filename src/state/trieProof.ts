/** Merkle proofs: the nodes by which those who know only the root of a trie can tell what stands at a key. */
import { countBits } from '../model/bytes/bits.ts'
import { Branch, divergence, nibbleAt, type Trie } from './trie.ts'
import { type EncodeValue, encodeChildren, encodeExtension, encodeLeaf } from './trieEncoding.ts'

/**
 * The nodes from the root towards `key`, down to its leaf or to the node that shows that there is none (EIP-1186).
 *
 * A node below 32 bytes stands in its parent and is no item of its own, but for the root, which always is one (so does
 * go-ethereum's `Trie.Prove`). The empty trie has no nodes, and its proof is empty.
 */
export function proofOf<V>(trie: Trie<V>, key: string, encodeValue: EncodeValue<V>): Uint8Array[] {
  const [root, ...below] = nodesTowards(trie, key, encodeValue)
  return root === undefined ? [] : [root, ...below.filter((node) => node.length >= 32)]
}

/** All nodes from the root towards `key`; an extension and the branch that it leads to are two. */
function* nodesTowards<V>(trie: Trie<V>, key: string, encodeValue: EncodeValue<V>): Generator<Uint8Array> {
  let node = trie
  let from = 0
  while (node instanceof Branch) {
    const encoded = encodeChildren(node, encodeValue)
    if (node.depth > from) {
      yield encodeExtension(node, from, encoded)
      // It leads past the key.
      if (divergence(node.key, key, from, node.depth) < node.depth) return
    }
    yield encoded
    from = node.depth + 1
    node = childTowards(node, key)
  }
  // The key's own leaf, or the one that has its place.
  if (node !== undefined) yield encodeLeaf(node, from, encodeValue)
}

function childTowards<V>({ depth, bitmap, children }: Branch<V>, key: string): Trie<V> {
  const bit = 1 << nibbleAt(key, depth)
  return (bitmap & bit) === 0 ? undefined : children[countBits(bitmap & (bit - 1))]
}
