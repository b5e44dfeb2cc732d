/** The interface for faults (`faults/`), which change how slices are published and blocks are sealed. By default nothing does. */

import type { Hash } from '../../bytes/hex.ts'
import type { Preconfirmed } from '../../chain/moment.ts'
import type { Block } from '../../model/block/block.ts'
import type { Header } from '../../model/block/header.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { ReorgRequest } from '../reorg.ts'
import type { PublishedSlice, Slice } from './slice.ts'

export interface Deviations {
  /** Number of planned deviations. `advance` leaves no ticks out while there are any. */
  readonly planned: number
  /** Whether readers see the block under construction even after its seal. */
  readonly isPendingStale: boolean
  /** Returns how a slice is published; `undefined`: as usual. Readers see `shown` now, and `before` at the command's begin. */
  ofSlice(
    slice: Slice,
    shown: Preconfirmed | undefined,
    before: Preconfirmed | undefined,
  ): Publication | undefined
  /** `open` has replaced the empty open block. */
  onReopened(open: Preconfirmed): void
  /** Returns how the block is sealed; `undefined`: as it was built. */
  ofSeal(block: Block): SealChange | undefined
  /** Returns the reorg that follows the seal of block `number`, if there is one. At most `depth` blocks can be removed. */
  afterSeal(number: bigint, depth: number): ReorgRequest | undefined
}

export interface Publication {
  /** The block under construction that readers see. */
  readonly shown: Preconfirmed | undefined
  /** The slices whose publication is emitted, in order. */
  readonly emitted: readonly PublishedSlice[]
}

/** The differences of a sealed block from the pre-confirmed one. */
export interface SealChange {
  readonly header: Partial<Pick<Header, 'timestamp' | 'prevRandao'>>
  /** The transactions after the deposits, in order. */
  readonly transactions: readonly Transaction[]
  /** The transactions that are dropped. Others that are left out wait again. */
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
