/** Merkle proofs of an account and of some of its slots (EIP-1186). */
import type { Address, Hash } from '../bytes/hex.ts'

/** An account, or its absence, proven against the state root. */
export interface AccountProof {
  readonly address: Address
  readonly nonce: bigint
  /** In wei. */
  readonly balance: bigint
  /** The keccak-256 hash of the code. */
  readonly codeHash: Hash
  /** The root of the account's storage trie, against which its slots are proven. */
  readonly storageHash: Hash
  /** The RLP of the nodes from the state root towards the account. */
  readonly accountProof: readonly Uint8Array[]
  /** The proofs of the requested slots, in the order of the request. */
  readonly storageProof: readonly SlotProof[]
}

/** The value of a slot, zero if it is empty, proven against the root of its account's storage. */
export interface SlotProof {
  readonly slot: bigint
  readonly value: bigint
  /** The RLP of the nodes from the storage root towards the slot. */
  readonly proof: readonly Uint8Array[]
}
