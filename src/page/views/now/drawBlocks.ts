/**
 * Draws the timeline, with the current time at the right. The upper part shows blocks from opening to seal, filled by
 * their slices. The lower part shows transactions at their times of acceptance, in the style of their current state.
 */
import { counted } from '../../../model/api/text.ts'
import { duration } from '../../format.ts'
import type { LiveBlock, Mark, Rhythm } from '../../live/rhythm.ts'
import type { LiveTransaction } from '../../live/transactions.ts'
import { percent, STATE_WORDS } from '../../parts/chain.tsx'
import {
  AXIS_PX,
  BLOCKS,
  blocksShown,
  CAPTION_PX,
  type Colours,
  drawCentred,
  drawLine,
  drawMeaning,
  drawText,
  drawTransactions,
  EDGE_PX,
  fullHeight,
  type Gap,
  HEIGHT_PX,
  LABELS,
  MARKS_PX,
  type Picture,
  type Scale,
  TICKS,
  TRANSACTIONS,
  timeAt,
  xOf,
} from './rhythmCanvas.ts'

export function drawRhythm(
  picture: Picture,
  rhythm: Rhythm,
  transactions: Iterable<LiveTransaction>,
  chosen: LiveBlock | undefined,
): void {
  const { context, scale } = picture
  context.clearRect(0, 0, scale.widthPx, HEIGHT_PX)
  context.font = '11px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace'
  drawAxis(picture)
  const seen = blocksShown(rhythm, scale)
  const share = fullHeight(seen)
  for (const gap of scale.gaps) drawGap(picture, gap)
  // The newest block is drawn last, because older blocks, whose times may be inexact, may overlap newer blocks.
  for (const block of seen.toReversed()) drawBlock(picture, block, share)
  if (chosen !== undefined) drawFrame(picture, chosen)
  const height = share === 1 ? 'the gas limit' : `${100 * share} % of the gas limit`
  const captions =
    chosen === undefined
      ? [`blocks, filled by slices: full height is ${height}`, `full height: ${height}`]
      : [wordsOf(chosen), wordsOf(chosen, 'short')]
  const widest = chosen === undefined ? scale.widthPx / 2 : scale.widthPx - 2 * EDGE_PX
  const caption = captions.find((text) => context.measureText(text).width < widest) ?? captions[1]!
  const captionEnd = drawCaption(picture, chosen === undefined ? 'quiet' : 'text', caption, MARKS_PX - 6)
  const looks = drawTransactions(picture, transactions)
  const end = drawCaption(picture, 'quiet', 'transactions, when they were accepted ', CAPTION_PX)
  if (looks.has('failed')) drawMeaning(picture, 'failed', end, CAPTION_PX)
  for (const mark of rhythm.marks) drawMark(picture, mark, captionEnd)
  drawNow(picture)
}

export function wordsOf(block: LiveBlock, length: 'long' | 'short' = 'long'): string {
  const { number, sealedMs, removedMs, transactions, gasUsed, gasLimit } = block
  const state = removedMs !== undefined ? 'reorganised away' : sealedMs === undefined ? 'open' : 'sealed'
  const count = counted(transactions, 'transaction')
  if (length === 'short') return `block ${number}, ${state}, ${count}`
  const slices = block.sliceCount === undefined ? block.slices.length : (block.sliceCount ?? 0)
  const grown = slices === 0 ? count : `${count} in ${counted(slices, 'slice')}`
  return `block ${number}, ${state}, ${grown}, ${percent(gasUsed, gasLimit)} of the gas limit`
}

/** Draws a caption, and clears the axis lines behind it. Returns the right edge of the caption. */
function drawCaption(picture: Picture, colour: keyof Colours, text: string, bottom: number): number {
  const { width } = picture.context.measureText(text)
  picture.context.clearRect(EDGE_PX - 4, bottom - 10, width + 8, 14)
  drawText(picture, colour, text, [EDGE_PX, bottom])
  return EDGE_PX + width
}

const MARK_SIGNS: Readonly<Record<Mark['kind'], readonly [sign: string, colour: keyof Colours]>> = {
  fault: ['fault', 'failed'],
  requestFault: ['request fault', 'failed'],
  reorged: ['reorg', 'reorged'],
  restored: ['another chain', 'reorged'],
}

function drawMark(picture: Picture, { kind, atMs }: Mark, captionEnd: number): void {
  const { context, scale } = picture
  const x = xOf(atMs, scale)
  if (x < 0 || x > scale.widthPx) return
  const [sign, colour] = MARK_SIGNS[kind]
  context.setLineDash([3, 3])
  drawLine(picture, colour, [x, MARKS_PX - 4], [x, TRANSACTIONS.bottom])
  context.setLineDash([])
  const left = Math.min(x + 3, scale.widthPx - context.measureText(sign).width - 4)
  if (left > captionEnd + 4) drawText(picture, colour, sign, [left, MARKS_PX - 6])
}

const STEPS_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000]

function drawAxis(picture: Picture): void {
  const { context, scale } = picture
  const { widthPx, windowMs, nowMs, gaps } = scale
  const stepMs = STEPS_MS.find((step) => (step / windowMs) * widthPx >= 70) ?? 300_000
  const nowPx = xOf(nowMs, scale)
  for (let shownMs = stepMs; shownMs < windowMs; shownMs += stepMs) {
    const x = Math.round(nowPx - (shownMs / windowMs) * widthPx) + 0.5
    if (x < 0) break
    const ms = timeAt(x, scale)
    if (gaps.some(({ fromMs, toMs }) => fromMs < ms && ms < toMs)) continue
    drawLine(picture, 'line', [x, LABELS.top], [x, TRANSACTIONS.bottom])
    const isExact = gaps.every(({ toMs }) => toMs <= ms)
    const text = isExact ? exactAge(shownMs) : `−${duration(nowMs - ms)}`
    if (x - context.measureText(text).width / 2 > 4) drawCentred(picture, 'quiet', text, [x, AXIS_PX])
  }
}

function exactAge(ms: number): string {
  return ms < 60_000 ? `−${ms / 1_000} s` : `−${ms / 60_000} min`
}

/** Draws a band for a time without transactions, with its length and the number of its blocks. */
function drawGap(picture: Picture, { fromMs, toMs, blocks }: Gap): void {
  const { context, scale, colours } = picture
  const [left, right] = [Math.max(0, xOf(fromMs, scale)), xOf(toMs, scale)]
  context.fillStyle = colours.line
  context.globalAlpha = 0.3
  context.fillRect(left, LABELS.top, right - left, TRANSACTIONS.bottom - LABELS.top)
  context.globalAlpha = 1
  const middle = (left + right) / 2
  const texts = [blocks === 0 ? '' : counted(blocks, 'empty block'), `for ${duration(toMs - fromMs)}`]
  for (const [line, text] of texts.entries()) {
    const width = context.measureText(text).width
    const shown = width < right - left ? text : line === 0 && blocks > 0 ? String(blocks) : ''
    drawCentred(picture, 'quiet', shown, [middle, (BLOCKS.top + BLOCKS.bottom) / 2 + 16 * line])
  }
}

function drawNow(picture: Picture): void {
  const x = Math.round(xOf(picture.scale.nowMs, picture.scale)) - 0.5
  drawLine(picture, 'preconfirmed-fill', [x, BLOCKS.top], [x, TRANSACTIONS.bottom + 4])
  drawCentred(picture, 'preconfirmed', 'now', [x, AXIS_PX])
}

const RADIUS_PX = 3

/** Draws a block. Its whole height is filled if the block uses `share` of its gas limit. */
function drawBlock(picture: Picture, block: LiveBlock, share: number): void {
  const { context, scale, colours } = picture
  const [left, right] = edgesOf(block, scale)
  const width = Math.max(1, right - left - (right - left > 6 ? 2 : 0))
  if (left + width < 0) return
  const state = stateOf(block)
  // The open block reaches beyond the current time to the right edge.
  const wholeWidth = block.sealedMs === undefined ? Math.max(width, scale.widthPx - left) : width
  const radius = wholeWidth > 4 * RADIUS_PX ? RADIUS_PX : 0
  context.fillStyle = colours[`${state}-ground`]
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
  drawSlices(picture, block, left + width, share)
  if (radius > 0) context.restore()
  drawTicks(picture, block)
  if (state === 'reorged' && width > 3)
    drawLine(picture, 'reorged', [left, BLOCKS.bottom], [left + width, BLOCKS.top])
  drawLabel(picture, block, Math.max(left, 0), left + wholeWidth)
}

function drawFrame({ context, scale, colours }: Picture, block: LiveBlock): void {
  const [left, right] = edgesOf(block, scale)
  context.strokeStyle = colours.text
  context.lineWidth = 2
  const width = Math.max(3, Math.min(right, scale.widthPx) - left - 2)
  context.strokeRect(left + 1, LABELS.top + 1, width, BLOCKS.bottom - LABELS.top - 2)
}

function edgesOf({ openedMs, sealedMs }: LiveBlock, scale: Scale): [left: number, right: number] {
  return [xOf(openedMs, scale), xOf(sealedMs ?? scale.nowMs, scale)]
}

/** Draws a block's slices, each from its tick to the next tick. The height is the block's gas as of the slice. */
function drawSlices(
  { context, scale, colours }: Picture,
  block: LiveBlock,
  right: number,
  share: number,
): void {
  const full = Math.max(1, block.gasLimit) * share
  const slices = block.slices.length === 0 ? [{ ...block, atMs: block.openedMs }] : block.slices
  context.fillStyle = colours[`${stateOf(block)}-fill`]
  let gasUsed = 0
  let transactions = 0
  for (let i = 0; i < slices.length; i++) {
    const slice = slices[i]!
    gasUsed += slice.gasUsed
    transactions += slice.transactions
    if (transactions === 0) continue
    const left = xOf(slice.atMs, scale)
    const next = slices[i + 1]
    const end = next === undefined ? right : Math.min(right, xOf(next.atMs, scale) - 1)
    const height = Math.max(4, (gasUsed / full) * (BLOCKS.bottom - BLOCKS.top))
    context.fillRect(left, BLOCKS.bottom - height, Math.max(1, end - left), height)
  }
}

function drawTicks({ context, scale, colours }: Picture, { slices }: LiveBlock): void {
  context.fillStyle = colours.quiet
  for (const { atMs } of slices)
    context.fillRect(Math.round(xOf(atMs, scale)), TICKS.top, 1, TICKS.bottom - TICKS.top)
}

function drawLabel(picture: Picture, block: LiveBlock, left: number, right: number): void {
  const number = String(block.number)
  const isFitting = (text: string) => right - left >= picture.context.measureText(text).width + 10
  if (!isFitting(number)) return
  const state = stateOf(block)
  const named = `${number} ${block.sealedMs === undefined ? 'open' : STATE_WORDS[state]}`
  drawText(picture, 'text', isFitting(named) ? named : number, [left + 6, LABELS.top + 14])
  const count = counted(block.transactions, 'transaction')
  const { length } = block.slices
  const counts = [
    ...(length === 0 ? [] : [`${count}, ${counted(length, 'slice')}`]),
    count,
    `${block.transactions} tx`,
  ]
  drawText(picture, state, counts.find(isFitting) ?? '', [left + 6, LABELS.top + 28])
}

function stateOf({ removedMs, sealedMs }: LiveBlock): 'reorged' | 'sealed' | 'preconfirmed' {
  return removedMs !== undefined ? 'reorged' : sealedMs !== undefined ? 'sealed' : 'preconfirmed'
}
