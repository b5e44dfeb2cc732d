/**
 * The records of a state file, one in each line. A block is followed by its receipts and by the changes of accounts
 * since the block before, so that the state after each block can be restored.
 */

import type { Address, Hash } from '../bytes/hex.ts'
import type { UncheckedBlock } from '../model/block/decodeBlock.ts'
import type { GenesisAccount } from '../model/block/genesis.ts'
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import type { Result } from '../model/receipt/receipt.ts'
import type { Transaction } from '../model/transaction/transaction.ts'

/** A record of a state file: the head, the chain's records, then the pool, the clock and the cheats. */
export type SavedRecord = SavedHead | SavedFetched | ChainRecord | SavedWaiting | SavedClock | SavedCheats

/** A record of the chain itself. */
export type ChainRecord =
  | SavedCode
  | SavedAccount
  | SavedBlock
  | SavedPreconfirmed
  | SavedResult
  | SavedChange
  | SavedHashes

/** The first record: the values from which blocks follow. */
export interface SavedHead {
  readonly kind: 'head'
  readonly schedule: ForkSchedule
  /** The number of the first block. */
  readonly first: bigint
  /** Of the options: the recipient of the tips, and the seed of each block's prevRandao. */
  readonly coinbase: Address
  readonly randaoSeed: Hash
  /** The network that the chain was forked from, if it was. */
  readonly fork?: SavedFork
}

/** The block of a network from which a chain was forked. */
export interface SavedFork {
  readonly chainId: bigint
  readonly number: bigint
  readonly hash: Hash
  /** Whether the state after the block is fetched with proofs. */
  readonly hasProofs: boolean
}

/** A request about the fork block or an older one, and what the network's node answered. They follow the head. */
export interface SavedFetched {
  readonly kind: 'fetched'
  readonly method: string
  readonly params: readonly unknown[]
  readonly result: unknown
}

/** The code of accounts that follow, by its hash. */
export interface SavedCode {
  readonly kind: 'code'
  readonly code: Uint8Array
}

/**
 * The changes of an account. Absent members are unchanged; an account that did not exist starts empty. An account with
 * very many slots takes several records.
 */
export interface SavedAccount {
  readonly kind: 'account'
  readonly address: Address
  readonly isDeleted: boolean
  readonly nonce?: bigint
  /** In wei. */
  readonly balance?: bigint
  readonly codeHash?: Hash
  /** Slots and their new values; zero removes a slot. */
  readonly storage: readonly (readonly [slot: bigint, value: bigint])[]
}

/** A sealed block. Its receipts follow, then the accounts. */
export interface SavedBlock {
  readonly kind: 'block'
  readonly block: UncheckedBlock
  /** Whether the state after the block is known. If not, no accounts follow. */
  readonly isStateKnown: boolean
  /** Whether the hash is another network's, whose headers have members that are not known here. */
  readonly isForeign?: boolean
}

/** The block under construction. */
export interface SavedPreconfirmed {
  readonly kind: 'preconfirmed'
  /** The block, with zeros as its hash and state root. */
  readonly block: UncheckedBlock
  readonly slices: number
}

/** The result of the next transaction of the block. */
export interface SavedResult {
  readonly kind: 'receipt'
  readonly result: Result
}

/** Block 0's accounts were changed by cheat methods: the accounts that follow are those changes. */
export interface SavedChange {
  readonly kind: 'changed'
  readonly after: bigint
}

/** The hashes of consecutive pruned blocks after the first. */
export interface SavedHashes {
  readonly kind: 'pruned'
  readonly hashes: readonly Hash[]
}

/** A waiting transaction; the records are in the order of arrival. */
export interface SavedWaiting {
  readonly kind: 'waiting'
  readonly transaction: Transaction
}

/** The state of the clock, in milliseconds. */
export interface SavedClock {
  readonly kind: 'clock'
  readonly nowMs: number
  readonly lastTickMs: number
  readonly shiftedMs: number
}

/** The cheats in effect. */
export interface SavedCheats {
  readonly kind: 'cheats'
  readonly next: {
    readonly timestamp?: bigint
    readonly baseFeePerGas?: bigint
    readonly prevRandao?: Hash
    readonly gasLimit?: bigint
  }
  readonly chainId: bigint | undefined
  readonly coinbase: Address | undefined
  readonly extraData: Uint8Array | undefined
  readonly timestampInterval: bigint | undefined
  readonly impersonated: ReadonlySet<Address>
  readonly impersonatesAll: boolean
  /** The number of reorgs so far. */
  readonly branch: number
}

/** A sealed block in the file of another node, which has whole states. */
export interface WholeBlock {
  readonly block: UncheckedBlock
  /** The results of the transactions, one for each. */
  readonly results: readonly Result[]
  /** All accounts after the block; absent if they are not known. */
  readonly accounts: readonly GenesisAccount[] | undefined
}

/** A record that does not fit those before it. */
export interface Misfit {
  readonly expected: string
  readonly received: string
}
