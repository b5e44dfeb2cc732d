/** Proofs of what an account and some of its slots are (EIP-1186). */
import type { Address, Hash } from './bytes/hex.ts'

/** An account, or its absence, proven against the root of the state. */
export interface AccountProof {
  readonly address: Address
  readonly nonce: bigint
  /** Wei. */
  readonly balance: bigint
  /** keccak-256 of the code. */
  readonly codeHash: Hash
  /** The root of the account's storage, against which its slots are proven. */
  readonly storageHash: Hash
  /** The RLP of the nodes from the state's root towards the account. */
  readonly accountProof: readonly Uint8Array[]
  /** One for each slot that was asked for, in that order. */
  readonly storageProof: readonly SlotProof[]
}

/** A slot's value, zero if there is none, proven against the root of its account's storage. */
export interface SlotProof {
  readonly slot: bigint
  readonly value: bigint
  /** The RLP of the nodes from the storage's root towards the slot. */
  readonly proof: readonly Uint8Array[]
}
