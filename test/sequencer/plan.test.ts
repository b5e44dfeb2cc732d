import { describe, expect, it } from 'vitest'
import { plan, type Step } from '../../src/sequencer/plan.ts'

interface Row {
  readonly open: 'none' | { readonly slices: number; readonly transactions: number }
  readonly steps: readonly Step[]
}

const empty = (slices: number) => ({ slices, transactions: 0 })
const full = (slices: number) => ({ slices, transactions: 3 })

/** The steps of a tick; nothing is asked of the pool unless `hasReady` is given. */
function steps(
  ticksPerBlock: number,
  open: Row['open'],
  { sealEmptyBlocks = true, hasReady }: { sealEmptyBlocks?: boolean; hasReady?: boolean } = {},
): readonly Step[] {
  return plan({
    open: open === 'none' ? undefined : open,
    ticksPerBlock,
    sealEmptyBlocks,
    hasReady() {
      if (hasReady === undefined) throw new Error('the pool was asked')
      return hasReady
    },
  })
}

describe('a tick with one slice for each block', () => {
  it.each<Row>([
    { open: 'none', steps: ['open', 'slice'] },
    { open: empty(0), steps: ['slice'] },
    { open: empty(1), steps: ['seal', 'open', 'slice'] },
    { open: full(1), steps: ['seal', 'open', 'slice'] },
    { open: full(2), steps: ['seal', 'open', 'slice'] },
  ])('does $steps when what is open is $open', ({ open, steps: expected }) => {
    expect(steps(1, open)).toEqual(expected)
  })
})

describe('a tick with ten slices for each block', () => {
  it.each<Row>([
    { open: 'none', steps: ['open', 'slice'] },
    { open: empty(1), steps: ['slice'] },
    { open: full(9), steps: ['slice'] },
    { open: full(10), steps: ['seal', 'open', 'slice'] },
    { open: empty(10), steps: ['seal', 'open', 'slice'] },
  ])('does $steps when what is open is $open', ({ open, steps: expected }) => {
    expect(steps(10, open)).toEqual(expected)
  })
})

describe('a tick without slices', () => {
  it.each<Row>([
    { open: 'none', steps: ['open', 'slice', 'seal'] },
    { open: empty(0), steps: ['slice', 'seal'] },
    { open: full(4), steps: ['slice', 'seal'] },
  ])('does $steps when what is open is $open', ({ open, steps: expected }) => {
    expect(steps(0, open)).toEqual(expected)
  })
})

describe('a tick that must not seal empty blocks', () => {
  const rule = { sealEmptyBlocks: false }

  it.each<Row>([
    { open: 'none', steps: ['open', 'slice'] },
    { open: empty(1), steps: ['reopen', 'slice'] },
    { open: full(1), steps: ['seal', 'open', 'slice'] },
  ])('does $steps when what is open is $open', ({ open, steps: expected }) => {
    expect(steps(1, open, rule)).toEqual(expected)
  })

  it('opens an empty block anew only when it has had all its slices', () => {
    expect(steps(10, empty(9), rule)).toEqual(['slice'])
    expect(steps(10, empty(10), rule)).toEqual(['reopen', 'slice'])
  })

  it('does nothing without slices unless something is ready, or was', () => {
    expect(steps(0, 'none', { ...rule, hasReady: false })).toEqual([])
    expect(steps(0, 'none', { ...rule, hasReady: true })).toEqual(['open', 'slice', 'seal'])
    expect(steps(0, empty(1), { ...rule, hasReady: false })).toEqual([])
    expect(steps(0, full(1), rule)).toEqual(['slice', 'seal'])
  })
})
