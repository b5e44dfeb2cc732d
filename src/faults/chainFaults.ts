/** The planned faults of slices, blocks and reorgs: returns those that are due, and reports each. */
import type { Fault, Planned, ReorgFault, SealFault, SliceFault } from '../model/fault.ts'
import { type DueFaults, dueReorg, dueSealFaults, dueSliceFault, type PlannedFault } from './dueFaults.ts'

/** Called for each fault that happens, with its block and slice. */
type OnFault = (fault: Fault, block: bigint, slice: number | undefined) => void

export class ChainFaults {
  readonly #onFault: OnFault
  #planned: readonly PlannedFault[] = []

  constructor(onFault: OnFault) {
    this.#onFault = onFault
  }

  /** The faults that have not happened yet or may happen again. */
  get planned(): readonly PlannedFault[] {
    return this.#planned
  }

  add(fault: PlannedFault): void {
    this.#planned = [...this.#planned, fault]
  }

  /** Removes the fault with this id. Returns whether there was one. */
  remove(id: number): boolean {
    const before = this.#planned
    this.#planned = before.filter((one) => one.id !== id)
    return this.#planned.length < before.length
  }

  clear(): void {
    this.#planned = []
  }

  /** Returns the fault of slice `slice` of block `number`, if one is due. */
  ofSlice(number: bigint, slice: number): Planned<SliceFault> | undefined {
    // The usual case, which must be fast.
    if (this.#planned.length === 0) return undefined
    const [due] = this.#announced(dueSliceFault(this.#planned, { block: number, slice }), number, slice)
    return due
  }

  /**
   * Returns the faults of the seal of block `number`. `isPossible` returns whether a fault would change the block.
   */
  ofSeal(number: bigint, isPossible: (fault: SealFault) => boolean): readonly SealFault[] {
    if (this.#planned.length === 0) return []
    const due = this.#announced(dueSealFaults(this.#planned, { block: number }, isPossible), number)
    return due.map(({ fault }) => fault)
  }

  /** Returns the reorg that follows the seal of block `number`, if one is due; at most `depth` blocks can be removed. */
  afterSeal(number: bigint, depth: number): ReorgFault | undefined {
    if (this.#planned.length === 0) return undefined
    const [due] = this.#announced(dueReorg(this.#planned, { block: number }, depth), number)
    return due?.fault
  }

  #announced<F extends Fault>(
    { due, planned }: DueFaults<F>,
    block: bigint,
    slice?: number,
  ): readonly Planned<F>[] {
    this.#planned = planned
    for (const { fault } of due) this.#onFault(fault, block, slice)
    return due
  }
}
