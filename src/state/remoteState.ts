/** The remote state of a fork: the network's state after the fork block. */
import type { Address, Hash } from '../bytes/hex.ts'

export interface Account {
  readonly nonce: bigint
  readonly balance: bigint
  /** keccak-256 of the code, 32 bytes. */
  readonly codeHash: Uint8Array
}

export interface RemoteAccount extends Account {
  readonly code: Uint8Array
  /** Whether the account has non-zero slots, if known. */
  readonly hasStorage?: boolean
}

/** A value to fetch. An account is fetched with its code. */
export type MissingValue =
  | { readonly kind: 'account'; readonly address: Address }
  | { readonly kind: 'slot'; readonly address: Address; readonly slot: bigint }
  | { readonly kind: 'blockHash'; readonly number: bigint }
  | MissingNode

/** A trie node that a root needs, although it is not on the path to any key that was read. */
export interface MissingNode {
  readonly kind: 'node'
  /** The account of a storage trie; `undefined` for the state trie. */
  readonly address: Address | undefined
  /** The hash of the node as a byte string. */
  readonly hash: string
  /** A key (32 bytes as a byte string) whose first `depth` nibbles lead to the node. */
  readonly key: string
  readonly depth: number
}

/** The result of reading a value that was not fetched, unlike `undefined` for a value that does not exist. */
export const NOT_FETCHED: unique symbol = Symbol('not fetched')

/** A call or transaction to run. Fetching its access list finds many of the values that it needs. */
export interface RemoteCall {
  readonly from: Address
  readonly to: Address | undefined
  readonly value: bigint
  readonly data: Uint8Array
}

/** The fetched trie nodes of a state, verified by their hashes. */
export interface ProvenNodes {
  /** Returns the node with `hash`, a byte string; `undefined`: not fetched, or does not exist; `null`: unavailable. */
  node(hash: string): Uint8Array | undefined | null
}

/** The accounts of the network after one block. Fetched values never change. */
export interface RemoteState {
  /** The trie nodes on the paths to all fetched accounts and slots, from which exact roots are computed. */
  readonly proofs?: ProvenNodes | undefined
  fetched?(): Iterable<RemoteAccount>
  /** Returns the account; `undefined` if it does not exist. */
  account(address: Address): RemoteAccount | undefined | typeof NOT_FETCHED
  /** Returns the value of a storage slot; zero if nothing was written there. */
  slot(address: Address, slot: bigint): bigint | typeof NOT_FETCHED
  /** Returns the hash of an ancestor of the fork block, for BLOCKHASH. */
  blockHash(number: bigint): Hash | typeof NOT_FETCHED
  /** Fetches `values` and those that `call` will need. Ignores failures of `guesses`. Changes nothing if it rejects. */
  fetch(values: readonly MissingValue[], call?: RemoteCall, guesses?: readonly MissingValue[]): Promise<void>
}

/** Thrown by reads of values that were not fetched. Not an `Error`: the caller fetches the values and starts again. */
export class NotFetched {
  readonly remote: RemoteState
  readonly values: readonly MissingValue[]

  constructor(remote: RemoteState, values: readonly MissingValue[]) {
    this.remote = remote
    this.values = values
  }
}

/** Thrown if values could not be fetched, with the reason as `cause`. Nothing has changed, so a retry is possible. */
export class FetchFailed extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'FetchFailed'
  }
}

/** Thrown by operations that need all accounts of a forked state. */
export class PartialState extends Error {
  constructor(what: string, why?: string) {
    super(partialText(what, why))
    this.name = 'PartialState'
  }
}

/** Returns the message for `what` (in the plural) that a forked state cannot provide. */
export function partialText(what: string, why = 'most of its accounts are not here'): string {
  return `there are no ${what} of a state that was forked from a network: ${why}`
}
