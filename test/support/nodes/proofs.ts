/** Those who believe nothing but a root: what a Merkle proof shows, found out in two ways that share no code. */
import { MerklePatriciaTrie, verifyMPTWithMerkleProof } from '@ethereumjs/mpt'
import { bytesToHex, fromRlp, type Hex, hexToBytes, keccak256, numberToHex } from 'viem'

type RlpHex = Hex | readonly RlpHex[]

/** The root of a trie without nodes: keccak(rlp('')). */
const EMPTY_ROOT = keccak256('0x80')

/**
 * The value at `key` below `root`, or `undefined` if `proof` shows that there is none.
 *
 * Stricter than most: throws on a node that is not the one which was expected, on one that is missing, on one that
 * nobody asked for, on one that should stand in its parent, and where EthereumJS finds another value.
 */
export async function proven(root: Hex, key: Hex, proof: readonly Hex[]): Promise<Hex | undefined> {
  if (proof.length === 0 && root === EMPTY_ROOT) return undefined
  const items = proof.values()
  const value = valueBelow(hashed(root, items, 0), key.slice(2), items)
  const [extra] = items
  if (extra !== undefined) throw new Error(`a node that nobody asked for: ${extra}`)
  const theirs = await provenByEthereumJs(root, key, proof)
  if (value !== theirs) throw new Error(`expected ${theirs}, as EthereumJS finds it, got ${value}`)
  return value
}

/** What the Yellow Paper's section 4.1 knows of an account. */
export interface ProvenAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly storageHash: Hex
  readonly codeHash: Hex
}

/** The account at `address` below the root of a state. */
export async function provenAccount(
  stateRoot: Hex,
  address: Hex,
  proof: readonly Hex[],
): Promise<ProvenAccount | undefined> {
  const account = await proven(stateRoot, keccak256(address), proof)
  if (account === undefined) return undefined
  const [nonce, balance, storageHash, codeHash] = fromRlp(account, 'hex') as [Hex, Hex, Hex, Hex]
  return { nonce: quantity(nonce), balance: quantity(balance), storageHash, codeHash }
}

/** The value of a slot below the root of its account's storage. */
export async function provenSlot(storageHash: Hex, slot: bigint, proof: readonly Hex[]): Promise<bigint> {
  const value = await proven(storageHash, keccak256(numberToHex(slot, { size: 32 })), proof)
  return value === undefined ? 0n : quantity(fromRlp(value, 'hex') as Hex)
}

/** RLP's numbers: no bytes are zero, and leading zeros are none of them. */
function quantity(bytes: Hex): bigint {
  if (bytes.startsWith('0x00')) throw new Error(`a number with leading zeros: ${bytes}`)
  return bytes === '0x' ? 0n : BigInt(bytes)
}

/** They do not mind nodes too many, and do not know the empty proof. */
async function provenByEthereumJs(root: Hex, key: Hex, proof: readonly Hex[]): Promise<Hex | undefined> {
  const nodes = proof.map((node) => hexToBytes(node))
  const anyTrie = new MerklePatriciaTrie()
  const value = await verifyMPTWithMerkleProof(anyTrie, hexToBytes(root), hexToBytes(key), nodes)
  return value === null ? undefined : bytesToHex(value)
}

/** The node whose hash is `hash`: it has to be the next item. */
function hashed(hash: Hex, items: Iterator<Hex>, least = 32): RlpHex {
  const { value: item } = items.next()
  if (item === undefined) throw new Error(`the node ${hash} is missing`)
  if (keccak256(item) !== hash) throw new Error(`expected the node ${hash}, got ${keccak256(item)}: ${item}`)
  if (item.length / 2 - 1 < least) throw new Error(`a node that should stand in its parent: ${item}`)
  return fromRlp(item, 'hex') as RlpHex
}

/** Yellow Paper, appendix D, with nibbles as hex digits. */
function valueBelow(node: RlpHex, nibbles: string, items: Iterator<Hex>): Hex | undefined {
  if (typeof node === 'string') throw new Error(`no node: ${node}`)
  if (node.length === 17) {
    if (nibbles === '') throw new Error('the key ends at a branch')
    return valueAt(node[Number.parseInt(nibbles[0]!, 16)]!, nibbles.slice(1), items)
  }
  const [path, next] = node as readonly [path: Hex, next: RlpHex]
  const flag = Number.parseInt(path[2]!, 16)
  const own = flag & 1 ? path.slice(3) : path.slice(4)
  const isLeaf = (flag & 2) !== 0
  if (isLeaf) return own === nibbles ? (next as Hex) : undefined
  return nibbles.startsWith(own) ? valueAt(next, nibbles.slice(own.length), items) : undefined
}

/** Below a reference: nothing, a hash, or a node as it is. */
function valueAt(reference: RlpHex, nibbles: string, items: Iterator<Hex>): Hex | undefined {
  if (reference === '0x') return undefined
  return valueBelow(typeof reference === 'string' ? hashed(reference, items) : reference, nibbles, items)
}
