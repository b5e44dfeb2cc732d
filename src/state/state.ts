/**
 * The state of all accounts as an immutable value.
 *
 * One persistent Merkle trie for the accounts and one for each account's storage (see `trie.ts`): holding, forking or
 * restoring a state costs a pointer, a change costs the path to what changed, and the Merkle root needs no second
 * structure. Chosen with `scripts/bench/state-structures.ts` (Node 20, linux-x64, WebAssembly keccak; accounts of three
 * fields, ten of them written and the root computed in each of 10,000 blocks, all of which are kept):
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
import { type Address, EMPTY_BYTES, fromHex, type Hash, toHex, toMinimalBytes } from '../model/bytes/hex.ts'
import { encodeRlp } from '../model/bytes/rlp.ts'
import { keccak256 } from '../model/crypto/keccak.ts'
import { accountKey, remember, slotKey } from './hashedKey.ts'
import * as trie from './trie.ts'
import { changesBetween, type TrieChange } from './trieChanges.ts'
import { rootOf } from './trieEncoding.ts'
import { proofOf } from './trieProof.ts'
import type { Account, StateView } from './view.ts'

/** keccak-256 of no bytes: the code hash of an account without code. */
export const EMPTY_CODE_HASH: Uint8Array = fromHex(
  '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
)

/** An account with its code and storage. The address is kept because the trie has only its hash. */
export interface AccountRecord extends Account {
  readonly address: Address
  readonly code: Uint8Array
  readonly slots: trie.Trie<SlotRecord>
}

/** An account without code and slots. Most accounts are, and each version of one takes a third less memory so. */
class PlainRecord implements AccountRecord {
  readonly address: Address
  readonly nonce: bigint
  readonly balance: bigint

  constructor(address: Address, nonce: bigint, balance: bigint) {
    this.address = address
    this.nonce = nonce
    this.balance = balance
  }

  get code(): Uint8Array {
    return EMPTY_BYTES
  }

  get codeHash(): Uint8Array {
    return EMPTY_CODE_HASH
  }

  get slots(): undefined {
    return undefined
  }
}

/** A storage slot that is not zero. */
export interface SlotRecord {
  readonly slot: bigint
  readonly value: bigint
}

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

/** The number of states made so far. Each state has its own number. */
let states = 0

/** An immutable state of all accounts. */
export class State implements StateView {
  static readonly empty = new State(undefined)

  readonly #accounts: trie.Trie<AccountRecord>
  readonly #number = ++states
  #root: Hash | undefined

  private constructor(accounts: trie.Trie<AccountRecord>) {
    this.#accounts = accounts
  }

  account(address: Address): Account | undefined {
    return this.record(address)
  }

  code(address: Address): Uint8Array {
    return this.record(address)?.code ?? EMPTY_BYTES
  }

  storage(address: Address, slot: bigint): bigint {
    const slots = this.record(address)?.slots
    return slots === undefined ? 0n : (trie.get(slots, slotKey(slot))?.value ?? 0n)
  }

  hasStorage(address: Address): boolean {
    return this.record(address)?.slots !== undefined
  }

  /** Returns the account with its code and slots, in one look-up. */
  record(address: Address): AccountRecord | undefined {
    const known = accountKey<AccountRecord>(address)
    if (known.state !== this.#number) remember(known, this.#number, trie.get(this.#accounts, known.key))
    return known.record
  }

  /** Yields all accounts, in the order of their hashed addresses. */
  *records(): Generator<AccountRecord> {
    for (const [, record] of trie.entries(this.#accounts)) yield record
  }

  /** Yields each account that changed since `older`, before and now. Shared parts are skipped. */
  changesSince(older: State): Generator<TrieChange<AccountRecord>> {
    return changesBetween(older.#accounts, this.#accounts)
  }

  /** Returns the state after `changes`. This state does not change. */
  with(changes: Iterable<AccountChange>): State {
    const batch = trie.newBatch()
    let accounts = this.#accounts
    for (const change of changes) {
      const { key } = accountKey(change.address)
      const before = trie.get(accounts, key)
      const after = changed(before, change, batch)
      if (after === before) continue
      accounts =
        after === undefined ? trie.remove(accounts, key, batch) : trie.set(accounts, key, after, batch)
    }
    return accounts === this.#accounts ? this : new State(accounts)
  }

  /** Returns the Merkle root. Only nodes that changed since a root was last computed are hashed. */
  root(): Hash {
    // Kept as text: empty blocks do not change the state, and all of them share one string.
    this.#root ??= toHex(rootOf(this.#accounts, encodeAccount))
    return this.#root
  }

  /** Returns the Merkle proof of the account at `address`, or of its absence, against this state's root. */
  proof(address: Address): Uint8Array[] {
    return proofOf(this.#accounts, accountKey(address).key, encodeAccount)
  }
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
  for (const [slot, value] of change.storage ?? []) {
    slots =
      value === 0n
        ? trie.remove(slots, slotKey(slot), batch)
        : trie.set(slots, slotKey(slot), { slot, value }, batch)
  }
  // The text that is there already: each transaction comes with one of its own.
  const address = before?.address ?? change.address
  const nonce = change.nonce ?? before?.nonce ?? 0n
  const balance = change.balance ?? before?.balance ?? 0n
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

function encodeAccount(record: AccountRecord): Uint8Array {
  return encodeRlp([
    toMinimalBytes(record.nonce),
    toMinimalBytes(record.balance),
    storageRootOf(record),
    record.codeHash,
  ])
}

function encodeSlot({ value }: SlotRecord): Uint8Array {
  return encodeRlp(toMinimalBytes(value))
}

/** Returns the Merkle root of an account's storage, 32 bytes. */
export function storageRootOf(record: AccountRecord): Uint8Array {
  return rootOf(record.slots, encodeSlot)
}

/** Returns the Merkle proof of an account's `slot`, against the root of its storage. */
export function slotProofOf(record: AccountRecord, slot: bigint): Uint8Array[] {
  return proofOf(record.slots, slotKey(slot), encodeSlot)
}
