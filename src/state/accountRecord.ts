/** Accounts and slots as stored in the tries of a state: changes, encodings, and look-ups in the remote state. */
import { type Address, EMPTY_BYTES, fromHex, toMinimalBytes } from '../bytes/hex.ts'
import { encodeRlp } from '../bytes/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { slotKey } from './hashedKey.ts'
import {
  type Account,
  type MissingValue,
  NOT_FETCHED,
  NotFetched,
  type RemoteAccount,
  type RemoteState,
} from './remoteState.ts'
import { type Batch, remove, set, type Trie } from './trie.ts'
import { rootOf } from './trieEncoding.ts'

/** The code hash of an account without code: keccak-256 of no bytes. */
export const EMPTY_CODE_HASH: Uint8Array = fromHex(
  '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
)

/** An account with its code and storage. Contains the address, because the trie stores only the hash of the address. */
export interface AccountRecord extends Account {
  readonly address: Address
  readonly code: Uint8Array
  readonly slots: Trie<SlotRecord>
  /** The remote state that contains the slots missing in `slots`. If `undefined`, missing slots are zero. */
  readonly remote?: RemoteState | undefined
}

/** An account without code and slots. An instance takes a third less memory than an object with all members. */
export class PlainRecord implements AccountRecord {
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

export class DeletedRecord implements AccountRecord {
  readonly address: Address
  readonly nonce = 0n
  readonly balance = 0n
  readonly code = EMPTY_BYTES
  readonly codeHash = EMPTY_CODE_HASH
  readonly slots = undefined

  constructor(address: Address) {
    this.address = address
  }
}

/** A storage slot. The value is zero only in a forked state, to hide the slot's remote value. */
export interface SlotRecord {
  readonly slot: bigint
  readonly value: bigint
}

/** Changes of one account. Absent members stay unchanged. A new account starts empty. */
export interface AccountChange {
  readonly address: Address
  /** Deletes the account with its code and storage before the other changes are applied. */
  readonly deleted?: boolean
  readonly nonce?: bigint
  readonly balance?: bigint
  readonly code?: Uint8Array
  /** Clears all slots before `storage` is applied. */
  readonly storageCleared?: boolean
  /** Slots and their new values; zero removes a slot. */
  readonly storage?: Iterable<readonly [slot: bigint, value: bigint]>
}

export function changedRecord(
  record: AccountRecord | undefined,
  change: AccountChange,
  batch: Batch,
): AccountRecord | undefined {
  const before = change.deleted ? undefined : record
  if (change.deleted && isBare(change)) return undefined
  const code = change.code ?? before?.code ?? EMPTY_BYTES
  let slots = change.storageCleared ? undefined : before?.slots
  const remote = change.storageCleared ? undefined : before?.remote
  for (const [slot, value] of change.storage ?? []) {
    slots =
      value === 0n && remote === undefined
        ? remove(slots, slotKey(slot), batch)
        : set(slots, slotKey(slot), { slot, value }, batch)
  }
  // Keeps the address string of the earlier record: a new string in each record would take more memory.
  const address = before?.address ?? change.address
  const nonce = change.nonce ?? before?.nonce ?? 0n
  const balance = change.balance ?? before?.balance ?? 0n
  if (remote !== undefined) {
    return { address, nonce, balance, code, codeHash: codeHashOf(code, before), slots, remote }
  }
  if (code.length === 0 && slots === undefined) return new PlainRecord(address, nonce, balance)
  return { address, nonce, balance, code, codeHash: codeHashOf(code, before), slots }
}

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

/** Encodes an account of the state trie (Yellow Paper, 4.1). */
export function encodeAccount({ nonce, balance, codeHash }: Account, storageRoot: Uint8Array): Uint8Array {
  return encodeRlp([toMinimalBytes(nonce), toMinimalBytes(balance), storageRoot, codeHash])
}

export function encodeSlot({ value }: SlotRecord): Uint8Array {
  return encodeRlp(toMinimalBytes(value))
}

/** Encodes a locally changed account, for the root of a forked state's local changes. */
export function encodeLocal(record: AccountRecord): Uint8Array {
  if (record instanceof DeletedRecord) return encodeRlp([])
  return encodeRlp([
    toMinimalBytes(record.nonce),
    toMinimalBytes(record.balance),
    rootOf(record.slots, encodeSlot),
    record.codeHash,
    // Whether the account may have remote slots.
    toMinimalBytes(record.remote === undefined ? 0n : 1n),
  ])
}

/** Returns the account in `remote`. Throws `NotFetched` for the account and `slot` if the account was not fetched. */
export function remoteRecord(
  remote: RemoteState,
  address: Address,
  slot?: bigint,
): AccountRecord | undefined {
  const account = remote.account(address)
  if (account === NOT_FETCHED) {
    const missing: MissingValue[] = [{ kind: 'account', address }]
    if (slot !== undefined && remote.slot(address, slot) === NOT_FETCHED) {
      missing.push({ kind: 'slot', address, slot })
    }
    throw new NotFetched(remote, missing)
  }
  if (account === undefined) return undefined
  const { nonce, balance, code } = account
  return {
    address,
    nonce,
    balance,
    code,
    // Engines recognize an account without code by the identity of this constant.
    codeHash: code.length === 0 ? EMPTY_CODE_HASH : account.codeHash,
    slots: undefined,
    remote: mayHaveStorage(account) ? remote : undefined,
  }
}

/** Returns whether the account may have slots: any account with a nonce may have been delegated (EIP-7702). */
function mayHaveStorage({ code, nonce, hasStorage = code.length > 0 || nonce > 0n }: RemoteAccount): boolean {
  return hasStorage
}

export function remoteSlot(remote: RemoteState, address: Address, slot: bigint): bigint {
  const value = remote.slot(address, slot)
  if (value === NOT_FETCHED) throw new NotFetched(remote, [{ kind: 'slot', address, slot }])
  return value
}
