/** What is to go wrong with the chain, on purpose: planned, and told when it happens. */
import type { Fault, Planned, ReorgFault, SealFault, SliceFault } from '../model/fault.ts'
import type { Listeners } from './events.ts'
import { type Fate, type PlannedFault, reorgFate, sealFate, sliceFate } from './faults.ts'

export class Fortune {
  readonly #listeners: Listeners
  /** What has not happened yet, or may happen again. */
  planned: readonly PlannedFault[] = []

  constructor(listeners: Listeners) {
    this.#listeners = listeners
  }

  /** What happens to slice `slice` of block `number`. */
  ofSlice(number: bigint, slice: number): Planned<SliceFault> | undefined {
    // Hardly ever is anything to go wrong.
    if (this.planned.length === 0) return undefined
    const [happens] = this.#told(sliceFate(this.planned, { block: number, slice }), number, slice)
    return happens
  }

  /** What happens to block `number` when it is sealed; `isPossible` says whether a fault has anything to go wrong. */
  ofSeal(number: bigint, isPossible: (fault: SealFault) => boolean): readonly SealFault[] {
    if (this.planned.length === 0) return []
    const happening = this.#told(sealFate(this.planned, { block: number }, isPossible), number)
    return happening.map(({ fault }) => fault)
  }

  /** Which reorg comes after block `number`; at most `depth` blocks can be taken off. */
  afterSeal(number: bigint, depth: number): ReorgFault | undefined {
    if (this.planned.length === 0) return undefined
    const [happens] = this.#told(reorgFate(this.planned, { block: number }, depth), number)
    return happens?.fault
  }

  #told<F extends Fault>(
    { happening, planned }: Fate<F>,
    block: bigint,
    slice?: number,
  ): readonly Planned<F>[] {
    this.planned = planned
    for (const { fault } of happening) this.#listeners.emit('fault', fault, block, slice)
    return happening
  }
}
