/**
 * Draws the timeline, the newest at the right: above, each block from opening to seal, filled by its slices; below, each transaction at
 * the time it was accepted, in the colour and shape of its current state.
 */

import { counted } from '../../../model/api/text.ts'
import type { LiveBlock, Mark, Rhythm } from '../../live/rhythm.ts'
import type { LiveTransaction } from '../../live/transactions.ts'
import { STATE_WORDS } from '../../parts/StateBadge.tsx'
import { drawMeaning, drawTransactions } from './drawTransactions.ts'
import {
  AXIS_PX,
  BLOCKS,
  blocksSince,
  CAPTION_PX,
  type Colours,
  type Context,
  drawLine,
  EDGE_PX,
  fullHeight,
  HEIGHT_PX,
  LABELS,
  MARKS_PX,
  type Scale,
  TICKS,
  TRANSACTIONS,
  xOf,
} from './rhythmCanvas.ts'

/** The highlighted block, and captions of which the first one that fits is drawn. */
interface ChosenBlock {
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
  // The newest last: times of blocks from before the page was opened are whole seconds, and may overlap newer blocks.
  for (const block of seen.toReversed()) drawBlock(context, scale, block, share, colours)
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
  const looks = drawTransactions(context, scale, transactions, colours)
  const what = 'transactions, when they were accepted'
  drawCaption(context, what, CAPTION_PX, colours.quiet)
  const meaning = [EDGE_PX + context.measureText(`${what} `).width, CAPTION_PX] as const
  if (looks.has('failed')) drawMeaning(context, 'failed', meaning, colours)
  const captionPx = EDGE_PX + context.measureText(caption).width
  for (const mark of rhythm.marks) drawMark(context, scale, mark, captionPx, colours)
  drawNow(context, scale, colours)
}

/** A caption, cleared of axis lines. */
function drawCaption(context: Context, text: string, bottom: number, colour: string): void {
  context.clearRect(EDGE_PX - 4, bottom - 10, context.measureText(text).width + 8, 14)
  context.fillStyle = colour
  context.fillText(text, EDGE_PX, bottom)
}

/** A mark with a label, unless the label would overlap the caption, which ends at `captionPx`. */
function drawMark(
  context: Context,
  scale: Scale,
  { kind, atMs }: Mark,
  captionPx: number,
  colours: Colours,
): void {
  const x = xOf(atMs, scale)
  if (x < 0 || x > scale.widthPx) return
  const colour = colours[kind === 'reorged' || kind === 'restored' ? 'reorged' : 'failed']
  context.setLineDash([3, 3])
  drawLine(context, colour, [x, MARKS_PX - 4], [x, TRANSACTIONS.bottom])
  context.setLineDash([])
  const sign = MARK_SIGNS[kind]
  context.fillStyle = colour
  const width = context.measureText(sign).width
  const left = Math.min(x + 3, scale.widthPx - width - 4)
  if (left > captionPx + 4) context.fillText(sign, left, MARKS_PX - 6)
}

const MARK_SIGNS: Readonly<Record<Mark['kind'], string>> = {
  fault: 'fault',
  requestFault: 'request fault',
  reorged: 'reorg',
  restored: 'another chain',
}

/** Lines at round times before now, with labels. */
function drawAxis(context: Context, scale: Scale, colours: Colours): void {
  const stepMs = STEPS_MS.find((step) => (step / scale.windowMs) * scale.widthPx >= 70) ?? 300_000
  context.fillStyle = colours.quiet
  for (let ms = stepMs; ms < scale.windowMs; ms += stepMs) {
    const x = Math.round(xOf(scale.nowMs - ms, scale)) + 0.5
    if (x < 0) break
    drawLine(context, colours.line, [x, LABELS.top], [x, TRANSACTIONS.bottom])
    const text = ms < 60_000 ? `−${ms / 1_000} s` : `−${ms / 60_000} min`
    const width = context.measureText(text).width
    if (x - width / 2 > 4) context.fillText(text, x - width / 2, AXIS_PX)
  }
}

/** The line of now. */
function drawNow(context: Context, scale: Scale, colours: Colours): void {
  const x = Math.round(xOf(scale.nowMs, scale)) - 0.5
  drawLine(context, colours.preconfirmedFill, [x, BLOCKS.top], [x, TRANSACTIONS.bottom + 4])
  const text = 'now'
  const width = context.measureText(text).width
  context.fillStyle = colours.preconfirmed
  context.fillText(text, Math.min(x - width / 2, scale.widthPx - width - 4), AXIS_PX)
}

const STEPS_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000]

const RADIUS_PX = 3

/** Draws a block from opening to seal, filled by its slices. Full height is this `share` of the gas limit. */
function drawBlock(context: Context, scale: Scale, block: LiveBlock, share: number, colours: Colours): void {
  const [left, right] = edgesOf(block, scale)
  const width = Math.max(1, right - left - (right - left > 6 ? 2 : 0))
  if (left + width < 0) return
  const state = stateOf(block)
  // The open block extends beyond now.
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
    drawLine(context, colours.reorged, [left, BLOCKS.bottom], [left + width, BLOCKS.top])
  }
  drawLabel(context, block, Math.max(left, 0), left + wholeWidth, colours)
}

/** The frame of the highlighted block. */
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

/** Draws the slices of a block, each from its tick to the next, as high as the block was full then. */
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

/** Draws a mark below the block for each tick. */
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

/** A block with transactions has a minimum height. */
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

function stateOf({ removedMs, sealedMs }: LiveBlock): 'reorged' | 'sealed' | 'preconfirmed' {
  return removedMs !== undefined ? 'reorged' : sealedMs !== undefined ? 'sealed' : 'preconfirmed'
}
