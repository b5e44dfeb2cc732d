import type { LiveTransaction } from '../../live/transactions.ts'
import {
  type Colours,
  drawCentred,
  drawLine,
  drawText,
  EDGE_PX,
  highestShown,
  type Look,
  lookOf,
  type Picture,
  SHAPES,
  TRANSACTIONS,
  timeAt,
  xOf,
} from './rhythmCanvas.ts'

const BIN_PX = 8

const LOOKS: readonly Look[] = ['sealed', 'preconfirmed', 'failed', 'waiting', 'reorged', 'dropped']

/** Draws columns of shapes, one per transaction, or of bars if columns would be too high. Returns the drawn states. */
export function drawTransactions(
  picture: Picture,
  transactions: Iterable<LiveTransaction>,
): ReadonlySet<Look> {
  const { context, scale, colours } = picture
  const startMs = timeAt(0, scale)
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
  const counts = [...columns.values()].map((column) => column[LOOKS.length]!)
  const highest = highestShown(counts, room / BIN_PX)
  const each = room / highest
  for (const [bin, column] of columns) {
    const left = xOf(bin * binMs, scale)
    let below = 0
    for (const [index, look] of LOOKS.entries()) {
      const count = Math.min(column[index]!, highest - below)
      if (count === 0) continue
      const bottom = TRANSACTIONS.bottom - below * each
      if (each >= BIN_PX) {
        for (let i = 0; i < count; i++) drawShape(picture, left, bottom - (i + 1) * each, look)
      } else {
        context.fillStyle = fillOf(look, colours)
        context.fillRect(left, bottom - count * each, BIN_PX - 1, count * each)
      }
      below += count
    }
    const all = column[LOOKS.length]!
    if (all > highest) drawCentred(picture, 'quiet', String(all), [left + BIN_PX / 2, TRANSACTIONS.top - 4])
  }
  if (columns.size === 0) drawText(picture, 'quiet', 'none in this time', [EDGE_PX, TRANSACTIONS.bottom - 8])
  drawLine(picture, 'line', [0, TRANSACTIONS.bottom + 1.5], [scale.widthPx, TRANSACTIONS.bottom + 1.5])
  return looks
}

export function drawMeaning(picture: Picture, look: Look, left: number, bottom: number): void {
  const { context } = picture
  context.clearRect(left, bottom - 10, context.measureText(look).width + 2 * BIN_PX, 14)
  drawShape(picture, left, bottom - BIN_PX, look)
  drawText(picture, look, look, [left + 1.5 * BIN_PX, bottom])
}

const PATHS: Partial<Record<Look, Path2D>> = {}

function drawShape({ context, colours }: Picture, left: number, top: number, look: Look): void {
  const { path, isFilled } = SHAPES[look]
  PATHS[look] ??= new Path2D(path)
  const size = BIN_PX / 2 - 1
  context.save()
  context.translate(left + BIN_PX / 2, top + BIN_PX / 2)
  context.scale(size, size)
  if (isFilled) {
    context.fillStyle = fillOf(look, colours)
    context.fill(PATHS[look])
  } else {
    context.strokeStyle = colours[look]
    context.lineWidth = 1.4 / size
    context.stroke(PATHS[look])
  }
  context.restore()
}

function fillOf(look: Look, colours: Colours): string {
  return look === 'failed' ? colours.failed : colours[`${look}-fill`]
}
