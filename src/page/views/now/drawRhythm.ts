/**
 * Draws what happens as a line in time, the newest at the right: above, each block from its opening to its seal, filled by its
 * slices; below, each transaction where it was accepted, in the colour and shape of the state that it is in now.
 */
import type { LiveBlock, Mark, Rhythm } from '../../live/rhythm.ts'
import type { LiveState, LiveTransaction } from '../../live/transactions.ts'
import { SHAPES } from '../../parts/stateShapes.ts'

export interface Scale {
  readonly widthPx: number
  /** The time at the right, and how much of it is seen. */
  readonly endMs: number
  readonly windowMs: number
}

export type Colours = Readonly<
  Record<LiveState | `${LiveState}Ground` | 'text' | 'quiet' | 'line' | 'failed', string>
>

export const HEIGHT_PX = 260
const MARKS_PX = 18
const BLOCKS = { top: 20, bottom: 130 }
const TICKS = { top: 132, bottom: 138 }
const TRANSACTIONS = { top: 146, bottom: 234 }
const AXIS_PX = 250
const BIN_PX = 8

/** From the bottom to the top of a column. */
const STATES: readonly LiveState[] = ['sealed', 'preconfirmed', 'waiting', 'reorged', 'dropped']

type Context = CanvasRenderingContext2D

export function drawRhythm(
  context: Context,
  scale: Scale,
  rhythm: Rhythm,
  transactions: Iterable<LiveTransaction>,
  colours: Colours,
): void {
  context.clearRect(0, 0, scale.widthPx, HEIGHT_PX)
  context.font = '11px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace'
  context.textBaseline = 'alphabetic'
  drawAxis(context, scale, colours)
  const startMs = scale.endMs - scale.windowMs
  const seen = blocksSince(startMs, rhythm)
  const share = fullHeight(seen)
  for (const block of seen) drawBlock(context, scale, block, share, colours)
  if (share < 1) {
    const text = `height: ${100 * share} % of the gas limit`
    context.fillStyle = colours.quiet
    context.fillText(text, 4, MARKS_PX - 6)
  }
  drawTransactions(context, scale, transactions, colours)
  for (const mark of rhythm.marks) drawMark(context, scale, mark, colours)
}

/** Returns the open block and those sealed since `startMs`. Blocks are in the order of their seals: from the newest back. */
function blocksSince(startMs: number, { open, blocks }: Rhythm): LiveBlock[] {
  const seen = open === undefined ? [] : [open]
  for (let i = blocks.length - 1; i >= 0 && blocks[i]!.sealedMs! >= startMs; i--) seen.push(blocks[i]!)
  return seen
}

/** Returns the share of the gas limit that has the height of a block: the least that the fullest of them fits in. */
export function fullHeight(blocks: readonly Pick<LiveBlock, 'gasUsed' | 'gasLimit'>[]): number {
  const fullest = Math.max(0, ...blocks.map(({ gasUsed, gasLimit }) => gasUsed / Math.max(1, gasLimit)))
  return SHARES.find((share) => share >= fullest) ?? 1
}

const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

/** Returns the place of a time, in pixels from the left. */
export function xOf(ms: number, { widthPx, endMs, windowMs }: Scale): number {
  return widthPx - ((endMs - ms) / windowMs) * widthPx
}

/** Returns the block that is drawn at `x`. */
export function blockAt(x: number, scale: Scale, { open, blocks }: Rhythm): LiveBlock | undefined {
  const ms = scale.endMs - ((scale.widthPx - x) / scale.widthPx) * scale.windowMs
  if (open !== undefined && ms >= open.openedMs) return open
  return blocks.findLast(({ openedMs, sealedMs }) => openedMs <= ms && ms <= sealedMs!)
}

function drawBlock(context: Context, scale: Scale, block: LiveBlock, share: number, colours: Colours): void {
  const left = xOf(block.openedMs, scale)
  const right = block.sealedMs === undefined ? scale.widthPx : xOf(block.sealedMs, scale)
  const width = Math.max(1, right - left - (right - left > 6 ? 2 : 0))
  if (left + width < 0) return
  const state = stateOf(block)
  const height = BLOCKS.bottom - BLOCKS.top
  context.fillStyle = colours[`${state}Ground`]
  context.fillRect(left, BLOCKS.top, width, height)
  drawSlices(context, scale, block, left + width, share, colours)
  if (state === 'reorged' && width > 3) {
    context.strokeStyle = colours.reorged
    context.lineWidth = 1
    context.beginPath()
    context.moveTo(left, BLOCKS.bottom)
    context.lineTo(left + width, BLOCKS.top)
    context.stroke()
  }
  drawLabel(context, block, Math.max(left, 0), left + width, colours)
}

/** The slices of a block: each as high as the block was full after it, from its tick to the next. */
function drawSlices(
  context: Context,
  scale: Scale,
  block: LiveBlock,
  right: number,
  share: number,
  colours: Colours,
): void {
  const height = BLOCKS.bottom - BLOCKS.top
  const full = Math.max(1, block.gasLimit) * share
  context.fillStyle = colours[stateOf(block)]
  const { slices } = block
  if (slices.length === 0) {
    const left = xOf(block.openedMs, scale)
    fillUp(context, left, right, (block.gasUsed / full) * height, block.transactions)
    return
  }
  let gasUsed = 0
  let transactions = 0
  context.strokeStyle = colours.quiet
  context.lineWidth = 1
  for (let i = 0; i < slices.length; i++) {
    const slice = slices[i]!
    gasUsed += slice.gasUsed
    transactions += slice.transactions
    const left = xOf(slice.atMs, scale)
    const next = slices[i + 1]
    fillUp(
      context,
      left,
      next === undefined ? right : Math.min(right, xOf(next.atMs, scale) - 1),
      (gasUsed / full) * height,
      transactions,
    )
    context.beginPath()
    context.moveTo(Math.round(left) + 0.5, TICKS.top)
    context.lineTo(Math.round(left) + 0.5, TICKS.bottom)
    context.stroke()
  }
}

/** A block with any transaction has at least something in it to be seen. */
function fillUp(context: Context, left: number, right: number, height: number, transactions: number): void {
  const seen = transactions === 0 ? 0 : Math.max(3, height)
  if (seen > 0) context.fillRect(left, BLOCKS.bottom - seen, Math.max(1, right - left), seen)
}

function drawLabel(context: Context, block: LiveBlock, left: number, right: number, colours: Colours): void {
  const number = String(block.number)
  const width = context.measureText(number).width
  if (right - left < width + 8) return
  context.fillStyle = colours.text
  context.fillText(number, left + 4, BLOCKS.top + 13)
  const count = `${block.transactions} tx`
  if (right - left < context.measureText(count).width + 8) return
  context.fillStyle = colours.text
  context.fillText(count, left + 4, BLOCKS.top + 27)
}

/**
 * Transactions of some pixels stand on each other. Where they are too many for shapes they are bars, all columns in the same
 * scale.
 */
function drawTransactions(
  context: Context,
  scale: Scale,
  transactions: Iterable<LiveTransaction>,
  colours: Colours,
): void {
  const startMs = scale.endMs - scale.windowMs
  const binMs = (scale.windowMs / scale.widthPx) * BIN_PX
  const columns = new Map<number, Uint16Array>()
  let highest = 0
  for (const { firstMs, state } of transactions) {
    if (firstMs < startMs) continue
    const bin = Math.floor(firstMs / binMs)
    let column = columns.get(bin)
    if (column === undefined) {
      column = new Uint16Array(STATES.length + 1)
      columns.set(bin, column)
    }
    column[STATES.indexOf(state)]!++
    const height = ++column[STATES.length]!
    if (height > highest) highest = height
  }
  const room = TRANSACTIONS.bottom - TRANSACTIONS.top
  const each = Math.min(BIN_PX, room / Math.max(1, highest))
  for (const [bin, column] of columns) {
    const left = xOf(bin * binMs, scale)
    let bottom = TRANSACTIONS.bottom
    STATES.forEach((state, index) => {
      const count = column[index]!
      if (count === 0) return
      if (each >= BIN_PX) {
        for (let i = 0; i < count; i++) drawShape(context, left, bottom - (i + 1) * each, state, colours)
      } else {
        context.fillStyle = colours[state]
        context.fillRect(left, bottom - count * each, BIN_PX - 1, count * each)
      }
      bottom -= count * each
    })
  }
  context.strokeStyle = colours.line
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(0, TRANSACTIONS.bottom + 1.5)
  context.lineTo(scale.widthPx, TRANSACTIONS.bottom + 1.5)
  context.stroke()
}

const PATHS: Partial<Record<LiveState, Path2D>> = {}

function drawShape(context: Context, left: number, top: number, state: LiveState, colours: Colours): void {
  PATHS[state] ??= new Path2D(SHAPES[state].path)
  const size = BIN_PX / 2 - 1
  context.save()
  context.translate(left + BIN_PX / 2, top + BIN_PX / 2)
  context.scale(size, size)
  if (SHAPES[state].isFilled) {
    context.fillStyle = colours[state]
    context.fill(PATHS[state])
  } else {
    context.strokeStyle = colours[state]
    context.lineWidth = 1.4 / size
    context.stroke(PATHS[state])
  }
  context.restore()
}

function drawMark(context: Context, scale: Scale, { kind, atMs }: Mark, colours: Colours): void {
  const x = xOf(atMs, scale)
  if (x < 0 || x > scale.widthPx) return
  context.strokeStyle = colours[kind === 'reorged' || kind === 'restored' ? 'reorged' : 'failed']
  context.fillStyle = context.strokeStyle
  context.lineWidth = 1
  context.setLineDash([3, 3])
  context.beginPath()
  context.moveTo(x, MARKS_PX - 4)
  context.lineTo(x, TRANSACTIONS.bottom)
  context.stroke()
  context.setLineDash([])
  const sign = MARK_SIGNS[kind]
  const width = context.measureText(sign).width
  context.fillText(sign, Math.min(x + 3, scale.widthPx - width), MARKS_PX - 6)
}

export const MARK_SIGNS: Readonly<Record<Mark['kind'], string>> = {
  fault: 'fault',
  requestFault: 'request fault',
  reorged: 'reorg',
  restored: 'restored',
}

/** A line and the distance to now at each of some round times. */
function drawAxis(context: Context, scale: Scale, colours: Colours): void {
  const stepMs = STEPS_MS.find((step) => (step / scale.windowMs) * scale.widthPx >= 70) ?? 300_000
  context.strokeStyle = colours.line
  context.fillStyle = colours.quiet
  context.lineWidth = 1
  for (let ms = stepMs; ms < scale.windowMs; ms += stepMs) {
    const x = Math.round(xOf(scale.endMs - ms, scale)) + 0.5
    context.beginPath()
    context.moveTo(x, BLOCKS.top)
    context.lineTo(x, TRANSACTIONS.bottom)
    context.stroke()
    const text = ms < 60_000 ? `−${ms / 1_000} s` : `−${ms / 60_000} min`
    context.fillText(text, x - context.measureText(text).width / 2, AXIS_PX)
  }
  const now = 'now'
  context.fillText(now, scale.widthPx - context.measureText(now).width, AXIS_PX)
}

const STEPS_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000]

function stateOf({ removedMs, sealedMs }: LiveBlock): 'reorged' | 'sealed' | 'preconfirmed' {
  return removedMs !== undefined ? 'reorged' : sealedMs !== undefined ? 'sealed' : 'preconfirmed'
}
