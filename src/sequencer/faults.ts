/**
 * Faults that a client must survive, on purpose and on demand (CONTRACT 6): what goes wrong, when, and how often.
 *
 * Pure: each occasion is answered by a function of the faults that wait for it. What chance decides follows from a fault's
 * seed, so that the same commands meet the same misfortunes again.
 */
import type { Hash } from '../model/hex.ts'

/** What can go wrong with a slice when it should be published. */
export type SliceFault =
  /** It never comes. Whoever follows the stream has lost it: `pending` is absent until the next block begins. */
  | { readonly kind: 'omitSlice' }
  /** It is told twice. */
  | { readonly kind: 'duplicateSlice' }
  /** It and those after it come so many slices later. */
  | { readonly kind: 'delaySlice'; readonly slices: number }
  /** `pending` is `latest` for so many slices. */
  | { readonly kind: 'absentPending'; readonly slices: number }
  /** `pending` stays what it was for so many slices, and is behind `latest` where a block is sealed meanwhile. */
  | { readonly kind: 'stalePending'; readonly slices: number }

/** What can go wrong with a block when it is sealed. */
export type SealFault =
  /** A pre-confirmed transaction is not in it: this one, or the last. It lands in the next block, or never. */
  | { readonly kind: 'dropTransaction'; readonly hash?: Hash; readonly lands: 'next' | 'never' }
  /** It differs from what was pre-confirmed: its senders in the reverse order, another time, another prevRandao. */
  | {
      readonly kind: 'sealDifferently'
      readonly order?: 'reversed'
      /** Seconds later. */
      readonly laterSeconds?: number
      readonly prevRandao?: Hash
    }

export type Fault = SliceFault | SealFault

/** When a fault happens: at the next occasions, in a certain place, or by chance. */
export type Trigger =
  | { readonly kind: 'next'; readonly times: number }
  | { readonly kind: 'at'; readonly block: bigint; readonly slice?: number }
  | { readonly kind: 'chance'; readonly probability: number; readonly seed: number }

export interface PlannedFault {
  readonly id: number
  readonly fault: Fault
  readonly trigger: Trigger
}

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
export interface Fate<F extends Fault> {
  readonly happening: readonly F[]
  readonly planned: readonly PlannedFault[]
}

/** What happens to the slice that should be published at `occasion`. */
export function sliceFate(planned: readonly PlannedFault[], occasion: Occasion): Fate<SliceFault> {
  return fate(planned, occasion, isSliceFault)
}

/** What happens to the block that is sealed at `occasion`; `isPossible` says whether a fault has anything to go wrong. */
export function sealFate(
  planned: readonly PlannedFault[],
  occasion: Occasion,
  isPossible: (fault: SealFault) => boolean,
): Fate<SealFault> {
  return fate(planned, occasion, (fault): fault is SealFault => !isSliceFault(fault) && isPossible(fault))
}

function fate<F extends Fault>(
  planned: readonly PlannedFault[],
  occasion: Occasion,
  concerns: (fault: Fault) => fault is F,
): Fate<F> {
  const happening: F[] = []
  const left: PlannedFault[] = []
  for (const one of planned) {
    if (!concerns(one.fault)) {
      left.push(one)
      continue
    }
    const { happens, next } = pull(one.trigger, occasion)
    if (happens) happening.push(one.fault)
    if (next !== undefined) left.push(next === one.trigger ? one : { ...one, trigger: next })
  }
  return { happening, planned: left }
}

/** Whether a trigger goes off, and what is left of it. */
function pull(trigger: Trigger, { block, slice }: Occasion): { happens: boolean; next: Trigger | undefined } {
  switch (trigger.kind) {
    case 'next':
      return { happens: true, next: trigger.times > 1 ? { ...trigger, times: trigger.times - 1 } : undefined }
    case 'at': {
      const happens = block === trigger.block && (trigger.slice === undefined || slice === trigger.slice)
      // What did not come in its place never will.
      const isOver = happens || block > trigger.block
      return { happens, next: isOver ? undefined : trigger }
    }
    case 'chance': {
      const { value, seed } = draw(trigger.seed)
      return { happens: value < trigger.probability, next: { ...trigger, seed } }
    }
  }
}

/** A number from 0 to 1 that follows from `seed`, and the seed of the next (mulberry32). */
function draw(seed: number): { value: number; seed: number } {
  const next = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(next ^ (next >>> 15), next | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return { value: ((t ^ (t >>> 14)) >>> 0) / 2 ** 32, seed: next }
}
