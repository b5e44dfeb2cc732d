/** Implements planned faults of slices, blocks and reorgs, through the sequencer's interface for deviations. */

import type { Hash } from '../bytes/hex.ts'
import type { Preconfirmed } from '../chain/moment.ts'
import { type Block, userTransactions } from '../model/block/block.ts'
import { grouped } from '../model/collections/grouped.ts'
import type { Deviations, Publication, SealChange } from '../sequencer/block/deviations.ts'
import { slicesToEmit } from '../sequencer/block/publisher.ts'
import type { PublishedSlice, Slice } from '../sequencer/block/slice.ts'
import type { ReorgRequest } from '../sequencer/reorg.ts'
import {
  type DueFaults,
  dueL1Faults,
  dueReorg,
  dueSealFaults,
  dueSliceFault,
  type PlannedFault,
  publicationOf,
  VISIBLE,
  type Visibility,
} from './dueFaults.ts'
import type { Fault, L1Fault, Planned, SealFault } from './fault.ts'

/** Called for each fault that happens, with its block and slice. */
type OnFault = (fault: Fault, block: bigint, slice: number | undefined) => void

export class ChainFaults implements Deviations {
  /** Set by explorations (`explore/stories/`). */
  choose: Deviations['choose']
  readonly #onFault: OnFault
  #faults: readonly PlannedFault[] = []
  #visibility: Visibility = VISIBLE
  /** The id of the fault that currently hides slices. */
  #hiddenBy: number | undefined
  #held: readonly PublishedSlice[] = []

  constructor(onFault: OnFault) {
    this.#onFault = onFault
  }

  /** The planned faults that can still happen. */
  get faults(): readonly PlannedFault[] {
    return this.#faults
  }

  get planned(): number {
    return this.#faults.length
  }

  add(fault: PlannedFault): void {
    this.#faults = [...this.#faults, fault]
  }

  remove(id: number): boolean {
    const before = this.#faults
    this.#faults = before.filter((one) => one.id !== id)
    return this.#faults.length < before.length
  }

  clear(): void {
    this.#faults = []
  }

  ofSlice(
    slice: Slice,
    shown: Preconfirmed | undefined,
    before: Preconfirmed | undefined,
  ): Publication | undefined {
    if (this.#faults.length === 0 && this.#hiddenBy === undefined) return undefined
    const { open } = slice
    const { slices } = open
    const block = open.block.header.number
    // The first slice has the index 1 or, on chains that open a block with an additional slice, the index 0.
    const isFirst = slices <= 1
    const isHidden = publicationOf(this.#visibility, undefined, isFirst).act !== 'publish'
    const faults = dueSliceFault(this.#faults, { block, slice: slices }, isHidden)
    const [due] = this.#happening(faults, block, slices)
    if (due !== undefined && due.fault.kind !== 'duplicateSlice') this.#hiddenBy = due.id
    const { act, visibility } = publicationOf(this.#visibility, due?.fault, isFirst)
    this.#visibility = visibility
    switch (act) {
      case 'publish':
      case 'publishTwice': {
        const emitted = [...this.#held, ...slicesToEmit(slice), ...(act === 'publishTwice' ? [slice] : [])]
        this.#held = []
        this.#hiddenBy = undefined
        return { shown: open, emitted }
      }
      case 'hold':
        this.#held = [...this.#held, ...slicesToEmit(slice)]
        return { shown, emitted: [] }
      case 'keep':
        return { shown, emitted: [] }
      case 'freeze':
        return { shown: shown ?? before, emitted: [] }
      case 'clear':
        return { shown: undefined, emitted: [] }
    }
  }

  /** Moves delayed slices to the reopened block. A slice with transactions now adds those of `reopened`. */
  onReopened(reopened: Preconfirmed): void {
    this.#held = this.#held.map(({ open: { slices, previous }, added }) => ({
      open: { ...reopened, slices, previous },
      added: added.length > 0 ? reopened.block.transactions : [],
    }))
  }

  get isPendingStale(): boolean {
    return this.#visibility.kind === 'stale'
  }

  ofSeal(block: Block): SealChange | undefined {
    if (this.#faults.length === 0) return undefined
    const { number } = block.header
    const isPossible = (fault: SealFault) => canHappen(fault, block)
    const due = this.#happening(dueSealFaults(this.#faults, { block: number }, isPossible), number)
    return due.length === 0
      ? undefined
      : changeOf(
          block,
          due.map(({ fault }) => fault),
        )
  }

  onL1(number: bigint): readonly L1Fault[] {
    if (this.#faults.length === 0) return []
    return this.#happening(dueL1Faults(this.#faults, { block: number }), number).map(({ fault }) => fault)
  }

  afterSeal(number: bigint, depth: number): ReorgRequest | undefined {
    if (this.#faults.length === 0) return undefined
    const [due] = this.#happening(dueReorg(this.#faults, { block: number }, depth), number)
    return due?.fault
  }

  /**
   * Stops hiding the slices that the fault `id` hides; by default, the slices that any fault hides. Returns the
   * delayed slices, which the caller publishes; `undefined` if no slices were hidden.
   */
  reveal(id = this.#hiddenBy): readonly PublishedSlice[] | undefined {
    if (this.#hiddenBy === undefined || this.#hiddenBy !== id) return undefined
    const held = this.#held
    this.forget()
    return held
  }

  /** Stops hiding slices and drops delayed slices. Called after the whole chain was replaced. */
  forget(): void {
    this.#visibility = VISIBLE
    this.#hiddenBy = undefined
    this.#held = []
  }

  /** Drops the delayed slices. Called after their block was sealed or removed. */
  dropHeld(): void {
    this.#held = []
  }

  #happening<F extends Fault>(
    { due, planned }: DueFaults<F>,
    block: bigint,
    slice?: number,
  ): readonly Planned<F>[] {
    this.#faults = planned
    for (const { fault } of due) this.#onFault(fault, block, slice)
    return due
  }
}

function canHappen(fault: SealFault, block: Block): boolean {
  const transactions = userTransactions(block)
  if (fault.kind === 'sealDifferently' || fault.hash === undefined) return transactions.length > 0
  return transactions.some(({ hash }) => hash === fault.hash)
}

function changeOf(block: Block, faults: readonly SealFault[]): SealChange {
  let transactions = userTransactions(block)
  let header: SealChange['header'] = {}
  const dropped = new Set<Hash>()
  for (const fault of faults) {
    if (fault.kind === 'dropTransaction') {
      const hash = fault.hash ?? transactions.at(-1)?.hash
      if (hash === undefined) continue
      if (fault.lands === 'never') dropped.add(hash)
      transactions = transactions.filter((transaction) => transaction.hash !== hash)
    } else {
      const { order, laterSeconds = 0, prevRandao } = fault
      // The transactions of each sender keep their order by nonce.
      if (order === 'reversed')
        transactions = [...grouped(transactions, ({ from }) => from).values()].reverse().flat()
      header = {
        ...header,
        ...(laterSeconds > 0 ? { timestamp: block.header.timestamp + BigInt(laterSeconds) } : {}),
        ...(prevRandao === undefined ? {} : { prevRandao }),
      }
    }
  }
  return { header, transactions, dropped }
}
