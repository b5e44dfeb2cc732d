/** Read access to accounts. */
import type { Address } from '../bytes/hex.ts'
import type { Account } from './account.ts'
import type { RemoteState } from './remoteState.ts'

export type { Account } from './account.ts'

/**
 * The reads that code needs of a state. They are synchronous, because all values are in memory. Implemented by `State`
 * (published, immutable) and `Draft` (the state of a running transaction).
 */
export interface StateView {
  /** The remote state that it stands on: then reads of what was not fetched throw `NotFetched`. */
  readonly remote?: RemoteState | undefined
  /** Returns the account; `undefined` if it does not exist. */
  account(address: Address): Account | undefined
  /** Returns the account's code; no bytes if it has none. */
  code(address: Address): Uint8Array
  /** Returns the value of a storage slot; zero if nothing was written. */
  storage(address: Address, slot: bigint): bigint
  /** Returns whether the account may have a non-zero slot: EIP-7610 forbids creating a contract there. */
  hasStorage(address: Address): boolean
}
