/** The block under construction: opened on a parent, extended by slices, and sealed. */

import { type Address, EMPTY_BYTES, type Hash, ZERO_HASH } from '../../bytes/hex.ts'
import type { LogIndex } from '../../chain/logIndex.ts'
import { asSlice, type Moment, type Preconfirmed } from '../../chain/moment.ts'
import type { Block } from '../../model/block/block.ts'
import { hasFeeParameters, nextBaseFee, nextExcessBlobGas, nextGasLimit } from '../../model/block/fees.ts'
import {
  EMPTY_OMMERS_HASH,
  EMPTY_REQUESTS_HASH,
  type Header,
  hashHeader,
  prevRandao,
  ZERO_NONCE,
} from '../../model/block/header.ts'
import { PersistentMap } from '../../model/collections/persistentMap.ts'
import type { BlockPosition } from '../../model/hardfork/forkSchedule.ts'
import { DAO_EXTRA_DATA, hasDaoExtraData, type Rules } from '../../model/hardfork/hardfork.ts'
import { EMPTY_BLOOM } from '../../model/receipt/log.ts'
import { blobGasIn, type Receipt } from '../../model/receipt/receipt.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { dropPrepared, EMPTY_ROOT, isPrepared, prepareRoots, rootedHeader } from '../../state/roots.ts'
import type { State } from '../../state/state.ts'

export interface BlockSettings {
  readonly coinbase: Address
  readonly randaoSeed: Hash
}

/** How an open block gets its hash: `zero` (as on Base) or `real` (of its current header, as on OP Mainnet). */
export type PendingHash = 'zero' | 'real'

/** Returns the position of a block made at `seconds`. Its timestamp is at least `minBlockSeconds` after `parent`. */
export function nextPosition(parent: Header, seconds: bigint, minBlockSeconds = 0n): BlockPosition {
  const earliest = parent.timestamp + minBlockSeconds
  return {
    number: parent.number + 1n,
    timestamp: seconds > earliest ? seconds : earliest,
    difficulty: 0n,
  }
}

/** Returns the header of an empty block at `position` after `parent`. */
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
    extraData: extraDataOf(rules, number, parent),
    prevRandao: prevRandao(settings.randaoSeed, number),
    nonce: ZERO_NONCE,
    baseFeePerGas: nextBaseFee(rules, parent),
    // Fields are listed, not spread: objects with spread fields take more memory, and each block keeps its header.
    withdrawalsRoot: later.withdrawalsRoot,
    blobGasUsed: later.blobGasUsed,
    excessBlobGas: later.excessBlobGas,
    parentBeaconBlockRoot: later.parentBeaconBlockRoot,
    requestsHash: later.requestsHash,
  }
}

/** Returns the extra data: the fee parameters of an L2, or after the DAO fork the text that EIP-779 requires. */
function extraDataOf({ dao, l2 }: Rules, number: bigint, parent: Header): Uint8Array {
  if (l2 !== undefined && hasFeeParameters(parent.extraData)) return parent.extraData
  return dao?.isSupported === true && hasDaoExtraData(dao, number) ? DAO_EXTRA_DATA : EMPTY_BYTES
}

/** Returns the header fields added since Shanghai, for a block without withdrawals, blobs and requests. */
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

const NONE: readonly never[] = []

/** Returns a block without slices. `logIndex` has the logs of the earlier blocks. */
export function openBlock(header: Header, state: State, logIndex: LogIndex): Preconfirmed {
  const withdrawals = header.withdrawalsRoot === undefined ? undefined : NONE
  const block = { header, hash: ZERO_HASH, transactions: NONE, ommers: NONE, withdrawals, receipts: NONE }
  return { block, state, slices: 0, previous: undefined, positions: PersistentMap.empty(), logIndex }
}

/** Returns the open block with one more slice. The roots of the new block are computed on demand (`rootedHeader`). */
export function withSlice(
  open: Preconfirmed,
  added: readonly Transaction[],
  receipts: readonly Receipt[],
  state: State,
): Preconfirmed {
  const slices = open.slices + 1
  // If the open block has neither slices nor transactions, the new slice has no `previous`.
  const previous = open.slices > 0 || open.block.transactions.length > 0 ? asSlice(open) : undefined
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

/** Returns the open block with the hash that readers see. `before` is the open block before its newest slice. */
export function withPendingHash(
  open: Preconfirmed,
  pendingHash: PendingHash,
  before: Preconfirmed = open,
): Preconfirmed {
  if (pendingHash === 'zero') return open
  if (before !== open) prepareRoots(open.block, before.block)
  const header = rootedHeader(open.block)
  return { ...open, block: { ...open.block, header, hash: hashHeader(header) } }
}

/** A slice with at least this many transactions makes `prepareSeal` compute hashes early. */
const MANY = 16

/** Hashes a large block early, so that its seal is not late. `before` is the block without its newest slice. */
export function prepareSeal(open: Preconfirmed, before: Preconfirmed): void {
  const added = open.block.transactions.length - before.block.transactions.length
  if (added < MANY && !isPrepared(before.block)) return
  prepareRoots(open.block, before.block)
  // With proofs, computing the state root may require a fetch.
  if (open.state.remote?.proofs === undefined) open.state.root()
}

function withBlobs(blobGasUsed: bigint | undefined, receipts: readonly Receipt[]): bigint | undefined {
  if (blobGasUsed === undefined) return undefined
  return receipts.reduce((sum, receipt) => sum + blobGasIn(receipt), blobGasUsed)
}

export function sealBlock(
  open: Preconfirmed,
  state: State,
  requestsHash: Hash | undefined,
  lastSlice?: Preconfirmed,
): Moment {
  const header: Header = { ...rootedHeader(open.block), stateRoot: state.root(), requestsHash }
  dropPrepared(open.block)
  const block = { ...open.block, header, hash: hashHeader(header) }
  return lastSlice === undefined ? { block, state } : { block, state, lastSlice: asSlice(lastSlice) }
}
