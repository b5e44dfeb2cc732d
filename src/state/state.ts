/**
 * The state of all accounts as an immutable value.
 *
 * One persistent Merkle trie for the accounts and one for each account's storage (see `trie.ts`): holding, forking or
 * restoring a state costs a pointer, a change costs the path to what changed, and the Merkle root needs no second
 * structure. Measured against two others (Node 20, linux-x64, WebAssembly keccak; accounts of three fields, ten of them
 * written and the root computed in each of 10,000 blocks, all of which are kept):
 *
 *   accounts   structure                      B/account  read (hot)  read (any)  block    B/block  fork+write+read
 *   1,000      this trie                      354        67 ns       76 ns       209 µs   6,900    1.1 µs
 *              persistent hash map + trie     513        153 ns      144 ns      234 µs   11,100   3.2 µs
 *              versioned flat maps + trie     577        30 ns       40 ns       198 µs   7,200    3.2 µs
 *   1,000,000  this trie                      414        547 ns      3.7 µs      433 µs   14,600   1.9 µs
 *              persistent hash map + trie     523        543 ns      1.3 µs      475 µs   25,600   5.5 µs
 *              versioned flat maps + trie     596        197 ns      0.8 µs      507 µs   17,100   4.8 µs
 *
 * The roots dominate the time of a block in all three structures, which differ there by less than two runs of the same
 * one. The trie takes the least memory, in accounts and in history, forks fastest, and is one structure instead of two.
 * Its cost is a keccak (about 1 µs, plus cache misses) for the first read of an address that was not read recently.
 * Versioned maps read fastest, but a fork of a fork of a fork reads through all of them. Readers use `StateView`, so
 * the structure can be replaced.
 */
import { joined } from '../bytes/bytes.ts'
import { type Address, EMPTY_BYTES, fromHex, type Hash, toHex } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { accountKey, remember, slotKey } from './hashedKey.ts'

export { type AccountRecord, EMPTY_CODE_HASH, type SlotRecord } from './accountRecord.ts'

import {
  type AccountRecord,
  EMPTY_CODE_HASH,
  encodeAccount,
  encodeSlot,
  PlainRecord,
} from './accountRecord.ts'
import { DeletedRecord, encodeLocal, recordBelow, slotBelow } from './localRecord.ts'
import { ProvenStates } from './provenState.ts'
import { type MissingValue, NOT_FETCHED, NotFetched, PartialState, type RemoteState } from './remoteState.ts'
import * as trie from './trie.ts'
import { changesBetween, type TrieChange } from './trieChanges.ts'
import { rootOf } from './trieEncoding.ts'
import { proofOf } from './trieProof.ts'
import type { Account, StateView } from './view.ts'

/** The changes of one account. Absent members are unchanged; an account that did not exist starts empty. */
export interface AccountChange {
  readonly address: Address
  /** Removes the account with its code and storage, before the rest of this change is applied. */
  readonly deleted?: boolean
  readonly nonce?: bigint
  /** In wei. */
  readonly balance?: bigint
  readonly code?: Uint8Array
  /** Removes all slots, before `storage` is applied. */
  readonly storageCleared?: boolean
  /** Slots and their new values; zero removes a slot. */
  readonly storage?: Iterable<readonly [slot: bigint, value: bigint]>
}

/** What a state stands on. */
interface Base {
  readonly remote: RemoteState
  /** The Merkle root of the remote state. */
  readonly root: Hash
  /** The tries of states above it, if what was fetched is proven. */
  readonly proven: ProvenStates | undefined
}

/** The number of states made so far. Each state has its own number. */
let states = 0

/**
 * An immutable state of all accounts.
 *
 * A state may stand on a remote one, which has the accounts and slots that are not in its trie. Reads of a value that
 * was not fetched throw `NotFetched`. Deleted accounts and slots that became zero are then kept in the trie, because
 * the remote state still has them.
 */
export class State implements StateView {
  static readonly empty = new State(undefined, undefined)

  /** Returns the state that has what `remote` has, whose Merkle root is `root`. */
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

  /** The state without any changes of what the remote one has; for a state on none, the empty one. */
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
    return record.remote === undefined ? 0n : slotBelow(record.remote, address, slot)
  }

  /** Accounts of a remote state with code or a nonce may: without these nothing can have been written. */
  hasStorage(address: Address): boolean {
    const record = this.record(address)
    return record !== undefined && (record.slots !== undefined || record.remote !== undefined)
  }

  /** Returns the account with its code and slots, in one look-up. */
  record(address: Address): AccountRecord | undefined {
    return this.#record(address, undefined)
  }

  /** The same for a read of `slot`: if the account was not fetched, both are named. */
  #record(address: Address, slot: bigint | undefined): AccountRecord | undefined {
    const known = accountKey<AccountRecord>(address)
    if (known.state !== this.#number) remember(known, this.#number, this.#find(address, known.key, slot))
    return known.record
  }

  #find(address: Address, key: string, slot: bigint | undefined): AccountRecord | undefined {
    const here = trie.get(this.#accounts, key)
    if (this.#base === undefined) return here
    if (here === undefined) return recordBelow(this.#base.remote, address, slot)
    return here instanceof DeletedRecord ? undefined : here
  }

  /**
   * Throws `NotFetched` that names those of `addresses` which are neither here nor fetched: one by one they would be
   * fetched one by one.
   */
  requireAccounts(addresses: Iterable<Address>): void {
    if (this.#base === undefined) return
    const { remote } = this.#base
    const missing = new Set<Address>()
    for (const address of addresses) {
      const known = accountKey(address)
      // What was read of this state is here.
      if (known.state === this.#number || trie.get(this.#accounts, known.key) !== undefined) continue
      if (remote.account(address) === NOT_FETCHED) missing.add(address)
    }
    if (missing.size === 0) return
    throw new NotFetched(
      remote,
      Array.from(missing, (address): MissingValue => ({ kind: 'account', address })),
    )
  }

  /**
   * Yields all accounts, or those after `after`, in the order of their hashed addresses; above a remote state those that
   * changed.
   */
  *records(after?: Address): Generator<AccountRecord> {
    const found =
      after === undefined
        ? trie.entries(this.#accounts)
        : trie.entriesAfter(this.#accounts, accountKey(after).key)
    for (const [, record] of found) if (!(record instanceof DeletedRecord)) yield record
  }

  /**
   * Yields each account that changed since `older`, before and now. Shared parts are skipped. Both states must stand on
   * the same remote one, or on none.
   */
  changesSince(older: State): Generator<TrieChange<AccountRecord>> {
    const changes = changesBetween(older.#accounts, this.#accounts)
    return this.#base === undefined ? changes : older.#resolved(changes)
  }

  /** Yields changes of the trie as changes of the state. */
  *#resolved(changes: Iterable<TrieChange<AccountRecord>>): Generator<TrieChange<AccountRecord>> {
    for (const [key, before, after] of changes) {
      const { address } = (after ?? before)!
      // What changed was fetched.
      const was = this.#find(address, key, undefined)
      const is = after instanceof DeletedRecord ? undefined : after
      if (was !== undefined || is !== undefined) yield [key, was, is]
    }
  }

  /**
   * Returns the state after `changes`. This state does not change. Throws `NotFetched` for changed accounts that are
   * neither here nor fetched.
   */
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
        if (before === undefined) before = recordBelow(base.remote, change.address)
        else if (before instanceof DeletedRecord) before = undefined
      }
      let after = changed(before, change, batch)
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
   * Returns the Merkle root. Only nodes that changed since a root was last computed are hashed.
   *
   * Above a remote state whose values are proven, it throws `NotFetched` for nodes that it needs. Above another the root
   * cannot be computed, since most accounts are not here: without changes it is the root of the remote state, with
   * changes the hash of that root and of the root of a trie of the changes. The same changes give the same hash,
   * whatever else was fetched.
   */
  root(): Hash {
    // Kept as text: empty blocks do not change the state, and all of them share one string.
    this.#root ??=
      this.#base === undefined ? toHex(rootOf(this.#accounts, encodeRecord)) : this.#rootAbove(this.#base)
    return this.#root
  }

  /** Whether `root` returns the Merkle root. Throws `NotFetched` as that does. */
  get hasExactRoot(): boolean {
    if (this.#base === undefined || this.#accounts === undefined) return true
    return this.#base.proven?.root(this.#accounts) !== undefined
  }

  #rootAbove({ root, proven }: Base): Hash {
    if (this.#accounts === undefined) return root
    return (
      proven?.root(this.#accounts) ??
      toHex(keccak256(joined([fromHex(root), rootOf(this.#accounts, encodeLocal)])))
    )
  }

  /**
   * Returns the Merkle proof of the account at `address`, or of its absence, against this state's root. Throws
   * `PartialState` above a remote state, unless its values are proven; then `NotFetched` for nodes that it needs.
   */
  proof(address: Address): Uint8Array[] {
    if (this.#base !== undefined) return provenBy(this.#base).proof(this.#accounts, address)
    return proofOf(this.#accounts, accountKey(address).key, encodeRecord)
  }

  /** Returns the Merkle root of the slots of an account of this state, 32 bytes. Throws what `proof` throws. */
  storageRoot(record: AccountRecord): Uint8Array {
    if (record.remote === undefined) return storageRootOf(record)
    return provenBy(this.#base!).storageRoot(this.#accounts, record.address)
  }

  /** Returns the Merkle proof of a slot against the root of its account's storage. Throws what `proof` throws. */
  slotProof(record: AccountRecord, slot: bigint): Uint8Array[] {
    if (record.remote === undefined) return proofOf(record.slots, slotKey(slot), encodeSlot)
    return provenBy(this.#base!).slotProof(this.#accounts, record.address, slot)
  }
}

function provenBy({ proven }: Base): ProvenStates {
  if (proven === undefined) throw new PartialState('proofs')
  return proven
}

function changed(
  record: AccountRecord | undefined,
  change: AccountChange,
  batch: trie.Batch,
): AccountRecord | undefined {
  const before = change.deleted ? undefined : record
  if (change.deleted && isBare(change)) return undefined
  const code = change.code ?? before?.code ?? EMPTY_BYTES
  let slots = change.storageCleared ? undefined : before?.slots
  const remote = change.storageCleared ? undefined : before?.remote
  for (const [slot, value] of change.storage ?? []) {
    slots =
      value === 0n && remote === undefined
        ? trie.remove(slots, slotKey(slot), batch)
        : trie.set(slots, slotKey(slot), { slot, value }, batch)
  }
  // The text that is there already: each transaction comes with one of its own.
  const address = before?.address ?? change.address
  const nonce = change.nonce ?? before?.nonce ?? 0n
  const balance = change.balance ?? before?.balance ?? 0n
  if (remote !== undefined) {
    return { address, nonce, balance, code, codeHash: codeHashOf(code, before), slots, remote }
  }
  if (code.length === 0 && slots === undefined) return new PlainRecord(address, nonce, balance)
  return { address, nonce, balance, code, codeHash: codeHashOf(code, before), slots }
}

/** Returns whether a change consists of `deleted` alone. */
function isBare(change: AccountChange): boolean {
  return (
    change.nonce === undefined &&
    change.balance === undefined &&
    change.code === undefined &&
    change.storage === undefined
  )
}

function codeHashOf(code: Uint8Array, before: AccountRecord | undefined): Uint8Array {
  if (code === before?.code) return before.codeHash
  return code.length === 0 ? EMPTY_CODE_HASH : keccak256(code)
}

function encodeRecord(record: AccountRecord): Uint8Array {
  return encodeAccount(record, storageRootOf(record))
}

function storageRootOf({ slots }: AccountRecord): Uint8Array {
  return rootOf(slots, encodeSlot)
}
