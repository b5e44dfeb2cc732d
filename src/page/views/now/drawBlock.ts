/** Draws a block in time: its label, and below what fills it, slice by slice. */
import { counted } from '../../../model/text.ts'
import type { LiveBlock } from '../../live/rhythm.ts'
import { STATE_WORDS } from '../../parts/StateBadge.tsx'
import {
  BLOCKS,
  type Colours,
  type Context,
  drawLine,
  LABELS,
  type Scale,
  TICKS,
  xOf,
} from './rhythmCanvas.ts'

const RADIUS_PX = 3

/** Draws a block from its opening to its seal, filled by its slices; full height is this `share` of its gas limit. */
export function drawBlock(
  context: Context,
  scale: Scale,
  block: LiveBlock,
  share: number,
  colours: Colours,
): void {
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
    drawLine(context, colours.reorged, [left, BLOCKS.bottom], [left + width, BLOCKS.top])
  }
  drawLabel(context, block, Math.max(left, 0), left + wholeWidth, colours)
}

/** The block that was chosen by keys. */
export function drawFrame(context: Context, scale: Scale, block: LiveBlock, colours: Colours): void {
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

function stateOf({ removedMs, sealedMs }: LiveBlock): 'reorged' | 'sealed' | 'preconfirmed' {
  return removedMs !== undefined ? 'reorged' : sealedMs !== undefined ? 'sealed' : 'preconfirmed'
}
