/** What accounts look like at one moment. */
import type { Address } from '../model/bytes/hex.ts'

/** An account without its code and storage. */
export interface Account {
  readonly nonce: bigint
  /** Wei. */
  readonly balance: bigint
  /** keccak-256 of the code, 32 bytes. */
  readonly codeHash: Uint8Array
}

/**
 * The least that anyone asks of the world. Reads are synchronous: in memory there is nothing to wait for.
 * Implemented by `State` (published, immutable) and `Draft` (what a running transaction sees).
 */
export interface StateView {
  /** The account, or `undefined` if it does not exist. */
  account(address: Address): Account | undefined
  /** The account's code; no bytes where there is none. */
  code(address: Address): Uint8Array
  /** The value of a storage slot; zero where nothing was written. */
  storage(address: Address, slot: bigint): bigint
}
