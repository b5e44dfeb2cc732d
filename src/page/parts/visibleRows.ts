/** Element height that all browsers support. In a taller list, one pixel of scrolling moves rows by several pixels. */
const TALLEST_PX = 8_000_000

interface Scrolled {
  readonly count: number
  readonly rowPx: number
  readonly seenPx: number
  readonly top: number
}

/**
 * Returns the rows to render, from `first` to `end` (exclusive), with `spare` rows above and below the visible ones;
 * the first fully visible row (`top`); and the space above and below the rendered rows in pixels.
 */
export function visibleRows({ count, rowPx, seenPx, top }: Scrolled, spare = 8) {
  const fullPx = count * rowPx
  const tallPx = Math.min(fullPx, TALLEST_PX)
  const at = Math.max(0, Math.min(top, tallPx - seenPx))
  // If the list is taller than its element can be, the row at the top depends on the scrolled fraction of the element.
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

/** Returns the scroll position nearest to the current one at which `row` is visible. */
export function topToSee(row: number, { count, rowPx, seenPx, top }: Scrolled): number {
  const tallPx = Math.min(count * rowPx, TALLEST_PX)
  const pxOfRow = count * rowPx === tallPx ? rowPx : (tallPx - seenPx) / Math.max(1, count - seenPx / rowPx)
  const above = row * pxOfRow
  if (above < top) return above
  const below = tallPx === count * rowPx ? above + rowPx - seenPx : above - (seenPx / rowPx - 1) * pxOfRow
  return below > top ? below : top
}
