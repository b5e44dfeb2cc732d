/** The interface through which an L1 (`bridge/`) decides with which deposits the blocks of an L2 begin. */
import type { Finality } from '../../chain/chain.ts'
import type { Moment } from '../../chain/moment.ts'
import type { AttributesOfBlock, L1Attributes, L1Origin } from '../../model/l2/l1Attributes.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'

/** The part of an L2 block that comes from L1. */
export interface Derived {
  readonly origin: L1Origin
  readonly attributes: L1Attributes
  /** The deposits of users: those of the L1 origin in the first L2 block that has it. */
  readonly deposits: readonly Transaction[]
}

export interface Derivation extends Finality {
  /** Moves the L1 to the timestamp of the next block of the L2. */
  follow(timestamp: bigint): MaybePromise<void>
  /** Returns the part of the L2 block at `timestamp` that comes from L1. `parent`: the attributes of its parent. */
  derive(timestamp: bigint, parent: AttributesOfBlock | undefined): Derived
  /** Returns whether the L1 origin of an L2 block is a block of the L1. A reorg of the L1 may have removed it. */
  hasOrigin(moment: Moment): boolean
  /** Waits for the running command of the L1. */
  idle(): Promise<unknown>
  /** Called with each block that the L2 seals. The L1 may get a transaction about it. */
  onSealed(moment: Moment): MaybePromise<void>
  /** The L1 at this moment, as an opaque value for `restore`. */
  readonly mark: unknown
  /** Brings the L1 to `mark`; without one, to its first block. */
  restore(mark?: unknown): Promise<void>
}
