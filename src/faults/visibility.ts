/** What keeps readers from seeing the block under construction. Pure: the block maker does what stands here. */
import type { SliceFault } from '../model/fault.ts'

export type Visibility =
  | { readonly kind: 'none' }
  /** So many slices to come are held back, and told when it is over. */
  | { readonly kind: 'delayed'; readonly slices: number }
  /** `pending` stays what it is for so many slices to come, which are never told. */
  | { readonly kind: 'stale'; readonly slices: number }
  /** `pending` is absent for so many slices to come, which are never told. */
  | { readonly kind: 'absent'; readonly slices: number }
  /** A slice was lost: `pending` is absent until a block begins. */
  | { readonly kind: 'gap' }

export const VISIBLE: Visibility = { kind: 'none' }

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
  readonly visibility: Visibility
}

/** What becomes of a slice under `visibility` where `fault` happens to it; `isFirst` in its block. */
export function publicationOf(
  visibility: Visibility,
  fault: SliceFault | undefined,
  isFirst: boolean,
): Publication {
  switch (fault?.kind) {
    case 'omitSlice':
      return { act: 'keep', visibility: { kind: 'gap' } }
    case 'delaySlice':
      return { act: 'hold', visibility: remaining('delayed', fault.slices - 1) }
    case 'stalePending':
      return { act: 'freeze', visibility: remaining('stale', fault.slices - 1) }
    case 'absentPending':
      return { act: 'clear', visibility: remaining('absent', fault.slices - 1) }
    case 'duplicateSlice':
    case undefined:
      return underVisibility(visibility, fault === undefined ? 'publish' : 'publishTwice', isFirst)
  }
}

function underVisibility(
  visibility: Visibility,
  act: 'publish' | 'publishTwice',
  isFirst: boolean,
): Publication {
  switch (visibility.kind) {
    case 'none':
      return { act, visibility }
    case 'gap':
      return isFirst ? { act, visibility: VISIBLE } : { act: 'clear', visibility }
    case 'delayed':
      return { act: 'hold', visibility: remaining('delayed', visibility.slices - 1) }
    case 'stale':
      return { act: 'keep', visibility: remaining('stale', visibility.slices - 1) }
    case 'absent':
      return { act: 'clear', visibility: remaining('absent', visibility.slices - 1) }
  }
}

function remaining(kind: 'delayed' | 'stale' | 'absent', slices: number): Visibility {
  return slices > 0 ? { kind, slices } : VISIBLE
}
