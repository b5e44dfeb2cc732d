/** The remote state of a fork: the state of the network after the fork block. */
import type { Address, Hash } from '../bytes/hex.ts'
import type { Call } from '../model/execution/call.ts'

export interface Account {
  readonly nonce: bigint
  readonly balance: bigint
  /** keccak-256 of the code, 32 bytes. */
  readonly codeHash: Uint8Array
}

export interface RemoteAccount extends Account {
  readonly code: Uint8Array
  /** Whether the account has non-zero slots; `undefined` if unknown. */
  readonly hasStorage?: boolean
}

/** A value to fetch. Fetching an account includes its code. */
export type MissingValue =
  | { readonly kind: 'account'; readonly address: Address }
  | { readonly kind: 'slot'; readonly address: Address; readonly slot: bigint }
  | { readonly kind: 'blockHash'; readonly number: bigint }
  | MissingNode

/** A trie node that is needed to compute a root, but is not on the path to a key that was read. */
export interface MissingNode {
  readonly kind: 'node'
  /** The account whose storage trie contains the node; `undefined` for the state trie. */
  readonly address: Address | undefined
  /** The hash of the node as a byte string. */
  readonly hash: string
  /** A key (32 bytes as a byte string) whose first `depth` nibbles lead to the node. */
  readonly key: string
  readonly depth: number
}

/** Returned for a value that was not fetched. `undefined` is returned for a value that does not exist. */
export const NOT_FETCHED: unique symbol = Symbol('not fetched')

/** A call to run. Its access list (eth_createAccessList) names many of the values to fetch. */
export type RemoteCall = Pick<Call, 'from' | 'to' | 'value' | 'data'>

/** Fetched trie nodes of a state, each verified by its hash. */
export interface ProvenNodes {
  /** Returns the node with `hash` (bytes); `undefined` if not fetched; `null` if the upstream node lacks it. */
  node(hash: string): Uint8Array | undefined | null
}

/** The accounts of the network after one block. A fetched value never changes. */
export interface RemoteState {
  /** The trie nodes on the paths to all fetched accounts and slots. Exact roots are computed from these nodes. */
  readonly proofs?: ProvenNodes | undefined
  fetched?(): Iterable<RemoteAccount>
  account(address: Address): RemoteAccount | undefined | typeof NOT_FETCHED
  /** Returns the value of a storage slot; zero if the slot was never written. */
  slot(address: Address, slot: bigint): bigint | typeof NOT_FETCHED
  /** Returns the hash of an ancestor of the fork block, for BLOCKHASH. */
  blockHash(number: bigint): Hash | typeof NOT_FETCHED
  /** Fetches `values` and the values for `call`. Ignores failures of `guesses`. A rejected fetch changes nothing. */
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

/** Thrown when values cannot be fetched. The reason is the `cause`. Nothing has changed, so the caller can retry. */
export class FetchFailed extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'FetchFailed'
  }
}

/** Thrown by operations that need all accounts, which a forked state does not have. */
export class PartialState extends Error {
  constructor(what: string, why?: string) {
    super(partialText(what, why))
    this.name = 'PartialState'
  }
}

/** Returns the error message that a forked state cannot provide `what`, a plural noun such as `proofs`. */
export function partialText(what: string, why = 'most of its accounts have not been fetched'): string {
  return `a state that was forked from a network has no ${what}: ${why}`
}
