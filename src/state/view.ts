import type { Address } from '../bytes/hex.ts'
import type { Account, RemoteState } from './remoteState.ts'

export type { Account } from './remoteState.ts'

/** The reads that code execution needs, implemented by `State` and by `Draft` (the state of a running transaction). */
export interface StateView {
  /** The remote state of a fork: reads of values that were not fetched throw `NotFetched`. */
  readonly remote?: RemoteState | undefined
  /** Returns the account; `undefined` if it does not exist. */
  account(address: Address): Account | undefined
  /** Returns the account's code; empty if it has none. */
  code(address: Address): Uint8Array
  /** Returns the value of a storage slot; zero if nothing was written. */
  storage(address: Address, slot: bigint): bigint
  /** Returns whether the account may have a non-zero slot: EIP-7610 forbids creating a contract there. */
  hasStorage(address: Address): boolean
}
