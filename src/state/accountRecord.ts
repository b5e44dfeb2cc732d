/** What the trie of a state has of an account and of a slot. */
import { type Address, EMPTY_BYTES, fromHex, toMinimalBytes } from '../bytes/hex.ts'
import { encodeRlp } from '../bytes/rlp.ts'
import type { Account } from './account.ts'
import type { RemoteState } from './remoteState.ts'
import type { Trie } from './trie.ts'

/** keccak-256 of no bytes: the code hash of an account without code. */
export const EMPTY_CODE_HASH: Uint8Array = fromHex(
  '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
)

/** An account with its code and storage. The address is kept because the trie has only its hash. */
export interface AccountRecord extends Account {
  readonly address: Address
  readonly code: Uint8Array
  readonly slots: Trie<SlotRecord>
  /** What has the slots that are not in `slots`; absent: those are zero. */
  readonly remote?: RemoteState | undefined
}

/** An account without code and slots. Most accounts are, and each version of one takes a third less memory so. */
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

/** A storage slot. It is zero only above a remote state, whose value it hides. */
export interface SlotRecord {
  readonly slot: bigint
  readonly value: bigint
}

/** Returns an account as a leaf of the trie of all accounts (Yellow Paper, 4.1). */
export function encodeAccount({ nonce, balance, codeHash }: Account, storageRoot: Uint8Array): Uint8Array {
  return encodeRlp([toMinimalBytes(nonce), toMinimalBytes(balance), storageRoot, codeHash])
}

/** Returns a slot as a leaf of the trie of its account's storage. */
export function encodeSlot({ value }: SlotRecord): Uint8Array {
  return encodeRlp(toMinimalBytes(value))
}
