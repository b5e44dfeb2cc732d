/** Draws transactions where they were accepted, each in the colour and shape of the state that it is in now. */
import type { LiveState, LiveTransaction } from '../../live/transactions.ts'
import { SHAPES } from '../../parts/stateShapes.ts'
import { highestShown } from './heights.ts'
import {
  type Colours,
  type Context,
  drawLine,
  EDGE_PX,
  type Scale,
  TRANSACTIONS,
  xOf,
} from './rhythmCanvas.ts'

const BIN_PX = 8

/** From the bottom to the top of a column. */
const STATES: readonly LiveState[] = ['sealed', 'preconfirmed', 'waiting', 'reorged', 'dropped']

/**
 * Transactions of some pixels stand on each other. Where they are too many for shapes they are bars, all columns in the same
 * scale.
 */
export function drawTransactions(
  context: Context,
  scale: Scale,
  transactions: Iterable<LiveTransaction>,
  colours: Colours,
): void {
  const startMs = scale.endMs - scale.windowMs
  const binMs = (scale.windowMs / scale.widthPx) * BIN_PX
  const columns = new Map<number, Uint16Array>()
  for (const { firstMs, state } of transactions) {
    if (firstMs < startMs) continue
    const bin = Math.floor(firstMs / binMs)
    let column = columns.get(bin)
    if (column === undefined) {
      column = new Uint16Array(STATES.length + 1)
      columns.set(bin, column)
    }
    column[STATES.indexOf(state)]!++
    column[STATES.length]!++
  }
  const room = TRANSACTIONS.bottom - TRANSACTIONS.top
  const highest = highestShown(
    [...columns.values()].map((column) => column[STATES.length]!),
    room / BIN_PX,
  )
  const each = room / highest
  for (const [bin, column] of columns) {
    const left = xOf(bin * binMs, scale)
    let bottom = TRANSACTIONS.bottom
    const all = column[STATES.length]!
    const isCut = all > highest
    if (isCut) {
      context.save()
      context.beginPath()
      context.rect(left, TRANSACTIONS.top, BIN_PX, room)
      context.clip()
    }
    STATES.forEach((state, index) => {
      const count = column[index]!
      if (count === 0) return
      if (each >= BIN_PX) {
        for (let i = 0; i < count; i++) drawShape(context, left, bottom - (i + 1) * each, state, colours)
      } else {
        context.fillStyle = colours[`${state}Fill`]
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
}

const PATHS: Partial<Record<LiveState, Path2D>> = {}

function drawShape(context: Context, left: number, top: number, state: LiveState, colours: Colours): void {
  PATHS[state] ??= new Path2D(SHAPES[state].path)
  const size = BIN_PX / 2 - 1
  context.save()
  context.translate(left + BIN_PX / 2, top + BIN_PX / 2)
  context.scale(size, size)
  if (SHAPES[state].isFilled) {
    context.fillStyle = colours[`${state}Fill`]
    context.fill(PATHS[state])
  } else {
    context.strokeStyle = colours[state]
    context.lineWidth = 1.4 / size
    context.stroke(PATHS[state])
  }
  context.restore()
}
