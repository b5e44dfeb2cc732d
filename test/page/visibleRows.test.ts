/** Which rows of a long list are in the document. */
import { expect, test } from 'vitest'
import { topToSee, visibleRows } from '../../src/page/parts/visibleRows.ts'

const list = { count: 10_000, rowPx: 30, seenPx: 300, top: 0 }

test('at its beginning a list shows the rows that are seen and some more below', () => {
  expect(visibleRows(list, 5)).toEqual({ first: 0, end: 15, top: 0, abovePx: 0, belowPx: (10_000 - 15) * 30 })
})

test('in the middle rows are shown where they are scrolled to, with as much space above as the others take', () => {
  expect(visibleRows({ ...list, top: 30_015 }, 5)).toEqual({
    first: 995,
    end: 1_016,
    // Of the row before half is seen.
    top: 1_001,
    abovePx: 995 * 30,
    belowPx: (10_000 - 1_016) * 30,
  })
})

test('scrolled too far, as after a list became shorter, the last rows are shown', () => {
  expect(visibleRows({ ...list, count: 20, top: 5_000 }, 5)).toMatchObject({ first: 5, end: 20, belowPx: 0 })
})

test('a short list has no space around it, and an empty one no rows', () => {
  expect(visibleRows({ ...list, count: 3 })).toEqual({ first: 0, end: 3, top: 0, abovePx: 0, belowPx: 0 })
  expect(visibleRows({ ...list, count: 0 })).toEqual({ first: 0, end: 0, top: 0, abovePx: 0, belowPx: 0 })
})

test('a list taller than browsers lay out has all its rows, and no more height than they can', () => {
  const tall = { ...list, count: 5_000_000 }
  const end = visibleRows({ ...tall, top: 8_000_000 - 300 }, 5)
  expect(end.end).toBe(5_000_000)
  expect(end.abovePx + (end.end - end.first) * 30 + end.belowPx).toBeLessThanOrEqual(8_000_001)
  const middle = visibleRows({ ...tall, top: (8_000_000 - 300) / 2 }, 5)
  expect(middle.first).toBeCloseTo(2_500_000 - 10, -2)
})

test.each([10_000, 5_000_000])('in a list of %i rows any row can be scrolled to', (count) => {
  for (const row of [0, 1, 57, count >> 1, count - 1]) {
    const before = { ...list, count, top: 3_000 }
    const top = topToSee(row, before)
    const shown = visibleRows({ ...before, top }, 0)
    expect(shown.first).toBeLessThanOrEqual(row)
    expect(shown.end).toBeGreaterThan(row)
    // The row is seen, not just in the document.
    const y = shown.abovePx + (row - shown.first) * 30 - top
    expect(y).toBeGreaterThanOrEqual(-1)
    expect(y).toBeLessThanOrEqual(300 - 29)
  }
})

test('a list stays where it is for a row that is seen', () => {
  expect(topToSee(102, { ...list, top: 3_000 })).toBe(3_000)
})
