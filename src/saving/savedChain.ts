/**
 * The records of a state file, one per line, and chains made of another node's blocks. In a state file the receipts of a
 * block and the account changes since its parent follow the block, so that every state can be restored.
 */

import { SharedMemory } from '../bytes/bytes.ts'
import type { Address, Hash } from '../bytes/hex.ts'
import { beginningWith, type ChainState } from '../chain/chain.ts'
import { History, type Retention } from '../chain/history.ts'
import type { Moment, SealedBlock } from '../chain/moment.ts'
import type { Block } from '../model/block/block.ts'
import type { UncheckedBlock } from '../model/block/decodeBlock.ts'
import type { GenesisAccount } from '../model/block/genesis.ts'
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import { type ExecutionResult, receiptsOf } from '../model/receipt/receipt.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { State } from '../state/state.ts'
import { exactly } from '../state/wholeState.ts'

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
  /** The options for the recipient of tips, and for the seed of each block's prevRandao. */
  readonly coinbase: Address
  readonly randaoSeed: Hash
  /** The network of a fork. */
  readonly fork?: SavedFork
}

/** The fork block. */
export interface SavedFork {
  readonly chainId: bigint
  readonly number: bigint
  readonly hash: Hash
  /** Whether the state after the block is fetched with proofs. */
  readonly hasProofs: boolean
}

/** A request about the fork block or an older one, and its result. These records follow the head. */
export interface SavedFetched {
  readonly kind: 'fetched'
  readonly method: string
  readonly params: readonly unknown[]
  readonly result: unknown
}

/** The code of later accounts, which name it by its hash. */
export interface SavedCode {
  readonly kind: 'code'
  readonly code: Uint8Array
}

/** The changes of an account. Absent members are unchanged. An account with many slots takes several records. */
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
  /** Whether the hash is that of a network whose headers have unknown fields. */
  readonly isForeign?: boolean
}

/** The block under construction. */
export interface SavedPreconfirmed {
  readonly kind: 'preconfirmed'
  /** The block, with zeros as its hash and state root. */
  readonly block: UncheckedBlock
  readonly slices: number
}

/** The receipt of the block's next transaction. */
export interface SavedResult {
  readonly kind: 'receipt'
  readonly result: ExecutionResult
}

/** The following accounts are changes of block 0 by cheat methods. */
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

/** A sealed block in another node's file, with whole states. */
export interface WholeBlock {
  readonly block: UncheckedBlock
  /** The results of the transactions, one for each. */
  readonly results: readonly ExecutionResult[]
  /** All accounts after the block; `undefined`: unknown. */
  readonly accounts: readonly GenesisAccount[] | undefined
}

/** A record that contradicts those before it. */
export interface RecordMismatch {
  readonly expected: string
  readonly received: string
}

/**
 * Returns the chain of `blocks`, from block 0 to a block with known accounts. Keeps as many blocks as `keep` allows. The
 * states of blocks without accounts are unknown.
 *
 * `onNetwork`: for a fork, the fork block, which precedes `blocks`, and the state after the last of them.
 */
export function chainOf(
  blocks: readonly WholeBlock[],
  keep: Retention,
  onNetwork?: { readonly first: Moment; readonly newest: State },
): ChainState {
  let history = onNetwork && History.of(onNetwork.first)
  const memory = new SharedMemory()
  let known = State.empty
  for (const { block: unchecked, results, accounts } of blocks) {
    const { header, hash, transactions, ommers, withdrawals } = unchecked
    const receipts = receiptsOf(header, transactions, results)
    if (accounts !== undefined) known = exactly(known, accounts)
    const block: Block = { header, hash, transactions, ommers, withdrawals, receipts }
    const isNewest = unchecked === blocks.at(-1)!.block
    const state = onNetwork !== undefined && isNewest ? onNetwork.newest : accounts && known
    const sealed: SealedBlock = state === undefined ? { kind: 'unknownState', block } : { block, state }
    history =
      history === undefined ? History.of(sealed) : history.with(sealed, keep, (stored) => stored.pack(memory))
  }
  return beginningWith(history!)
}
