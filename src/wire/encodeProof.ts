/** Merkle proofs in JSON (EIP-1186, execution-apis `src/schemas/state.yaml`). */
import { toHex } from '../bytes/hex.ts'
import type { AccountProof } from '../model/proof.ts'
import { encodeQuantity } from './hex.ts'
import { encodeStorageKey, type StorageKey } from './storageKey.ts'

/** Returns the proof of an account and of the slots with these `keys`, in their order. */
export function encodeProof(proof: AccountProof, keys: readonly StorageKey[]): Record<string, unknown> {
  return {
    address: proof.address,
    accountProof: proof.accountProof.map(toHex),
    balance: encodeQuantity(proof.balance),
    codeHash: proof.codeHash,
    nonce: encodeQuantity(proof.nonce),
    storageHash: proof.storageHash,
    storageProof: proof.storageProof.map(({ value, proof: nodes }, i) => ({
      key: encodeStorageKey(keys[i]!),
      value: encodeQuantity(value),
      proof: nodes.map(toHex),
    })),
  }
}
