import { describe, expect, it } from 'vitest'
import { type Publication, publicationOf, VISIBLE, type Visibility } from '../../src/faults/dueFaults.ts'
import type { SliceFault } from '../../src/faults/fault.ts'

const stale = (slices: number): Visibility => ({ kind: 'stale', slices })
const absent = (slices: number): Visibility => ({ kind: 'absent', slices })
const delayed = (slices: number): Visibility => ({ kind: 'delayed', slices })
const GAP: Visibility = { kind: 'gap' }

describe('a slice', () => {
  it.each<[string, SliceFault, Publication['act'], Visibility]>([
    ['that is omitted leaves a gap', { kind: 'omitSlice' }, 'keep', GAP],
    ['that is doubled is published twice', { kind: 'duplicateSlice' }, 'publishTwice', VISIBLE],
    ['that is late by one comes with the next', { kind: 'delaySlice', slices: 1 }, 'hold', VISIBLE],
    ['that is late by three holds up two more', { kind: 'delaySlice', slices: 3 }, 'hold', delayed(2)],
    ['without pending hides it', { kind: 'absentPending', slices: 2 }, 'clear', absent(1)],
    ['with a stale pending freezes it', { kind: 'stalePending', slices: 2 }, 'freeze', stale(1)],
  ])('%s', (_, fault, act, visibility) => {
    expect(publicationOf(VISIBLE, fault, false)).toEqual({ act, visibility })
  })

  it.each<[string, Visibility, boolean, Publication['act'], Visibility]>([
    ['is published where nothing hides it', VISIBLE, false, 'publish', VISIBLE],
    ['is not seen in a gap', GAP, false, 'clear', GAP],
    ['ends a gap where a block begins with it', GAP, true, 'publish', VISIBLE],
    ['is held back with the late ones', delayed(2), false, 'hold', delayed(1)],
    ['is the last that is held back', delayed(1), true, 'hold', VISIBLE],
    ['is never told behind a stale one', stale(2), true, 'keep', stale(1)],
    ['is never told where pending is absent', absent(1), false, 'clear', VISIBLE],
  ])('%s', (_, visibility, isFirst, act, next) => {
    expect(publicationOf(visibility, undefined, isFirst)).toEqual({ act, visibility: next })
  })
})
