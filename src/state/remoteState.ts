/**
 * The state of another node at one block: what a forked network had there. Reads are synchronous and return what was
 * fetched; what was not is named, so that the caller fetches it in one batch and begins again.
 */
import type { Address, Hash } from '../bytes/hex.ts'
import type { Account } from './account.ts'

/** An account of another node, with its code. */
export interface RemoteAccount extends Account {
  readonly code: Uint8Array
  /** Whether it has slots that are not zero, if that is known. */
  readonly hasStorage?: boolean
}

/** A value that a read needed and that was not fetched yet. An account is fetched with its code. */
export type MissingValue =
  | { readonly kind: 'account'; readonly address: Address }
  | { readonly kind: 'slot'; readonly address: Address; readonly slot: bigint }
  | { readonly kind: 'blockHash'; readonly number: bigint }
  | MissingNode

/** A node of a trie, which a root needs although no key that was read leads to it. */
export interface MissingNode {
  readonly kind: 'node'
  /** Whose storage the trie is of; `undefined` for the trie of all accounts. */
  readonly address: Address | undefined
  /** The hash of the node as a byte string. */
  readonly hash: string
  /** A key (32 bytes as a byte string) whose first `depth` nibbles lead to the node. */
  readonly key: string
  readonly depth: number
}

/** The result of a read of a value that was not fetched yet. Not `undefined`, which means that there is none. */
export const NOT_FETCHED: unique symbol = Symbol('not fetched')

/** A call or transaction that is about to run: an access list of it names many of the values that it needs. */
export interface RemoteCall {
  readonly from: Address
  readonly to: Address | undefined
  readonly value: bigint
  readonly data: Uint8Array
}

/** The nodes of the tries of a state that were fetched, each proven by its hash. */
export interface ProvenNodes {
  /**
   * Returns the node whose hash is this byte string. `undefined`: it was not fetched, or it does not exist; `null`: it
   * cannot be had.
   */
  node(hash: string): Uint8Array | undefined | null
}

/** The accounts of another node at one block. Its values never change once they are fetched. */
export interface RemoteState {
  /**
   * The nodes that prove what was fetched, if it is proven: for each account and slot the nodes towards it. Roots of states
   * above this one are exact then.
   */
  readonly proofs?: ProvenNodes | undefined
  /** Returns the accounts that were fetched, or read here. */
  fetched?(): Iterable<RemoteAccount>
  /** Returns the account; `undefined` if it does not exist there. */
  account(address: Address): RemoteAccount | undefined | typeof NOT_FETCHED
  /** Returns the value of a storage slot; zero if nothing was written there. */
  slot(address: Address, slot: bigint): bigint | typeof NOT_FETCHED
  /** Returns the hash of an ancestor of the block, for BLOCKHASH. */
  blockHash(number: bigint): Hash | typeof NOT_FETCHED
  /**
   * Fetches values, in as few requests as possible. Afterwards reads return them. With `call` it may fetch more, which
   * the call will need. `guesses` may be needed as well: whether they can be fetched does not matter. Rejects with the
   * error of the node, or of the way to it; then nothing has changed.
   */
  fetch(values: readonly MissingValue[], call?: RemoteCall, guesses?: readonly MissingValue[]): Promise<void>
}

/**
 * Thrown by reads of a state for a value that was not fetched yet. Not an `Error`: it is no failure, and must reach the
 * one who fetches and begins again (the queue of the sequencer, the dispatch of requests).
 */
export class NotFetched {
  readonly remote: RemoteState
  readonly values: readonly MissingValue[]

  constructor(remote: RemoteState, values: readonly MissingValue[]) {
    this.remote = remote
    this.values = values
  }
}

/**
 * Thrown where values of a remote state were needed that could not be fetched. `cause` is what `fetch` rejected with.
 * What was to be done with them was not begun, and can be asked for again.
 */
export class FetchFailed extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'FetchFailed'
  }
}

/** Thrown by what would need all accounts of a state of which a remote one has most. */
export class PartialState extends Error {
  constructor(what: string, why?: string) {
    super(partialText(what, why))
    this.name = 'PartialState'
  }
}

/** Returns the text that `what`, in the plural, cannot be had of a state of which a remote one has most. */
export function partialText(what: string, why = 'most of its accounts are not here'): string {
  return `there are no ${what} of a state that was forked from a network: ${why}`
}
