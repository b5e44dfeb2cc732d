/** Reads one account for RPC methods: Merkle proofs (EIP-1186) and storage ranges. */
import { fromBinary, toBinary } from '../bytes/bytes.ts'
import { type Address, fromHex, type Hash, toHex, ZERO_HASH } from '../bytes/hex.ts'
import type { AccountProof } from '../model/account/account.ts'
import { PartialState } from './remoteState.ts'
import type { SlotRecord, State } from './state.ts'
import { entries } from './trie.ts'

/**
 * Returns the account at `address` and its `slots`, with proofs against the root of `state`.
 *
 * Code hash and storage hash of a missing account are zero, as in go-ethereum since 1.13.4 (issue 28441), Erigon and
 * Nethermind. reth returns the hashes of empty code and empty storage. EIP-1186 and execution-apis allow both.
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

/** Returns at most `limit` slots in order of hash, from hash `start`. Throws `PartialState` if slots may be remote. */
export function storageRange(state: State, address: Address, start: Hash, limit: number) {
  const from = toBinary(fromHex(start))
  const slots: (SlotRecord & { hash: Hash })[] = []
  const record = state.record(address)
  if (record?.remote !== undefined) throw new PartialState('lists of all slots')
  for (const [key, { slot, value }] of entries(record?.slots)) {
    if (key < from) continue
    const hash = toHex(fromBinary(key))
    if (slots.length === limit) return { slots, next: hash }
    slots.push({ hash, slot, value })
  }
  return { slots, next: undefined }
}
