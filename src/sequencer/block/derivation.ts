/** The interface through which an L1 (`bridge/`) decides with which deposits the blocks of an L2 begin. */
import type { Chain, Finality } from '../../chain/chain.ts'
import type { Moment } from '../../chain/moment.ts'
import type { Header } from '../../model/block/header.ts'
import type { AttributesOfBlock, L1Attributes, L1Origin } from '../../model/l2/l1Attributes.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'

/** The part of an L2 block that comes from L1. */
export interface Derived {
  readonly origin: L1Origin
  readonly attributes: L1Attributes
  /** The fields that an update of the L1 contract SystemConfig changes, if there is one. */
  readonly header?: Pick<Header, 'gasLimit' | 'extraData'> | undefined
  /** The deposits of users: those of the L1 origin in the first L2 block that has it. */
  readonly deposits: readonly Transaction[]
}

export interface Derivation extends Finality {
  /** Moves the L1 to the timestamp of the next block of the L2. */
  follow(timestamp: bigint): MaybePromise<void>
  /** Returns the part of the L2 block with `header` that comes from L1. `parent`: the attributes of its parent. */
  derive(header: Header, parent: AttributesOfBlock | undefined): Derived
  /**
   * Returns whether the L2 block would still be derived from the L1. It would not if a reorg of the L1 removed its L1
   * origin, or if the sequencing window ended without its batch and it has transactions of users.
   */
  leadsTo(moment: Moment): boolean
  /** Returns how many of the newest blocks of the L2 must be replaced because of changes of the L1 since the last call. */
  takeStale(l2: Chain): number
  /** Returns whether a block may have deposits only: the L1 has stopped for too long, or its sequencing window is over. */
  allowsDepositsOnly(open: Pick<Moment, 'block' | 'state'>): boolean
  /** Waits for the running command of the L1. */
  idle(): Promise<unknown>
  /** Called with each block that the L2 seals. May send a proposal of its output root to the L1. */
  onSealed(moment: Moment): MaybePromise<void>
  /** The L1 at this moment, as an opaque value for `restore`. */
  readonly mark: unknown
  /** Brings the L1 to `mark`; without one, to the block at which the L2 began. */
  restore(mark?: unknown): Promise<void>
}
