/** What keeps readers from seeing the block under construction. Pure: the block maker does what stands here. */
import type { SliceFault } from '../model/fault.ts'

export type Veil =
  | { readonly kind: 'none' }
  /** So many slices to come are held back, and told when it is over. */
  | { readonly kind: 'delayed'; readonly slices: number }
  /** `pending` stays what it is for so many slices to come, which are never told. */
  | { readonly kind: 'stale'; readonly slices: number }
  /** `pending` is absent for so many slices to come, which are never told. */
  | { readonly kind: 'absent'; readonly slices: number }
  /** A slice was lost: `pending` is absent until a block begins. */
  | { readonly kind: 'gap' }

export const UNVEILED: Veil = { kind: 'none' }

/** What is to be done with a slice. */
export interface Publication {
  readonly act: /** Readers see it, and those that were held back before it are told first. */
    | 'publish'
    /** The same, and whoever listens is told twice. */
    | 'publishTwice'
    /** Held back, to be told later. */
    | 'hold'
    /** Never told; readers see what they saw, or the latest block where that has come since. */
    | 'keep'
    /** Never told; readers see what they saw, though it has been sealed since. */
    | 'freeze'
    /** Never told; readers see no pre-confirmed block. */
    | 'clear'
  readonly veil: Veil
}

/** What becomes of a slice under `veil` where `fault` happens to it; `isFirst` in its block. */
export function publicationOf(veil: Veil, fault: SliceFault | undefined, isFirst: boolean): Publication {
  switch (fault?.kind) {
    case 'omitSlice':
      return { act: 'keep', veil: { kind: 'gap' } }
    case 'delaySlice':
      return { act: 'hold', veil: remaining('delayed', fault.slices - 1) }
    case 'stalePending':
      return { act: 'freeze', veil: remaining('stale', fault.slices - 1) }
    case 'absentPending':
      return { act: 'clear', veil: remaining('absent', fault.slices - 1) }
    case 'duplicateSlice':
    case undefined:
      return underVeil(veil, fault === undefined ? 'publish' : 'publishTwice', isFirst)
  }
}

function underVeil(veil: Veil, act: 'publish' | 'publishTwice', isFirst: boolean): Publication {
  switch (veil.kind) {
    case 'none':
      return { act, veil }
    case 'gap':
      return isFirst ? { act, veil: UNVEILED } : { act: 'clear', veil }
    case 'delayed':
      return { act: 'hold', veil: remaining('delayed', veil.slices - 1) }
    case 'stale':
      return { act: 'keep', veil: remaining('stale', veil.slices - 1) }
    case 'absent':
      return { act: 'clear', veil: remaining('absent', veil.slices - 1) }
  }
}

function remaining(kind: 'delayed' | 'stale' | 'absent', slices: number): Veil {
  return slices > 0 ? { kind, slices } : UNVEILED
}
