/** Selects due faults, and decides how slices are published. Pure functions: chance is computed from a fault's seed. */
import { nextSeed, numberOfSeed } from '../model/pseudorandom.ts'
import type {
  AnyFault,
  Fault,
  L1Fault,
  Planned,
  ReorgFault,
  SealFault,
  SliceFault,
  Trigger,
} from './fault.ts'

export type PlannedFault = Planned<Fault>

export interface Occasion {
  readonly block: bigint
  /** The index of the slice; absent when the block is sealed. */
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

function isSealFault(fault: Fault): fault is SealFault {
  return fault.kind === 'dropTransaction' || fault.kind === 'sealDifferently'
}

export function isL1Fault(fault: AnyFault): fault is L1Fault {
  return fault.kind === 'withholdBatches' || fault.kind === 'missL1Slots'
}

/** Selected faults. The `due` faults happen now. The `planned` faults remain planned. */
export interface DueFaults<F extends AnyFault, G extends AnyFault = Fault> {
  readonly due: readonly Planned<F>[]
  readonly planned: readonly Planned<G>[]
}

/** Returns at most one fault of the slice at `occasion`. A hidden slice is not published, so not duplicated. */
export function dueSliceFault(
  planned: readonly PlannedFault[],
  occasion: Occasion,
  isHidden: boolean,
): DueFaults<SliceFault> {
  const concerns = (fault: Fault, isFirst: boolean): fault is SliceFault =>
    isFirst && isSliceFault(fault) && !(isHidden && fault.kind === 'duplicateSlice')
  return select(planned, occasion, concerns)
}

/** Returns the due faults of the block sealed at `occasion`. `isPossible`: whether a fault would change the block. */
export function dueSealFaults(
  planned: readonly PlannedFault[],
  occasion: Occasion,
  isPossible: (fault: SealFault) => boolean,
): DueFaults<SealFault> {
  const concerns = (fault: Fault): fault is SealFault => isSealFault(fault) && isPossible(fault)
  return select(planned, occasion, concerns)
}

/** Returns the failures of the L1 that are due after the seal at `occasion`. */
export function dueL1Faults(planned: readonly PlannedFault[], occasion: Occasion): DueFaults<L1Fault> {
  return select(planned, occasion, isL1Fault)
}

/** Returns the reorg that is due after the seal at `occasion`. Reorgs of more than `depth` blocks remain planned. */
export function dueReorg(
  planned: readonly PlannedFault[],
  occasion: Occasion,
  depth: number,
): DueFaults<ReorgFault> {
  const concerns = (fault: Fault, isFirst: boolean): fault is ReorgFault =>
    isFirst && fault.kind === 'reorg' && fault.depth <= depth
  return select(planned, occasion, concerns)
}

/** Selects due faults for which `concerns` returns true. `isFirst` is true until a fault has been selected. */
export function select<F extends G, G extends AnyFault>(
  planned: readonly Planned<G>[],
  occasion: Occasion,
  concerns: (fault: G, isFirst: boolean) => fault is F,
): DueFaults<F, G> {
  const due: Planned<F>[] = []
  const left: Planned<G>[] = []
  for (const one of planned) {
    const { id, fault } = one
    if (!concerns(fault, due.length === 0)) {
      if (!isOver(one, occasion)) left.push(one)
      continue
    }
    const { happens, next } = triggered(one, occasion)
    if (happens) due.push({ id, fault, trigger: one.trigger })
    if (next !== undefined) left.push(next)
  }
  return { due, planned: left }
}

/** Returns whether the block at which a fault was planned has passed: the fault can no longer happen. */
function isOver({ trigger }: Planned<AnyFault>, { block }: Occasion): boolean {
  return trigger.kind === 'at' && block > trigger.block
}

/** Returns whether a planned fault happens at this occasion. `next` is the fault that remains planned, if any. */
export function triggered<F extends AnyFault>(
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
      return { happens, next: happens || isOver(planned, { block }) ? undefined : planned }
    }
    case 'chance': {
      const { value, seed } = draw(trigger.seed)
      return { happens: value < trigger.probability, next: then({ ...trigger, seed }) }
    }
  }
}

/** Returns a pseudorandom number of at least 0 and below 1 for `seed`, and the next seed. */
export function draw(seed: number): { value: number; seed: number } {
  const next = nextSeed(seed)
  return { value: numberOfSeed(next) / 2 ** 32, seed: next }
}

/** Whether readers see the next slices of the block under construction. */
export type Visibility =
  | { readonly kind: 'none' }
  /** The next `slices` slices are held back. They are published together with the slice after them. */
  | { readonly kind: 'delayed'; readonly slices: number }
  /** The next `slices` slices are never published, and `pending` stays unchanged. */
  | { readonly kind: 'stale'; readonly slices: number }
  /** The next `slices` slices are never published, and `pending` is absent. */
  | { readonly kind: 'absent'; readonly slices: number }
  /** A slice was omitted. From the next slice on, `pending` is absent until the next block begins. */
  | { readonly kind: 'gap' }

export const VISIBLE: Visibility = { kind: 'none' }

export interface Publication {
  readonly act: /** Published, after the slices that were held back. */
    | 'publish'
    /** Published, and reported to listeners twice. */
    | 'publishTwice'
    /** Held back, to be published later. */
    | 'hold'
    /** Never published. Readers keep the previous slice, or the latest block if it is newer. */
    | 'keep'
    /** Never published. Readers keep the previous slice, even after its block is sealed. */
    | 'freeze'
    /** Never published. Readers have no pre-confirmed block. */
    | 'clear'
  readonly visibility: Visibility
}

/** Returns how a slice (the first of its block if `isFirst`) is published, and the visibility of later slices. */
export function publicationOf(
  visibility: Visibility,
  fault: SliceFault | undefined,
  isFirst: boolean,
): Publication {
  if (fault?.kind === 'omitSlice') return { act: 'keep', visibility: { kind: 'gap' } }
  const hiding = fault !== undefined && 'slices' in fault ? fault : visibility
  if ('slices' in hiding) {
    const [act, kind] = HIDDEN[hiding.kind]
    return { act, visibility: hiding.slices > 1 ? { kind, slices: hiding.slices - 1 } : VISIBLE }
  }
  if (hiding.kind === 'gap' && !isFirst) return { act: 'clear', visibility }
  return { act: fault === undefined ? 'publish' : 'publishTwice', visibility: VISIBLE }
}

type Hiding = Extract<SliceFault | Visibility, { readonly slices: number }>

/** The effect on a slice that a fault or the visibility hides, and the visibility of the slices after it. */
const HIDDEN = {
  delaySlice: ['hold', 'delayed'],
  stalePending: ['freeze', 'stale'],
  absentPending: ['clear', 'absent'],
  delayed: ['hold', 'delayed'],
  stale: ['keep', 'stale'],
  absent: ['clear', 'absent'],
} as const satisfies Record<Hiding['kind'], readonly [act: Publication['act'], next: Visibility['kind']]>
