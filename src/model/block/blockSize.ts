/** How many bytes a block may have (EIP-7934). */
import type { Rules } from '../hardfork/hardfork.ts'

/** 10 MiB, less 2 MiB for what the beacon chain puts around it. */
const MAX_BLOCK_BYTES = 8_388_608
/** Room for all of a block's RLP but its transactions: a header has at most 750 bytes, sixteen withdrawals 720. */
const BYTES_BESIDE_TRANSACTIONS = 2_048
/** The length before a transaction in a block's list: a typed one is a byte string, a legacy one has its own list around it. */
const MAX_LENGTH_BYTES = 5

/** The most bytes that the RLP of a block may have under `rules`; `undefined`: any number. */
export function maxBlockBytes(rules: Rules): number | undefined {
  return rules.since('osaka') ? MAX_BLOCK_BYTES : undefined
}

/** The bytes that the transactions of a block that is built under `rules` may have together, by `bytesInBlock`. */
export function maxTransactionBytes(rules: Rules): number {
  const limit = maxBlockBytes(rules)
  return limit === undefined ? Number.POSITIVE_INFINITY : limit - BYTES_BESIDE_TRANSACTIONS
}

/** The bytes that a transaction takes in a block, or a few more. */
export function bytesInBlock({ raw }: { readonly raw: Uint8Array }): number {
  return raw.length + MAX_LENGTH_BYTES
}
