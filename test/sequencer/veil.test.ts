import { describe, expect, it } from 'vitest'
import type { SliceFault } from '../../src/model/fault.ts'
import { type Publication, publicationOf, UNVEILED, type Veil } from '../../src/sequencer/veil.ts'

const stale = (slices: number): Veil => ({ kind: 'stale', slices })
const absent = (slices: number): Veil => ({ kind: 'absent', slices })
const delayed = (slices: number): Veil => ({ kind: 'delayed', slices })
const GAP: Veil = { kind: 'gap' }

describe('a slice', () => {
  it.each<[string, SliceFault, Publication['act'], Veil]>([
    ['that is omitted leaves a gap', { kind: 'omitSlice' }, 'keep', GAP],
    ['that is doubled is published twice', { kind: 'duplicateSlice' }, 'publishTwice', UNVEILED],
    ['that is late by one comes with the next', { kind: 'delaySlice', slices: 1 }, 'hold', UNVEILED],
    ['that is late by three holds up two more', { kind: 'delaySlice', slices: 3 }, 'hold', delayed(2)],
    ['without pending hides it', { kind: 'absentPending', slices: 2 }, 'clear', absent(1)],
    ['with a stale pending freezes it', { kind: 'stalePending', slices: 2 }, 'freeze', stale(1)],
  ])('%s', (_, fault, act, veil) => {
    expect(publicationOf(UNVEILED, fault, false)).toEqual({ act, veil })
  })

  it.each<[string, Veil, boolean, Publication['act'], Veil]>([
    ['is published where nothing hides it', UNVEILED, false, 'publish', UNVEILED],
    ['is not seen in a gap', GAP, false, 'clear', GAP],
    ['ends a gap where a block begins with it', GAP, true, 'publish', UNVEILED],
    ['is held back with the late ones', delayed(2), false, 'hold', delayed(1)],
    ['is the last that is held back', delayed(1), true, 'hold', UNVEILED],
    ['is never told behind a stale one', stale(2), true, 'keep', stale(1)],
    ['is never told where pending is absent', absent(1), false, 'clear', UNVEILED],
  ])('%s', (_, veil, isFirst, act, next) => {
    expect(publicationOf(veil, undefined, isFirst)).toEqual({ act, veil: next })
  })
})
