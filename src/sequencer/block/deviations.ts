/** The interface through which faults (`faults/`) change how slices are published and blocks are sealed. */

import type { Hash } from '../../bytes/hex.ts'
import type { Preconfirmed } from '../../chain/moment.ts'
import type { Block } from '../../model/block/block.ts'
import type { Header } from '../../model/block/header.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { ReorgRequest } from '../reorg.ts'
import type { PublishedSlice, Slice } from './slice.ts'

export interface Deviations {
  /** Number of planned deviations. While any deviation is planned, `advance` skips no tick. */
  readonly planned: number
  /** Whether readers keep seeing the block under construction after its seal. */
  readonly isPendingStale: boolean
  /**
   * Returns how to publish a slice; `undefined` to publish the slice as usual. `shown`: the block under construction
   * that readers see now. `before`: the one that readers saw when the command began.
   */
  ofSlice(
    slice: Slice,
    shown: Preconfirmed | undefined,
    before: Preconfirmed | undefined,
  ): Publication | undefined
  /** Called when `open` has replaced the empty open block. */
  onReopened(open: Preconfirmed): void
  /** Returns how to change the block at its seal; `undefined`: not at all. */
  ofSeal(block: Block): SealChange | undefined
  /** Returns the reorg to perform after the seal of block `number`, if any. At most `depth` blocks can be removed. */
  afterSeal(number: bigint, depth: number): ReorgRequest | undefined
}

export interface Publication {
  /** The block under construction that readers see. */
  readonly shown: Preconfirmed | undefined
  /** The slices to emit, in order. */
  readonly emitted: readonly PublishedSlice[]
}

/** The differences of a sealed block from the pre-confirmed one. */
export interface SealChange {
  readonly header: Partial<Pick<Header, 'timestamp' | 'prevRandao'>>
  /** The transactions after the deposits, in order. */
  readonly transactions: readonly Transaction[]
  /** The transactions to drop. Other transactions that the sealed block lacks wait again. */
  readonly dropped: ReadonlySet<Hash>
}

export const NO_DEVIATIONS: Deviations = {
  planned: 0,
  isPendingStale: false,
  ofSlice: () => undefined,
  onReopened: () => {},
  ofSeal: () => undefined,
  afterSeal: () => undefined,
}
