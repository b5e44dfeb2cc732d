/** The limit of a block's size in bytes (EIP-7934). */
import type { Rules } from '../hardfork/hardfork.ts'

/** 10 MiB, less 2 MiB for the beacon block around it. */
const MAX_BLOCK_BYTES = 8_388_608
/**
 * Bytes reserved for all of a block's RLP but its transactions: a header has at most 750 bytes, sixteen withdrawals
 * 720.
 */
const BYTES_BESIDE_TRANSACTIONS = 2_048
/**
 * The largest RLP prefix of a transaction in a block's list. A typed transaction is a byte string; a legacy one is a
 * list.
 */
const MAX_LENGTH_BYTES = 5

/** Returns the limit of a block's RLP in bytes under `rules`; `undefined` if there is none. */
export function maxBlockBytes(rules: Rules): number | undefined {
  return rules.since('osaka') ? MAX_BLOCK_BYTES : undefined
}

/**
 * Returns how many bytes, counted by `bytesInBlock`, the transactions of a block built under `rules` may have together.
 */
export function maxTransactionBytes(rules: Rules): number {
  const limit = maxBlockBytes(rules)
  return limit === undefined ? Number.POSITIVE_INFINITY : limit - BYTES_BESIDE_TRANSACTIONS
}

/** Returns an upper bound of the bytes that a transaction takes in a block. */
export function bytesInBlock({ raw }: { readonly raw: Uint8Array }): number {
  return raw.length + MAX_LENGTH_BYTES
}
