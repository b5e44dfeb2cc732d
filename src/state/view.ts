/** Read access to accounts. */
import type { Address } from '../model/bytes/hex.ts'

/** An account without its code and storage. */
export interface Account {
  readonly nonce: bigint
  /** In wei. */
  readonly balance: bigint
  /** keccak-256 of the code, 32 bytes. */
  readonly codeHash: Uint8Array
}

/**
 * The reads that code needs of a state. They are synchronous, because all values are in memory. Implemented by `State`
 * (published, immutable) and `Draft` (the state of a running transaction).
 */
export interface StateView {
  /** Returns the account; `undefined` if it does not exist. */
  account(address: Address): Account | undefined
  /** Returns the account's code; no bytes if it has none. */
  code(address: Address): Uint8Array
  /** Returns the value of a storage slot; zero if nothing was written. */
  storage(address: Address, slot: bigint): bigint
  /** Returns whether the account may have a non-zero slot: EIP-7610 forbids creating a contract there. */
  hasStorage(address: Address): boolean
}
