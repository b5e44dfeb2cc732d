/**
 * Draws what happens as a line in time, the newest at the right: above, each block from its opening to its seal, filled by its
 * slices; below, each transaction where it was accepted, in the colour and shape of the state that it is in now.
 */
import type { LiveBlock, Mark, Rhythm } from '../../live/rhythm.ts'
import type { LiveTransaction } from '../../live/transactions.ts'
import { drawBlock, drawFrame } from './drawBlock.ts'
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
  TRANSACTIONS,
  xOf,
} from './rhythmCanvas.ts'

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
  // The newest over the others: the times of those from before the page was opened are known to the second, and may reach into theirs.
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

/** What a part of the picture shows; no line of the axis goes through it. */
function drawCaption(context: Context, text: string, bottom: number, colour: string): void {
  context.clearRect(EDGE_PX - 4, bottom - 10, context.measureText(text).width + 8, 14)
  context.fillStyle = colour
  context.fillText(text, EDGE_PX, bottom)
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

/** A line and the distance to now at each of some round times. */
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

/** Now, over all that is drawn but the labels. */
function drawNow(context: Context, scale: Scale, colours: Colours): void {
  const x = Math.round(xOf(scale.nowMs, scale)) - 0.5
  drawLine(context, colours.preconfirmedFill, [x, BLOCKS.top], [x, TRANSACTIONS.bottom + 4])
  const text = 'now'
  const width = context.measureText(text).width
  context.fillStyle = colours.preconfirmed
  context.fillText(text, Math.min(x - width / 2, scale.widthPx - width - 4), AXIS_PX)
}

const STEPS_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000]
