/**
 * A chain as a state file has it: records, one after the other, of which each stands in a line of its own. A block is
 * followed by its receipts and by what became of accounts since the moment before, so that each moment can be had again.
 */
import type { UncheckedBlock } from './block/encodedBlock.ts'
import type { GenesisAccount } from './block/genesis.ts'
import type { Address, Hash } from './bytes/hex.ts'
import type { ForkSchedule } from './hardfork/forkSchedule.ts'
import type { Result } from './receipt/results.ts'
import type { Transaction } from './transaction/transaction.ts'

export type SavedRecord = SavedHead | ChainRecord | SavedWaiting | SavedClock | SavedCheats

/** What the chain itself is made of. */
export type ChainRecord =
  | SavedCode
  | SavedAccount
  | SavedBlock
  | SavedPreconfirmed
  | SavedResult
  | SavedChange
  | SavedHashes

/** What the blocks follow from: the first record. */
export interface SavedHead {
  readonly kind: 'head'
  readonly schedule: ForkSchedule
  /** Who receives the tips, and what each block's prevRandao is derived from, by the options. */
  readonly coinbase: Address
  readonly randaoSeed: Hash
}

/** Code that accounts after it have, by its hash. */
export interface SavedCode {
  readonly kind: 'code'
  readonly code: Uint8Array
}

/**
 * What became of an account; what is absent stays as it was, and an account that did not exist starts empty. One with very
 * many slots takes several records.
 */
export interface SavedAccount {
  readonly kind: 'account'
  readonly address: Address
  readonly isDeleted: boolean
  readonly nonce?: bigint
  /** Wei. */
  readonly balance?: bigint
  readonly codeHash?: Hash
  /** Slots and their new values; zero removes. */
  readonly storage: readonly (readonly [slot: bigint, value: bigint])[]
}

/** A sealed block. Its receipts follow, then the accounts. */
export interface SavedBlock {
  readonly kind: 'block'
  readonly block: UncheckedBlock
  /** Of old blocks the state may not be known; nothing is said of accounts then. */
  readonly isStateKnown: boolean
}

/** The block that is being pre-confirmed. */
export interface SavedPreconfirmed {
  readonly kind: 'preconfirmed'
  /** Its hash and state root are zero. */
  readonly block: UncheckedBlock
  readonly slices: number
}

/** What the next transaction of the block came to. */
export interface SavedResult {
  readonly kind: 'receipt'
  readonly result: Result
}

/** Accounts were set by hand after block 0, and are not what they were there: what follows is since then. */
export interface SavedChange {
  readonly kind: 'changed'
  readonly after: bigint
}

/** Blocks after block 0, one after the other, of which nothing else is kept. */
export interface SavedHashes {
  readonly kind: 'pruned'
  readonly hashes: readonly Hash[]
}

/** A transaction that waits, in the order of arrival. */
export interface SavedWaiting {
  readonly kind: 'waiting'
  readonly transaction: Transaction
}

/** Where the clock stands, in milliseconds. */
export interface SavedClock {
  readonly kind: 'clock'
  readonly nowMs: number
  readonly lastTickMs: number
  readonly shiftedMs: number
}

/** What is bent. */
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
  /** How many reorgs there were. */
  readonly branch: number
}

/** A sealed block in the file of another node, which has whole states. */
export interface WholeBlock {
  readonly block: UncheckedBlock
  /** One for each transaction. */
  readonly results: readonly Result[]
  /** All accounts after it; absent where they are not known. */
  readonly accounts: readonly GenesisAccount[] | undefined
}

/** A record that does not fit those before it. */
export interface Misfit {
  readonly expected: string
  readonly received: string
}
