import type { Address } from '../bytes/hex.ts'
import type { Account, RemoteState } from './remoteState.ts'

export type { Account } from './remoteState.ts'

/** The state that a running program reads: `State`, or `Draft`, the state of a running transaction. */
export interface StateView {
  /** The remote state of a fork. If present, reads of values that were not fetched throw `NotFetched`. */
  readonly remote?: RemoteState | undefined
  account(address: Address): Account | undefined
  /** Returns the code of the account; empty if the account has no code. */
  code(address: Address): Uint8Array
  /** Returns the value of a storage slot; zero if the slot was never written. */
  storage(address: Address, slot: bigint): bigint
  /** Returns whether the account may have non-zero slots. If so, no contract can be created at `address` (EIP-7610). */
  hasStorage(address: Address): boolean
}
