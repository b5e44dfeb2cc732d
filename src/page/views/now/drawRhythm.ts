/**
 * Draws what happens as a line in time, the newest at the right: above, each block from its opening to its seal, filled by its
 * slices; below, each transaction where it was accepted, in the colour and shape of the state that it is in now.
 */
import { counted, type LiveBlock, type Mark, type Rhythm } from '../../live/rhythm.ts'
import type { LiveState, LiveTransaction } from '../../live/transactions.ts'
import { STATE_WORDS } from '../../parts/StateBadge.tsx'
import { SHAPES } from '../../parts/stateShapes.ts'
import { fullHeight, highestShown } from './heights.ts'

export interface Scale {
  readonly widthPx: number
  /** The time at the right, and how much of it is seen. */
  readonly endMs: number
  readonly windowMs: number
  /** What time it is: what is right of it, the open block has before it. */
  readonly nowMs: number
}

export type Colours = Readonly<
  Record<LiveState | `${LiveState}Ground` | `${LiveState}Fill` | 'text' | 'quiet' | 'line' | 'failed', string>
>

export const HEIGHT_PX = 300
const MARKS_PX = 22
/** The labels of blocks stand above what fills them: each can be read, however full its block is. */
const LABELS = { top: 28, bottom: 62 }
const BLOCKS = { top: 64, bottom: 154 }
const TICKS = { top: 156, bottom: 161 }
const CAPTION_PX = 178
const TRANSACTIONS = { top: 198, bottom: 270 }
const AXIS_PX = 289
const EDGE_PX = 10
const BIN_PX = 8
const RADIUS_PX = 3

/** From the bottom to the top of a column. */
const STATES: readonly LiveState[] = ['sealed', 'preconfirmed', 'waiting', 'reorged', 'dropped']

type Context = CanvasRenderingContext2D

/** The block that a reader points at, and what is said of it: the longest text first, of which the first that fits is shown. */
export interface ChosenBlock {
  readonly block: LiveBlock
  readonly words: readonly string[]
}

export function drawRhythm(
  context: Context,
  scale: Scale,
  rhythm: Rhythm,
  transactions: Iterable<LiveTransaction>,
  colours: Colours,
  chosen?: ChosenBlock,
): void {
  context.clearRect(0, 0, scale.widthPx, HEIGHT_PX)
  context.font = '11px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace'
  context.textBaseline = 'alphabetic'
  context.textAlign = 'left'
  drawAxis(context, scale, colours)
  const startMs = scale.endMs - scale.windowMs
  const seen = blocksSince(startMs, rhythm)
  const share = fullHeight(seen)
  for (const block of seen) drawBlock(context, scale, block, share, colours)
  if (chosen !== undefined) drawFrame(context, scale, chosen.block, colours)
  const height = share === 1 ? 'the gas limit' : `${100 * share} % of the gas limit`
  const captions = chosen?.words ?? [
    `blocks, filled by slices: full height is ${height}`,
    `full height: ${height}`,
  ]
  const widest = chosen === undefined ? scale.widthPx / 2 : scale.widthPx - 2 * EDGE_PX
  const caption =
    captions.find((text) => context.measureText(text).width < widest) ?? captions[captions.length - 1]!
  drawCaption(context, caption, MARKS_PX - 6, chosen === undefined ? colours.quiet : colours.text)
  drawTransactions(context, scale, transactions, colours)
  drawCaption(context, 'transactions, when they were accepted', CAPTION_PX, colours.quiet)
  const captionPx = EDGE_PX + context.measureText(caption).width
  for (const mark of rhythm.marks) drawMark(context, scale, mark, captionPx, colours)
  drawNow(context, scale, colours)
}

/** What a part of the picture shows; no line of the axis goes through it. */
function drawCaption(context: Context, text: string, bottom: number, colour: string): void {
  context.clearRect(EDGE_PX - 4, bottom - 10, context.measureText(text).width + 8, 14)
  context.fillStyle = colour
  context.fillText(text, EDGE_PX, bottom)
}

/** Returns the open block and those sealed since `startMs`. Blocks are in the order of their seals: from the newest back. */
export function blocksSince(startMs: number, { open, blocks, earlier }: Rhythm): LiveBlock[] {
  const seen = open === undefined ? [] : [open]
  for (const sealed of [blocks, earlier]) {
    for (let i = sealed.length - 1; i >= 0 && sealed[i]!.sealedMs! >= startMs; i--) seen.push(sealed[i]!)
  }
  return seen
}

/** Returns the place of a time, in pixels from the left. */
export function xOf(ms: number, { widthPx, endMs, windowMs }: Scale): number {
  return widthPx - ((endMs - ms) / windowMs) * widthPx
}

/** Returns the block that is drawn at `x`. */
export function blockAt(x: number, scale: Scale, { open, blocks, earlier }: Rhythm): LiveBlock | undefined {
  const ms = scale.endMs - ((scale.widthPx - x) / scale.widthPx) * scale.windowMs
  if (open !== undefined && ms >= open.openedMs) return open
  const isThere = ({ openedMs, sealedMs }: LiveBlock) => openedMs <= ms && ms <= sealedMs!
  return blocks.findLast(isThere) ?? earlier.findLast(isThere)
}

function drawBlock(context: Context, scale: Scale, block: LiveBlock, share: number, colours: Colours): void {
  const [left, right] = edgesOf(block, scale)
  const width = Math.max(1, right - left - (right - left > 6 ? 2 : 0))
  if (left + width < 0) return
  const state = stateOf(block)
  // The open block goes on to the right of now.
  const wholeWidth = block.sealedMs === undefined ? Math.max(width, scale.widthPx - left) : width
  const radius = wholeWidth > 4 * RADIUS_PX ? RADIUS_PX : 0
  context.fillStyle = colours[`${state}Ground`]
  context.beginPath()
  context.roundRect(left, LABELS.top, wholeWidth, LABELS.bottom - LABELS.top, [radius, radius, 0, 0])
  context.fill()
  context.beginPath()
  context.roundRect(left, BLOCKS.top, wholeWidth, BLOCKS.bottom - BLOCKS.top, [0, 0, radius, radius])
  context.fill()
  if (radius > 0) {
    context.save()
    context.clip()
  }
  drawSlices(context, scale, block, left + width, share, colours)
  if (radius > 0) context.restore()
  drawTicks(context, scale, block, colours)
  if (state === 'reorged' && width > 3) {
    context.strokeStyle = colours.reorged
    context.lineWidth = 1
    context.beginPath()
    context.moveTo(left, BLOCKS.bottom)
    context.lineTo(left + width, BLOCKS.top)
    context.stroke()
  }
  drawLabel(context, block, Math.max(left, 0), left + wholeWidth, colours)
}

/** The block that was chosen by keys. */
function drawFrame(context: Context, scale: Scale, block: LiveBlock, colours: Colours): void {
  const [left, right] = edgesOf(block, scale)
  context.strokeStyle = colours.text
  context.lineWidth = 2
  const width = Math.max(3, Math.min(right, scale.widthPx) - left - 2)
  context.strokeRect(left + 1, LABELS.top + 1, width, BLOCKS.bottom - LABELS.top - 2)
}

function edgesOf({ openedMs, sealedMs }: LiveBlock, scale: Scale): [left: number, right: number] {
  return [xOf(openedMs, scale), xOf(sealedMs ?? scale.nowMs, scale)]
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
  context.fillStyle = colours[`${stateOf(block)}Fill`]
  const { slices } = block
  if (slices.length === 0) {
    const left = xOf(block.openedMs, scale)
    fillUp(context, left, right, (block.gasUsed / full) * height, block.transactions)
    return
  }
  let gasUsed = 0
  let transactions = 0
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
  }
}

/** A mark below the block for the tick of each slice. */
function drawTicks(context: Context, scale: Scale, { slices }: LiveBlock, colours: Colours): void {
  context.strokeStyle = colours.quiet
  context.lineWidth = 1
  context.beginPath()
  for (const { atMs } of slices) {
    const x = Math.round(xOf(atMs, scale)) + 0.5
    context.moveTo(x, TICKS.top)
    context.lineTo(x, TICKS.bottom)
  }
  context.stroke()
}

/** A block with any transaction has at least something in it to be seen. */
function fillUp(context: Context, left: number, right: number, height: number, transactions: number): void {
  const seen = transactions === 0 ? 0 : Math.max(4, height)
  if (seen > 0) context.fillRect(left, BLOCKS.bottom - seen, Math.max(1, right - left), seen)
}

function drawLabel(context: Context, block: LiveBlock, left: number, right: number, colours: Colours): void {
  const number = String(block.number)
  const isFitting = (text: string) => right - left >= context.measureText(text).width + 10
  if (!isFitting(number)) return
  const state = STATE_WORDS[stateOf(block)]
  const named = block.sealedMs === undefined ? `${number} open` : `${number} ${state}`
  context.fillStyle = colours.text
  context.fillText(isFitting(named) ? named : number, left + 6, LABELS.top + 14)
  const { length } = block.slices
  const counts = [
    ...(length === 0 ? [] : [`${counted(block.transactions, 'transaction')}, ${counted(length, 'slice')}`]),
    counted(block.transactions, 'transaction'),
    `${block.transactions} tx`,
  ]
  context.fillStyle = colours[stateOf(block)]
  context.fillText(counts.find(isFitting) ?? '', left + 6, LABELS.top + 28)
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
    context.fillStyle = colours[`${state}Fill`]
    context.fill(PATHS[state])
  } else {
    context.strokeStyle = colours[state]
    context.lineWidth = 1.4 / size
    context.stroke(PATHS[state])
  }
  context.restore()
}

/** The word stands right of the caption, which ends at `captionPx`. */
function drawMark(
  context: Context,
  scale: Scale,
  { kind, atMs }: Mark,
  captionPx: number,
  colours: Colours,
): void {
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
  const left = Math.min(x + 3, scale.widthPx - width)
  if (left > captionPx + 4) context.fillText(sign, left, MARKS_PX - 6)
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
    const x = Math.round(xOf(scale.nowMs - ms, scale)) + 0.5
    if (x < 0) break
    context.beginPath()
    context.moveTo(x, LABELS.top)
    context.lineTo(x, TRANSACTIONS.bottom)
    context.stroke()
    const text = ms < 60_000 ? `−${ms / 1_000} s` : `−${ms / 60_000} min`
    const width = context.measureText(text).width
    if (x - width / 2 > 4) context.fillText(text, x - width / 2, AXIS_PX)
  }
}

/** Now, over all that is drawn but the labels. */
function drawNow(context: Context, scale: Scale, colours: Colours): void {
  const x = Math.round(xOf(scale.nowMs, scale)) - 0.5
  context.strokeStyle = colours.preconfirmedFill
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(x, BLOCKS.top)
  context.lineTo(x, TRANSACTIONS.bottom + 4)
  context.stroke()
  const text = 'now'
  const width = context.measureText(text).width
  context.fillStyle = colours.preconfirmed
  context.fillText(text, Math.min(x - width / 2, scale.widthPx - width - 4), AXIS_PX)
}

const STEPS_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000]

function stateOf({ removedMs, sealedMs }: LiveBlock): 'reorged' | 'sealed' | 'preconfirmed' {
  return removedMs !== undefined ? 'reorged' : sealedMs !== undefined ? 'sealed' : 'preconfirmed'
}
