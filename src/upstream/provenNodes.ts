/** The nodes with which another node has proven its state, and what a proof shows. */
import { fromBinary, toBinary } from '../bytes/bytes.ts'
import { type Address, toHex } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { trieOf } from '../state/provenState.ts'
import type { ProvenNodes } from '../state/remoteState.ts'
import { wayTo } from '../state/sparseTrie.ts'
import { EMPTY_ROOT_BYTES } from '../state/trieEncoding.ts'

/** Nodes by their hashes, which are byte strings. */
export type Nodes = ReadonlyMap<string, Uint8Array>

/** The nodes of the state of one block that are here. */
export class NodeStore implements ProvenNodes {
  readonly #nodes = new Map<string, Uint8Array>()
  readonly #unavailable = new Set<string>()
  readonly #storageRoots = new Map<Address, Uint8Array>()

  node(hash: string): Uint8Array | undefined | null {
    return this.#nodes.get(hash) ?? (this.#unavailable.has(hash) ? null : undefined)
  }

  keep(nodes: Nodes): void {
    for (const [hash, node] of nodes) this.#nodes.set(hash, node)
  }

  /** Returns the root of the storage of an account that was proven, 32 bytes; that of no storage for others. */
  storageRoot(address: Address): Uint8Array {
    return this.#storageRoots.get(address) ?? EMPTY_ROOT_BYTES
  }

  keepStorageRoot(address: Address, root: Uint8Array): void {
    this.#storageRoots.set(address, root)
  }

  /** Remembers that a node cannot be had. */
  giveUp(hash: string): void {
    this.#unavailable.add(hash)
  }
}

/** Thrown where a proof lacks a node: it was not sent, or another one was. */
export class NodeMissing extends Error {
  /** `hash`: that of the node, as a byte string. */
  constructor(hash: string) {
    super(`no node with the hash ${toHex(fromBinary(hash))}`)
  }
}

/**
 * Returns the value at `key` of the trie with `root`, `undefined` if `proof` shows that there is none, and the nodes
 * that show it. Throws `NodeMissing`. Nodes that do not lead to the key are ignored: some nodes send those, too, that stand
 * in their parents.
 */
export function shownBy<V>(
  root: Uint8Array,
  key: string,
  proof: readonly Uint8Array[],
  decodeValue: (encoded: Uint8Array) => V,
): { readonly value: V | undefined; readonly nodes: Nodes } {
  const offered = new Map(proof.map((node) => [toBinary(keccak256(node)), node]))
  const nodes = new Map<string, Uint8Array>()
  const source = (hash: string) => {
    const node = offered.get(hash)
    if (node === undefined) throw new NodeMissing(hash)
    nodes.set(hash, node)
    return node
  }
  const { leaf } = wayTo(trieOf<V>(root), key, { source, decodeValue })
  return { value: leaf?.value, nodes }
}
