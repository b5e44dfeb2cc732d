/** The Merkle roots of lists, such as a block's transactions and its receipts. */

import type { Block } from '../model/block/block.ts'
import type { Header } from '../model/block/header.ts'
import { toBinary } from '../model/bytes/binary.ts'
import { type Hash, toHex, toMinimalBytes } from '../model/bytes/hex.ts'
import { encodeRlp } from '../model/bytes/rlp.ts'
import { union } from '../model/receipt/bloom.ts'
import { encodeReceipt } from '../model/receipt/receipt.ts'
import * as trie from './trie.ts'
import { EMPTY_ROOT_BYTES, rootOf } from './trieEncoding.ts'

/** The root of the empty list and of the empty state. */
export const EMPTY_ROOT: Hash = toHex(EMPTY_ROOT_BYTES)

/** Returns the root of `items` keyed by the RLP of their index (Yellow Paper, 4.3.2). */
export function listRoot(items: readonly Uint8Array[]): Hash {
  if (items.length === 0) return EMPTY_ROOT
  const batch = trie.newBatch()
  let list: trie.Trie<Uint8Array>
  for (const [index, item] of items.entries()) {
    list = trie.set(list, toBinary(encodeRlp(toMinimalBytes(BigInt(index)))), item, batch)
  }
  return toHex(rootOf(list, (item) => item))
}

/** Returns the block's header with the roots of its transactions and receipts, and the union of their Bloom filters. */
export function rootedHeader({ header, transactions, receipts }: Block): Header {
  return {
    ...header,
    transactionsRoot: listRoot(transactions.map(({ raw }) => raw)),
    receiptsRoot: listRoot(receipts.map(encodeReceipt)),
    logsBloom: union(receipts.map(({ logsBloom }) => logsBloom)),
  }
}
