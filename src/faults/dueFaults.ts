/**
 * What goes wrong at an occasion, of what is planned.
 *
 * Pure: each occasion is answered by a function of the faults that wait for it. What chance decides follows from a fault's
 * seed, so that the same commands meet the same faults again.
 */
import type { AnyFault, Fault, Planned, ReorgFault, SealFault, SliceFault, Trigger } from '../model/fault.ts'

export type PlannedFault = Planned<Fault>

/** Where something could go wrong. */
export interface Occasion {
  readonly block: bigint
  /** Of a seal there is none. */
  readonly slice?: number
}

const SLICE_FAULTS: ReadonlySet<string> = new Set<SliceFault['kind']>([
  'omitSlice',
  'duplicateSlice',
  'delaySlice',
  'absentPending',
  'stalePending',
])

export function isSliceFault(fault: Fault): fault is SliceFault {
  return SLICE_FAULTS.has(fault.kind)
}

/** What happens at an occasion, and what is planned after it. */
export interface DueFaults<F extends Fault> {
  readonly due: readonly Planned<F>[]
  readonly planned: readonly PlannedFault[]
}

/** What happens to the slice that should be published at `occasion`: one thing, what else is planned waits. */
export function dueSliceFault(planned: readonly PlannedFault[], occasion: Occasion): DueFaults<SliceFault> {
  return fate(planned, occasion, (fault, isFirst): fault is SliceFault => isFirst && isSliceFault(fault))
}

/** What happens to the block that is sealed at `occasion`; `isPossible` says whether a fault has anything to go wrong. */
export function dueSealFaults(
  planned: readonly PlannedFault[],
  occasion: Occasion,
  isPossible: (fault: SealFault) => boolean,
): DueFaults<SealFault> {
  const concerns = (fault: Fault): fault is SealFault =>
    !isSliceFault(fault) && fault.kind !== 'reorg' && isPossible(fault)
  return fate(planned, occasion, concerns)
}

/** Which reorg comes after the block that was sealed at `occasion`, of which at most `depth` can be taken off. */
export function dueReorg(
  planned: readonly PlannedFault[],
  occasion: Occasion,
  depth: number,
): DueFaults<ReorgFault> {
  const concerns = (fault: Fault, isFirst: boolean): fault is ReorgFault =>
    isFirst && fault.kind === 'reorg' && fault.depth <= depth
  return fate(planned, occasion, concerns)
}

/** `concerns` learns whether a fault would be the first that happens. */
function fate<F extends Fault>(
  planned: readonly PlannedFault[],
  occasion: Occasion,
  concerns: (fault: Fault, isFirst: boolean) => fault is F,
): DueFaults<F> {
  const due: Planned<F>[] = []
  const left: PlannedFault[] = []
  for (const one of planned) {
    const { id, fault } = one
    if (!concerns(fault, due.length === 0)) {
      left.push(one)
      continue
    }
    const { happens, next } = pull(one, occasion)
    if (happens) due.push({ id, fault, trigger: one.trigger })
    if (next !== undefined) left.push(next)
  }
  return { due, planned: left }
}

/** Whether a planned fault happens, and what is planned of it then. */
export function pull<F extends AnyFault>(
  planned: Planned<F>,
  { block, slice }: Occasion,
): { happens: boolean; next: Planned<F> | undefined } {
  const { trigger } = planned
  const then = (next: Trigger): Planned<F> => ({ ...planned, trigger: next })
  switch (trigger.kind) {
    case 'next':
      return {
        happens: true,
        next: trigger.times > 1 ? then({ ...trigger, times: trigger.times - 1 }) : undefined,
      }
    case 'at': {
      const happens = block === trigger.block && (trigger.slice === undefined || slice === trigger.slice)
      // What did not come in its place never will.
      const isOver = happens || block > trigger.block
      return { happens, next: isOver ? undefined : planned }
    }
    case 'chance': {
      const { value, seed } = draw(trigger.seed)
      return { happens: value < trigger.probability, next: then({ ...trigger, seed }) }
    }
  }
}

/** A number from 0 to 1 that follows from `seed`, and the seed of the next (mulberry32). */
export function draw(seed: number): { value: number; seed: number } {
  const next = (seed + 0x6d2b79f5) >>> 0
  let t = Math.imul(next ^ (next >>> 15), next | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return { value: ((t ^ (t >>> 14)) >>> 0) / 2 ** 32, seed: next }
}
