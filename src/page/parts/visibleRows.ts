/** Which rows of a long list are seen, from where it is scrolled to. */

/** The tallest list that all browsers lay out; a longer one is scrolled faster than its rows are tall. */
const TALLEST_PX = 8_000_000

export interface Scrolled {
  /** The number of rows. */
  readonly count: number
  /** The height of each, in pixels. */
  readonly rowPx: number
  /** The height of what is seen. */
  readonly seenPx: number
  /** How far the list is scrolled down. */
  readonly top: number
}

export interface VisibleRows {
  /** The first row to show, and the one after the last. */
  readonly first: number
  readonly end: number
  /** The first that is seen whole. */
  readonly top: number
  /** The space above the first and below the last, in pixels. */
  readonly abovePx: number
  readonly belowPx: number
}

/** Returns the rows to show, `spare` more than are seen on each side. */
export function visibleRows({ count, rowPx, seenPx, top }: Scrolled, spare = 8): VisibleRows {
  const fullPx = count * rowPx
  const tallPx = Math.min(fullPx, TALLEST_PX)
  const at = Math.max(0, Math.min(top, tallPx - seenPx))
  // In a list that is too tall for browsers the share that is scrolled decides.
  const topRow = tallPx === fullPx ? at / rowPx : (at / (tallPx - seenPx)) * (count - seenPx / rowPx)
  const first = Math.max(0, Math.floor(topRow) - spare)
  const end = Math.min(count, Math.ceil(topRow + seenPx / rowPx) + spare)
  const abovePx = tallPx === fullPx ? first * rowPx : Math.max(0, at - (topRow - first) * rowPx)
  return {
    first,
    end,
    top: Math.max(0, Math.min(count - 1, Math.ceil(topRow))),
    abovePx,
    belowPx: Math.max(0, tallPx - abovePx - (end - first) * rowPx),
  }
}

/** Returns how far a list has to be scrolled for `row` to be seen: nothing changes if it is. */
export function topToSee(row: number, { count, rowPx, seenPx, top }: Scrolled): number {
  const tallPx = Math.min(count * rowPx, TALLEST_PX)
  const pxOfRow = count * rowPx === tallPx ? rowPx : (tallPx - seenPx) / Math.max(1, count - seenPx / rowPx)
  const above = row * pxOfRow
  if (above < top) return above
  const below = tallPx === count * rowPx ? above + rowPx - seenPx : above - (seenPx / rowPx - 1) * pxOfRow
  return below > top ? below : top
}
