/** The interface through which faults (`faults/`) change how slices are published and blocks are sealed. */

import type { Hash } from '../../bytes/hex.ts'
import type { Preconfirmed } from '../../chain/moment.ts'
import type { Block } from '../../model/block/block.ts'
import type { Header } from '../../model/block/header.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { Choice } from '../../pool/order.ts'
import type { ReorgRequest } from '../reorg.ts'
import type { PublishedSlice, Slice } from './slice.ts'

/** A failure on the L1 beside an L2. */
export type L1Failure =
  /** The next `l1Blocks` blocks of the L1 have no batches of the L2. */
  | { readonly kind: 'withholdBatches'; readonly l1Blocks: number }
  /** The L1 makes no blocks in its next `slots` slots. */
  | { readonly kind: 'missL1Slots'; readonly slots: number }

/** The failures of an L1 that last. */
export interface Outages {
  /** The L1 blocks without batches, as ranges of numbers in ascending order. */
  readonly withheld: readonly { readonly first: bigint; readonly last: bigint }[]
  /** The number of slots, from the next one on, in which the L1 makes no block. */
  readonly slots: number
}

export interface Deviations {
  /** Number of planned faults. While a fault is planned, `advance` skips no tick. */
  readonly planned: number
  /** Whether readers continue to see the block under construction after it has been sealed. */
  readonly isPendingStale: boolean
  /** Chooses the transactions that each slice tries to include, in this order. `undefined`: all, in the usual order. */
  choose: Choice | undefined
  /**
   * Returns how to publish a slice; `undefined` to publish the slice as usual. `shown` is the open block that readers
   * see now, `before` is the open block that readers saw when the command began.
   */
  ofSlice(
    slice: Slice,
    shown: Preconfirmed | undefined,
    before: Preconfirmed | undefined,
  ): Publication | undefined
  /** Called when `open` has replaced the empty open block. */
  onReopened(open: Preconfirmed): void
  /** Returns how to change the block when it is sealed; `undefined` to seal it unchanged. */
  ofSeal(block: Block): SealChange | undefined
  /** Returns the failures of the L1 that begin after the seal of block `number`. */
  onL1(number: bigint): readonly L1Failure[]
  /** Returns the reorg to perform after the seal of block `number`, if any. At most `depth` blocks can be removed. */
  afterSeal(number: bigint, depth: number): ReorgRequest | undefined
}

export interface Publication {
  /** The block under construction that readers see after the publication. */
  readonly shown: Preconfirmed | undefined
  /** The slices for which `preconfirmed` is emitted, in order. */
  readonly emitted: readonly PublishedSlice[]
}

/** Changes that a fault makes to a block when it is sealed. */
export interface SealChange {
  readonly header: Partial<Pick<Header, 'timestamp' | 'prevRandao'>>
  /** The transactions of the sealed block after its deposits, in order. */
  readonly transactions: readonly Transaction[]
  /** The transactions to drop. Other transactions that the sealed block lacks wait again. */
  readonly dropped: ReadonlySet<Hash>
}

export const NO_DEVIATIONS: Deviations = {
  planned: 0,
  isPendingStale: false,
  choose: undefined,
  ofSlice: () => undefined,
  onReopened: () => {},
  ofSeal: () => undefined,
  onL1: () => [],
  afterSeal: () => undefined,
}
