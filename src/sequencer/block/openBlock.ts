/** The block under construction: opened on a parent, grown by slices, sealed at last. */
import type { LogIndex } from '../../chain/logIndex.ts'
import type { Moment, Preconfirmed } from '../../chain/moment.ts'
import type { Block } from '../../model/block/block.ts'
import {
  EMPTY_OMMERS_HASH,
  EMPTY_REQUESTS_HASH,
  type Header,
  hashHeader,
  ZERO_NONCE,
} from '../../model/block/header.ts'
import { type Address, EMPTY_BYTES, fromHex, type Hash, toWord, ZERO_HASH } from '../../model/bytes/hex.ts'
import { PersistentMap } from '../../model/collections/persistentMap.ts'
import { keccakHash } from '../../model/crypto/keccak.ts'
import { DAO_EXTRA_DATA, hasDaoExtraData } from '../../model/hardfork/daoFork.ts'
import type { BlockPosition } from '../../model/hardfork/forkSchedule.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { EMPTY_BLOOM } from '../../model/receipt/bloom.ts'
import type { Receipt } from '../../model/receipt/receipt.ts'
import { nextBaseFee, nextExcessBlobGas, nextGasLimit } from '../../model/transaction/fees.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { EMPTY_ROOT, rootedHeader } from '../../state/roots.ts'
import type { State } from '../../state/state.ts'

/** What a new block takes from the options and not from its parent. */
export interface BlockSettings {
  readonly coinbase: Address
  /** From which each block's prevRandao is derived. */
  readonly randaoSeed: Hash
}

/**
 * What the hash of an open block is: zeros, as on Base, or that of its header as it stands, as on OP Mainnet, which no block
 * will ever have.
 */
export type PendingHash = 'zero' | 'real'

/** Where the block after `parent` stands, if it is made at `seconds`. Nobody mines it. */
export function nextPosition(parent: Header, seconds: bigint): BlockPosition {
  return {
    number: parent.number + 1n,
    // Whole seconds, many blocks in each: neighbours may share one, but time never goes back.
    timestamp: seconds > parent.timestamp ? seconds : parent.timestamp,
    difficulty: 0n,
  }
}

/** The header of the block at `position` after `parent`, under `rules`, with nothing in it yet. */
export function nextHeader(
  rules: Rules,
  parent: Header,
  parentHash: Hash,
  { number, timestamp, difficulty }: BlockPosition,
  settings: BlockSettings,
): Header {
  const later = laterFields(rules, nextExcessBlobGas(rules, parent))
  return {
    parentHash,
    ommersHash: EMPTY_OMMERS_HASH,
    coinbase: settings.coinbase,
    stateRoot: ZERO_HASH,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: EMPTY_BLOOM,
    difficulty,
    number,
    gasLimit: nextGasLimit(rules, parent),
    gasUsed: 0n,
    timestamp,
    extraData: extraDataOf(rules, number),
    prevRandao: prevRandao(settings.randaoSeed, number),
    nonce: ZERO_NONCE,
    baseFeePerGas: nextBaseFee(rules, parent),
    // Not spread: each block keeps its header, and fields that are not written out here take more memory.
    withdrawalsRoot: later.withdrawalsRoot,
    blobGasUsed: later.blobGasUsed,
    excessBlobGas: later.excessBlobGas,
    parentBeaconBlockRoot: later.parentBeaconBlockRoot,
    requestsHash: later.requestsHash,
  }
}

/** EIP-779 */
function extraDataOf({ dao }: Rules, number: bigint): Uint8Array {
  return dao?.isSupported === true && hasDaoExtraData(dao, number) ? DAO_EXTRA_DATA : EMPTY_BYTES
}

/** The fields that came with Shanghai, Cancun and Prague, for a block that makes no use of them. */
export function laterFields(
  rules: Rules,
  excessBlobGas: bigint | undefined,
): Pick<
  Header,
  'withdrawalsRoot' | 'blobGasUsed' | 'excessBlobGas' | 'parentBeaconBlockRoot' | 'requestsHash'
> {
  return {
    withdrawalsRoot: rules.has(4895) ? EMPTY_ROOT : undefined,
    blobGasUsed: rules.has(4844) ? 0n : undefined,
    excessBlobGas,
    parentBeaconBlockRoot: rules.has(4788) ? ZERO_HASH : undefined,
    requestsHash: rules.has(7685) ? EMPTY_REQUESTS_HASH : undefined,
  }
}

/** Randomness that repeats: the seed and the number, hashed. */
export function prevRandao(seed: Hash, number: bigint): Hash {
  const preimage = new Uint8Array(64)
  preimage.set(fromHex(seed), 0)
  preimage.set(toWord(number), 32)
  return keccakHash(preimage)
}

/** What empty blocks share. */
const NONE: readonly never[] = []

/** A block without slices, on a history whose logs are found in `logIndex`. */
export function openBlock(header: Header, state: State, logIndex: LogIndex): Preconfirmed {
  const withdrawals = header.withdrawalsRoot === undefined ? undefined : NONE
  const block = { header, hash: ZERO_HASH, transactions: NONE, ommers: NONE, withdrawals, receipts: NONE }
  return { block, state, slices: 0, previous: undefined, positions: PersistentMap.empty(), logIndex }
}

/**
 * The open block with one more slice: transactions, their receipts, and the state after them. Its roots are not made
 * here: nobody may ask for them before it is sealed (`rootedHeader` makes them for who does).
 */
export function withSlice(
  open: Preconfirmed,
  added: readonly Transaction[],
  receipts: readonly Receipt[],
  state: State,
): Preconfirmed {
  const slices = open.slices + 1
  // An open block that had no slice and has nothing in it is no step in how it grew.
  const previous = open.slices > 0 || open.block.transactions.length > 0 ? open : undefined
  if (added.length === 0) return { ...open, slices, previous, state }
  const first = open.block.transactions.length
  const block: Block = {
    ...open.block,
    header: {
      ...open.block.header,
      gasUsed: receipts.at(-1)!.cumulativeGasUsed,
      blobGasUsed: withBlobs(open.block.header.blobGasUsed, receipts),
    },
    transactions: [...open.block.transactions, ...added],
    receipts: [...open.block.receipts, ...receipts],
  }
  const positions = open.positions.setAll(added.map(({ hash }, i) => [hash, first + i] as const))
  return { block, state, slices, previous, positions, logIndex: open.logIndex.add(block, first) }
}

/**
 * Returns the open block under the hash that readers see: zeros, or that of its header with the roots of what is in it so far,
 * but without a root of its state.
 */
export function withPendingHash(open: Preconfirmed, pendingHash: PendingHash): Preconfirmed {
  if (pendingHash === 'zero') return open
  const header = rootedHeader(open.block)
  return { ...open, block: { ...open.block, header, hash: hashHeader(header) } }
}

function withBlobs(blobGasUsed: bigint | undefined, receipts: readonly Receipt[]): bigint | undefined {
  if (blobGasUsed === undefined) return undefined
  return receipts.reduce((sum, { blobs }) => sum + (blobs?.gasUsed ?? 0n), blobGasUsed)
}

/** The sealed moment: roots, hash and all. */
export function sealBlock(
  open: Preconfirmed,
  state: State,
  requestsHash: Hash | undefined,
  lastSlice?: Preconfirmed,
): Moment {
  const header: Header = { ...rootedHeader(open.block), stateRoot: state.root(), requestsHash }
  const block = { ...open.block, header, hash: hashHeader(header) }
  return lastSlice === undefined ? { block, state } : { block, state, lastSlice }
}
