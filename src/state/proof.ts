/** The values of an account and its slots with their Merkle proofs (EIP-1186). */
import { type Address, toHex, ZERO_HASH } from '../bytes/hex.ts'
import type { AccountProof } from '../model/account.ts'
import type { State } from './state.ts'

/**
 * Returns the account at `address` and its `slots`, proven against the root of `state`.
 *
 * For an account that does not exist both hashes are zero, as in go-ethereum since 1.13.4 (its issue 28441), Erigon and
 * Nethermind. EIP-1186 and execution-apis do not define this case; reth returns the hashes of empty code and empty
 * storage.
 */
export function prove(state: State, address: Address, slots: readonly bigint[]): AccountProof {
  const record = state.record(address)
  return {
    address,
    nonce: record?.nonce ?? 0n,
    balance: record?.balance ?? 0n,
    codeHash: record === undefined ? ZERO_HASH : toHex(record.codeHash),
    storageHash: record === undefined ? ZERO_HASH : toHex(state.storageRoot(record)),
    accountProof: state.proof(address),
    storageProof: slots.map((slot) => ({
      slot,
      value: state.storage(address, slot),
      proof: record === undefined ? [] : state.slotProof(record, slot),
    })),
  }
}
