import type { Address } from '../bytes/hex.ts'
import type { Account, RemoteState } from './remoteState.ts'

export type { Account } from './remoteState.ts'

/** The reads of a running program. `State` implements them, and `Draft`, the state of a running transaction. */
export interface StateView {
  /** The remote state of a fork, on which reads throw `NotFetched`. */
  readonly remote?: RemoteState | undefined
  /** Returns the account; `undefined` if it does not exist. */
  account(address: Address): Account | undefined
  /** Returns the account's code; empty if it has none. */
  code(address: Address): Uint8Array
  /** Returns the value of a storage slot; zero if nothing was written. */
  storage(address: Address, slot: bigint): bigint
  /** Returns whether the account may have non-zero slots. If so, no contract can be created there (EIP-7610). */
  hasStorage(address: Address): boolean
}
