/** Blocks as files have them, changed where a test wants it. */
import { MerklePatriciaTrie } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Hash, toHex } from '../../../src/bytes/hex.ts'
import type { Transaction } from '../../../src/model/transaction/transaction.ts'

/** A block's RLP, taken apart. */
export interface BlockParts {
  header: Uint8Array[]
  /** A legacy transaction is a list of its fields, a typed one bytes (EIP-2718). */
  transactions: (Uint8Array | Uint8Array[])[]
  ommers: Uint8Array[][]
  withdrawals?: Uint8Array[][]
}

/** The fields of a header in the order in which it has them. */
export const HEADER_FIELDS = [
  'parentHash',
  'ommersHash',
  'coinbase',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
] as const
export type HeaderField = (typeof HEADER_FIELDS)[number]

export function partsOf(encoded: Uint8Array): BlockParts {
  const [header, transactions, ommers, withdrawals] = RLP.decode(Uint8Array.from(encoded)) as never[]
  return {
    header: header!,
    transactions: transactions!,
    ommers: ommers!,
    ...(withdrawals === undefined ? {} : { withdrawals }),
  }
}

/** The block after `change`, whose header may say otherwise. */
export function altered(encoded: Uint8Array, change: (parts: BlockParts) => void): Uint8Array {
  const parts = partsOf(encoded)
  change(parts)
  const { header, transactions, ommers, withdrawals } = parts
  return RLP.encode([header, transactions, ommers, ...(withdrawals === undefined ? [] : [withdrawals])])
}

/** The block with another header field; `change` gets what stood there. */
export function withField(
  encoded: Uint8Array,
  field: HeaderField,
  change: (bytes: Uint8Array) => Uint8Array,
): Uint8Array {
  const index = HEADER_FIELDS.indexOf(field)
  return altered(encoded, ({ header }) => {
    header[index] = change(header[index]!)
  })
}

/** The block with these transactions instead of its own, and a header that says so. */
export async function withTransactions(
  encoded: Uint8Array,
  transactions: readonly Transaction[],
): Promise<Uint8Array> {
  const trie = new MerklePatriciaTrie()
  for (const [index, { raw }] of transactions.entries()) await trie.put(RLP.encode(index), raw)
  return altered(encoded, (parts) => {
    parts.transactions = transactions.map(({ type, raw }) =>
      type === 0 ? (RLP.decode(raw) as Uint8Array[]) : raw,
    )
    parts.header[HEADER_FIELDS.indexOf('transactionsRoot')] = trie.root()
  })
}

/** The hash of a block by its bytes. */
export function hashOf(encoded: Uint8Array): Hash {
  return toHex(keccak_256(RLP.encode(partsOf(encoded).header)))
}

/** `bytes` with one bit of their last byte turned over; where there are none, one that is not zero. */
export function flipped(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return Uint8Array.of(1)
  const other = Uint8Array.from(bytes)
  const last = other.length - 1
  // Not the lowest: a quantity must not become zero, which has no byte at all.
  other[last] = other[last]! ^ 0x02 || 0x04
  return other
}
