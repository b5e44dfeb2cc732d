/** What a state that stands on a remote one has in its trie, and how it reads the rest. */
import { type Address, EMPTY_BYTES, toMinimalBytes } from '../bytes/hex.ts'
import { encodeRlp } from '../bytes/rlp.ts'
import { type AccountRecord, EMPTY_CODE_HASH, encodeSlot } from './accountRecord.ts'
import {
  type MissingValue,
  NOT_FETCHED,
  NotFetched,
  type RemoteAccount,
  type RemoteState,
} from './remoteState.ts'
import { rootOf } from './trieEncoding.ts'

/** An account of the remote state that was deleted. */
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

/**
 * Returns the account as `remote` has it. Throws `NotFetched` if it was not fetched; for a read of `slot`, that names
 * the slot, too.
 */
export function recordBelow(remote: RemoteState, address: Address, slot?: bigint): AccountRecord | undefined {
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
    // Engines recognize accounts without code by this very object.
    codeHash: code.length === 0 ? EMPTY_CODE_HASH : account.codeHash,
    slots: undefined,
    remote: mayHaveStorage(account) ? remote : undefined,
  }
}

/** Only code writes slots. An account with a nonce may have delegated to some (EIP-7702). */
function mayHaveStorage({ code, nonce, hasStorage = code.length > 0 || nonce > 0n }: RemoteAccount): boolean {
  return hasStorage
}

/** Returns the slot as `remote` has it. Throws `NotFetched` if it was not fetched. */
export function slotBelow(remote: RemoteState, address: Address, slot: bigint): bigint {
  const value = remote.slot(address, slot)
  if (value === NOT_FETCHED) throw new NotFetched(remote, [{ kind: 'slot', address, slot }])
  return value
}

/** Encodes all that is here of an account, for the stand-in of a root. */
export function encodeLocal(record: AccountRecord): Uint8Array {
  if (record instanceof DeletedRecord) return encodeRlp([])
  return encodeRlp([
    toMinimalBytes(record.nonce),
    toMinimalBytes(record.balance),
    rootOf(record.slots, encodeSlot),
    record.codeHash,
    // An account whose slots are all here is another than one of whose slots the remote state has more.
    toMinimalBytes(record.remote === undefined ? 0n : 1n),
  ])
}
