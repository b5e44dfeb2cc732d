/** Draws transactions at the time they were accepted, in the colour and shape of their current state. */
import type { LiveTransaction } from '../../live/transactions.ts'
import {
  type Colours,
  type Context,
  drawLine,
  EDGE_PX,
  highestShown,
  type Look,
  lookOf,
  type Scale,
  SHAPES,
  TRANSACTIONS,
  xOf,
} from './rhythmCanvas.ts'

const BIN_PX = 8

/** From the bottom to the top of a column. */
const LOOKS: readonly Look[] = ['sealed', 'preconfirmed', 'failed', 'waiting', 'reorged', 'dropped']

/**
 * Stacks the transactions of a few pixels in a column. If there are too many for shapes, all columns are bars. Returns the states that
 * were drawn.
 */
export function drawTransactions(
  context: Context,
  scale: Scale,
  transactions: Iterable<LiveTransaction>,
  colours: Colours,
): ReadonlySet<Look> {
  const startMs = scale.endMs - scale.windowMs
  const binMs = (scale.windowMs / scale.widthPx) * BIN_PX
  const columns = new Map<number, Uint16Array>()
  const looks = new Set<Look>()
  for (const transaction of transactions) {
    if (transaction.firstMs < startMs) continue
    const look = lookOf(transaction)
    looks.add(look)
    const bin = Math.floor(transaction.firstMs / binMs)
    let column = columns.get(bin)
    if (column === undefined) {
      column = new Uint16Array(LOOKS.length + 1)
      columns.set(bin, column)
    }
    column[LOOKS.indexOf(look)]!++
    column[LOOKS.length]!++
  }
  const room = TRANSACTIONS.bottom - TRANSACTIONS.top
  const highest = highestShown(
    [...columns.values()].map((column) => column[LOOKS.length]!),
    room / BIN_PX,
  )
  const each = room / highest
  for (const [bin, column] of columns) {
    const left = xOf(bin * binMs, scale)
    let bottom = TRANSACTIONS.bottom
    const all = column[LOOKS.length]!
    const isCut = all > highest
    if (isCut) {
      context.save()
      context.beginPath()
      context.rect(left, TRANSACTIONS.top, BIN_PX, room)
      context.clip()
    }
    LOOKS.forEach((look, index) => {
      const count = column[index]!
      if (count === 0) return
      if (each >= BIN_PX) {
        for (let i = 0; i < count; i++) drawShape(context, left, bottom - (i + 1) * each, look, colours)
      } else {
        context.fillStyle = colours[`${look}Fill`]
        context.fillRect(left, bottom - count * each, BIN_PX - 1, count * each)
      }
      bottom -= count * each
    })
    if (!isCut) continue
    context.restore()
    const text = String(all)
    context.fillStyle = colours.quiet
    context.fillText(text, left + BIN_PX / 2 - context.measureText(text).width / 2, TRANSACTIONS.top - 4)
  }
  if (columns.size === 0) {
    const text = 'none in this time'
    context.fillStyle = colours.quiet
    context.fillText(text, EDGE_PX, TRANSACTIONS.bottom - 8)
  }
  drawLine(context, colours.line, [0, TRANSACTIONS.bottom + 1.5], [scale.widthPx, TRANSACTIONS.bottom + 1.5])
  return looks
}

/** Draws the legend of a shape. */
export function drawMeaning(
  context: Context,
  look: Look,
  [left, bottom]: readonly [left: number, bottom: number],
  colours: Colours,
): void {
  const { width } = context.measureText(look)
  context.clearRect(left, bottom - 10, width + 2 * BIN_PX, 14)
  drawShape(context, left, bottom - BIN_PX, look, colours)
  context.fillStyle = colours[look]
  context.fillText(look, left + 1.5 * BIN_PX, bottom)
}

const PATHS: Partial<Record<Look, Path2D>> = {}

function drawShape(context: Context, left: number, top: number, look: Look, colours: Colours): void {
  PATHS[look] ??= new Path2D(SHAPES[look].path)
  const size = BIN_PX / 2 - 1
  context.save()
  context.translate(left + BIN_PX / 2, top + BIN_PX / 2)
  context.scale(size, size)
  if (SHAPES[look].isFilled) {
    context.fillStyle = colours[`${look}Fill`]
    context.fill(PATHS[look])
  } else {
    context.strokeStyle = colours[look]
    context.lineWidth = 1.4 / size
    context.stroke(PATHS[look])
  }
  context.restore()
}
