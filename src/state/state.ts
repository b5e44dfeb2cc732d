/**
 * The state of all accounts as an immutable value.
 *
 * One persistent Merkle trie contains the accounts, and one trie per account contains its storage (see `trie.ts`). To
 * hold, fork or restore a state costs a pointer. A change costs the path to the changed leaf. The Merkle root needs no
 * second structure. Measured against two other structures (Node 20, linux-x64, WebAssembly keccak; accounts of three
 * fields; 10,000 blocks, all kept, each with ten written accounts and a root):
 *
 *   accounts   structure                      B/account  read (hot)  read (any)  block    B/block  fork+write+read
 *   1,000      this trie                      354        67 ns       76 ns       209 µs   6,900    1.1 µs
 *              persistent hash map + trie     513        153 ns      144 ns      234 µs   11,100   3.2 µs
 *              versioned flat maps + trie     577        30 ns       40 ns       198 µs   7,200    3.2 µs
 *   1,000,000  this trie                      414        547 ns      3.7 µs      433 µs   14,600   1.9 µs
 *              persistent hash map + trie     523        543 ns      1.3 µs      475 µs   25,600   5.5 µs
 *              versioned flat maps + trie     596        197 ns      0.8 µs      507 µs   17,100   4.8 µs
 *
 * In all three structures, most of the time of a block is spent on roots, and the difference between structures is
 * smaller than between two runs of one structure. The trie takes the least memory for accounts and history, forks
 * fastest, and is one structure instead of two. The first read of an address that was not read recently costs a keccak
 * (about 1 µs, plus cache misses). Versioned maps read fastest, but a nested fork reads through many maps. Readers use
 * `StateView`, so the structure can be replaced.
 */
import { concatenate } from '../bytes/bytes.ts'
import { type Address, EMPTY_BYTES, fromHex, type Hash, toHex } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import {
  type AccountChange,
  type AccountRecord,
  changedRecord,
  DeletedRecord,
  encodeAccount,
  encodeLocal,
  encodeSlot,
  remoteRecord,
  remoteSlot,
} from './accountRecord.ts'
import { accountKey, cacheRecord, slotKey } from './hashedKey.ts'
import { ProvenStates } from './provenState.ts'
import { type MissingValue, NOT_FETCHED, NotFetched, PartialState, type RemoteState } from './remoteState.ts'
import * as trie from './trie.ts'
import { changesBetween, type TrieChange } from './trieChanges.ts'
import { proofOf, rootOf } from './trieEncoding.ts'
import type { Account, StateView } from './view.ts'

export {
  type AccountChange,
  type AccountRecord,
  EMPTY_CODE_HASH,
  type SlotRecord,
} from './accountRecord.ts'

interface Base {
  readonly remote: RemoteState
  readonly root: Hash
  /** The tries of the forked states; `undefined` if remote values are fetched without proofs. */
  readonly proven: ProvenStates | undefined
}

/** The number of states created in this process, which is also the number of the newest state. */
let states = 0

/**
 * An immutable state of all accounts.
 *
 * The trie of a forked state contains only local changes. Deleted accounts and zero slots in the trie hide remote
 * values. All other accounts and slots are read from the remote state. Reading a value that was not fetched throws
 * `NotFetched`.
 */
export class State implements StateView {
  static readonly empty = new State(undefined, undefined)

  /** Returns a forked state without local changes. `root` is the state root of `remote`. */
  static on(remote: RemoteState, root: Hash): State {
    const { proofs } = remote
    const proven = proofs === undefined ? undefined : new ProvenStates(remote, proofs, root)
    return new State(undefined, { remote, root, proven })
  }

  readonly #accounts: trie.Trie<AccountRecord>
  readonly #base: Base | undefined
  readonly #number = ++states
  #root: Hash | undefined

  private constructor(accounts: trie.Trie<AccountRecord>, base: Base | undefined) {
    this.#accounts = accounts
    this.#base = base
  }

  get remote(): RemoteState | undefined {
    return this.#base?.remote
  }

  /** The state without local changes: on a fork, the remote state; otherwise, the empty state. */
  get unchanged(): State {
    return new State(undefined, this.#base)
  }

  account(address: Address): Account | undefined {
    return this.record(address)
  }

  code(address: Address): Uint8Array {
    return this.record(address)?.code ?? EMPTY_BYTES
  }

  storage(address: Address, slot: bigint): bigint {
    const record = this.#record(address, slot)
    if (record === undefined) return 0n
    const { slots } = record
    const here = slots === undefined ? undefined : trie.get(slots, slotKey(slot))
    if (here !== undefined) return here.value
    return record.remote === undefined ? 0n : remoteSlot(record.remote, address, slot)
  }

  hasStorage(address: Address): boolean {
    const record = this.record(address)
    return record !== undefined && (record.slots !== undefined || record.remote !== undefined)
  }

  record(address: Address): AccountRecord | undefined {
    return this.#record(address, undefined)
  }

  #record(address: Address, slot: bigint | undefined): AccountRecord | undefined {
    const known = accountKey<AccountRecord>(address)
    if (known.state !== this.#number) cacheRecord(known, this.#number, this.#find(address, known.key, slot))
    return known.record
  }

  #find(address: Address, key: string, slot: bigint | undefined): AccountRecord | undefined {
    const here = trie.get(this.#accounts, key)
    if (this.#base === undefined) return here
    if (here === undefined) return remoteRecord(this.#base.remote, address, slot)
    return here instanceof DeletedRecord ? undefined : here
  }

  /** Throws `NotFetched` with all accounts among `addresses` that were not fetched, so that one batch fetches them. */
  requireAccounts(addresses: Iterable<Address>): void {
    if (this.#base === undefined) return
    const { remote } = this.#base
    const missing = new Set<Address>()
    for (const address of addresses) {
      const known = accountKey(address)
      // An account that was already read from this state has been fetched.
      if (known.state === this.#number || trie.get(this.#accounts, known.key) !== undefined) continue
      if (remote.account(address) === NOT_FETCHED) missing.add(address)
    }
    if (missing.size === 0) return
    const values = Array.from(missing, (address): MissingValue => ({ kind: 'account', address }))
    throw new NotFetched(remote, values)
  }

  /** Yields all accounts (after `after`, if given) in order of hashed address; on a fork, only changed accounts. */
  *records(after?: Address): Generator<AccountRecord> {
    const found =
      after === undefined
        ? trie.entries(this.#accounts)
        : trie.entriesAfter(this.#accounts, accountKey(after).key)
    for (const [, record] of found) if (!(record instanceof DeletedRecord)) yield record
  }

  /** Yields each account that differs from `older`, with both versions. Both states must have the same remote state. */
  changesSince(older: State): Generator<TrieChange<AccountRecord>> {
    const changes = changesBetween(older.#accounts, this.#accounts)
    return this.#base === undefined ? changes : older.#resolved(changes)
  }

  *#resolved(changes: Iterable<TrieChange<AccountRecord>>): Generator<TrieChange<AccountRecord>> {
    for (const [key, before, after] of changes) {
      const { address } = (after ?? before)!
      // Does not throw `NotFetched`, because only fetched accounts can be changed.
      const was = this.#find(address, key, undefined)
      const is = after instanceof DeletedRecord ? undefined : after
      if (was !== undefined || is !== undefined) yield [key, was, is]
    }
  }

  /** Returns the state after `changes`. Throws `NotFetched` if changed accounts were not fetched. */
  with(changes: Iterable<AccountChange>): State {
    const base = this.#base
    if (base !== undefined) {
      changes = [...changes]
      this.requireAccounts(Array.from(changes, ({ address }) => address))
    }
    const batch = trie.newBatch()
    let accounts = this.#accounts
    for (const change of changes) {
      const { key } = accountKey(change.address)
      let before = trie.get(accounts, key)
      if (base !== undefined) {
        if (before === undefined) before = remoteRecord(base.remote, change.address)
        else if (before instanceof DeletedRecord) before = undefined
      }
      let after = changedRecord(before, change, batch)
      if (after === before) continue
      if (after === undefined && base?.remote.account(change.address) !== undefined) {
        after = new DeletedRecord(change.address)
      }
      accounts =
        after === undefined ? trie.remove(accounts, key, batch) : trie.set(accounts, key, after, batch)
    }
    return accounts === this.#accounts ? this : new State(accounts, base)
  }

  /**
   * Returns the state root. Hashes only nodes that changed since the last root.
   *
   * An unchanged fork has the remote state root. A changed fork has an exact root only with proofs, and only if the
   * upstream node provides all trie nodes; nodes that were not fetched throw `NotFetched`. Otherwise its root is a hash
   * of the remote state root and the root of the changes, so that equal changes give equal roots.
   */
  root(): Hash {
    // The root is stored as a string, which the headers of several blocks share.
    this.#root ??=
      this.#base === undefined ? toHex(rootOf(this.#accounts, encodeRecord)) : this.#rootAbove(this.#base)
    return this.#root
  }

  /** Whether `root` returns the exact state root. Throws `NotFetched` like `root`. */
  get hasExactRoot(): boolean {
    if (this.#base === undefined || this.#accounts === undefined) return true
    return this.#base.proven?.root(this.#accounts) !== undefined
  }

  #rootAbove({ root, proven }: Base): Hash {
    if (this.#accounts === undefined) return root
    return (
      proven?.root(this.#accounts) ??
      toHex(keccak256(concatenate([fromHex(root), rootOf(this.#accounts, encodeLocal)])))
    )
  }

  /** Returns the proof of an account or its absence. Throws `NotFetched`, or `PartialState` on forks without proofs. */
  proof(address: Address): Uint8Array[] {
    if (this.#base !== undefined) return provenBy(this.#base).proof(this.#accounts, address)
    return proofOf(this.#accounts, accountKey(address).key, encodeRecord)
  }

  /** Returns the storage root of an account of this state, 32 bytes. Throws like `proof`. */
  storageRoot(record: AccountRecord): Uint8Array {
    if (record.remote === undefined) return storageRootOf(record)
    return provenBy(this.#base!).storageRoot(this.#accounts, record.address)
  }

  /** Returns the Merkle proof of a slot against the storage root of its account. Throws like `proof`. */
  slotProof(record: AccountRecord, slot: bigint): Uint8Array[] {
    if (record.remote === undefined) return proofOf(record.slots, slotKey(slot), encodeSlot)
    return provenBy(this.#base!).slotProof(this.#accounts, record.address, slot)
  }
}

function provenBy({ proven }: Base): ProvenStates {
  if (proven === undefined) throw new PartialState('proofs')
  return proven
}

function encodeRecord(record: AccountRecord): Uint8Array {
  return encodeAccount(record, storageRootOf(record))
}

function storageRootOf({ slots }: AccountRecord): Uint8Array {
  return rootOf(slots, encodeSlot)
}
