/** Merkle roots of lists, such as the transactions of a block. */
import { toBinary } from '../bytes/bytes.ts'
import { type Hash, toHex, toMinimalBytes } from '../bytes/hex.ts'
import { encodeRlp } from '../bytes/rlp.ts'
import type { Block } from '../model/block/block.ts'
import type { Header } from '../model/block/header.ts'
import { type Bloom, EMPTY_BLOOM, union } from '../model/receipt/log.ts'
import { encodeReceipt, type Receipt } from '../model/receipt/receipt.ts'
import * as trie from './trie.ts'
import { EMPTY_ROOT_BYTES, rootOf } from './trieEncoding.ts'

/** The root of the empty list and of the empty state. */
export const EMPTY_ROOT: Hash = toHex(EMPTY_ROOT_BYTES)

/** Returns the root of the trie that maps the RLP of each index to an item (Yellow Paper, 4.3.2). */
export function listRoot(items: readonly Uint8Array[]): Hash {
  if (items.length === 0) return EMPTY_ROOT
  const batch = trie.newBatch()
  let list: trie.Trie<Uint8Array>
  for (const [index, item] of items.entries()) {
    list = trie.set(list, keyOf(index), item, batch)
  }
  return toHex(rootOf(list, asItIs))
}

/** The tries of a block's transactions and receipts, and the union of the receipts' Bloom filters. */
interface BlockTries {
  readonly length: number
  readonly transactions: trie.Trie<Uint8Array>
  readonly receipts: trie.Trie<Uint8Array>
  readonly logsBloom: Bloom
}

const NO_LISTS: BlockTries = {
  length: 0,
  transactions: undefined,
  receipts: undefined,
  logsBloom: EMPTY_BLOOM,
}

/** The tries of blocks under construction, keyed by the blocks' lists of receipts. */
const prepared = new WeakMap<readonly Receipt[], BlockTries>()

/** Returns the header of `block` with its transactions root, receipts root and logs bloom filled in. */
export function rootedHeader(block: Block): Header {
  const { transactions, receipts, logsBloom } = prepared.get(block.receipts) ?? listsOf(block, NO_LISTS)
  return {
    ...block.header,
    transactionsRoot: toHex(rootOf(transactions, asItIs)),
    receiptsRoot: toHex(rootOf(receipts, asItIs)),
    logsBloom,
  }
}

/** Prepares the tries of `block` for `rootedHeader`. Drops the tries of `shorter`: `block` with fewer transactions. */
export function prepareRoots(block: Block, shorter: Block): void {
  if (prepared.has(block.receipts)) return
  const lists = listsOf(block, prepared.get(shorter.receipts) ?? NO_LISTS)
  rootOf(lists.transactions, asItIs)
  rootOf(lists.receipts, asItIs)
  prepared.delete(shorter.receipts)
  prepared.set(block.receipts, lists)
}

/** Returns whether the transactions and receipts of the block were hashed in advance. */
export function isPrepared({ receipts }: Block): boolean {
  return prepared.has(receipts)
}

export function dropPrepared({ receipts }: Block): void {
  prepared.delete(receipts)
}

/** Returns the tries of `block`. `begun` contains the tries of its first transactions and receipts. */
function listsOf({ transactions, receipts }: Block, begun: BlockTries): BlockTries {
  const batch = trie.newBatch()
  let { transactions: ofTransactions, receipts: ofReceipts } = begun
  for (let index = begun.length; index < transactions.length; index++) {
    const key = keyOf(index)
    ofTransactions = trie.set(ofTransactions, key, transactions[index]!.raw, batch)
    ofReceipts = trie.set(ofReceipts, key, encodeReceipt(receipts[index]!), batch)
  }
  const blooms = receipts.slice(begun.length).map(({ logsBloom }) => logsBloom)
  return {
    length: transactions.length,
    transactions: ofTransactions,
    receipts: ofReceipts,
    logsBloom: union([begun.logsBloom, ...blooms]),
  }
}

function keyOf(index: number): string {
  return toBinary(encodeRlp(toMinimalBytes(BigInt(index))))
}

const asItIs = (item: Uint8Array): Uint8Array => item
