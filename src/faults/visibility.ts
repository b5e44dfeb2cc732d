/** Visibility of the block under construction for readers. Pure: the block maker applies the results. */
import type { SliceFault } from '../model/fault.ts'

export type Visibility =
  | { readonly kind: 'none' }
  /** The next slices are held back, and published together afterwards. `slices` is their number. */
  | { readonly kind: 'delayed'; readonly slices: number }
  /** `pending` stays unchanged for the next slices, which are never published. */
  | { readonly kind: 'stale'; readonly slices: number }
  /** `pending` is absent for the next slices, which are never published. */
  | { readonly kind: 'absent'; readonly slices: number }
  /** A slice was lost: `pending` is absent until the next block begins. */
  | { readonly kind: 'gap' }

export const VISIBLE: Visibility = { kind: 'none' }

/** The publication of a slice. */
export interface Publication {
  readonly act: /** Readers see it, and those that were held back before it are told first. */
    | 'publish'
    /** Published, and emitted twice to listeners. */
    | 'publishTwice'
    /** Held back, and published later. */
    | 'hold'
    /** Never published. Readers keep the previous state, or the latest block if it is newer. */
    | 'keep'
    /** Never published. Readers keep the previous state, even after its block is sealed. */
    | 'freeze'
    /** Never published. Readers have no pre-confirmed block. */
    | 'clear'
  readonly visibility: Visibility
}

/**
 * Returns the publication of a slice under `visibility` and `fault`, if any. `isFirst`: it is the first slice of its
 * block.
 */
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
