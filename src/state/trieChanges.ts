/** The differences between two tries. Shared nodes are skipped, so the time depends only on the number of changes. */
import { countBits } from '../bytes/bytes.ts'
import { type Branch, divergence, entries, Leaf, type Node, nibbleAt, type Trie } from './trie.ts'

export type TrieChange<V> = readonly [key: string, before: V | undefined, after: V | undefined]

/** Yields the changes from `before` to `after`, in the order of the keys. */
export function* changesBetween<V>(before: Trie<V>, after: Trie<V>): Generator<TrieChange<V>> {
  if (before === after) return
  if (before === undefined) yield* added(after)
  else if (after === undefined) yield* removed(before)
  else yield* changesIn(before, after)
}

function* changesIn<V>(before: Node<V>, after: Node<V>): Generator<TrieChange<V>> {
  const depthBefore = depthOf(before)
  const depthAfter = depthOf(after)
  const depth = Math.min(depthBefore, depthAfter)
  const parts = divergence(before.key, after.key, 0, depth)
  if (parts < depth) {
    const isFirst = nibbleAt(before.key, parts) < nibbleAt(after.key, parts)
    if (isFirst) yield* removed(before)
    yield* added(after)
    if (!isFirst) yield* removed(before)
  } else if (before instanceof Leaf && after instanceof Leaf) {
    if (before.value !== after.value) yield [after.key, before.value, after.value]
  } else {
    for (let nibble = 0; nibble < 16; nibble++) {
      yield* changesBetween(childAt(before, depth, nibble), childAt(after, depth, nibble))
    }
  }
}

function depthOf<V>(node: Node<V>): number {
  return node instanceof Leaf ? node.key.length * 2 : node.depth
}

/** Returns the part of `node` whose keys have `nibble` at index `depth`. The node must not branch before `depth`. */
function childAt<V>(node: Node<V>, depth: number, nibble: number): Trie<V> {
  if (depthOf(node) > depth) return nibbleAt(node.key, depth) === nibble ? node : undefined
  const { bitmap, children } = node as Branch<V>
  const bit = 1 << nibble
  return (bitmap & bit) === 0 ? undefined : children[countBits(bitmap & (bit - 1))]
}

function* added<V>(trie: Trie<V>): Generator<TrieChange<V>> {
  for (const [key, value] of entries(trie)) yield [key, undefined, value]
}

function* removed<V>(trie: Trie<V>): Generator<TrieChange<V>> {
  for (const [key, value] of entries(trie)) yield [key, value, undefined]
}
