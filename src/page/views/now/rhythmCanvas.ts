import { LONGEST_GAP } from '../../live/blockList.ts'
import { isBusy, type LiveBlock, type Rhythm } from '../../live/rhythm.ts'
import type { LiveState, LiveTransaction } from '../../live/transactions.ts'

/** A time without transactions, of which only `shownMs` are shown. */
export interface Gap {
  readonly fromMs: number
  readonly toMs: number
  readonly shownMs: number
  readonly blocks: number
}

export interface Scale {
  readonly widthPx: number
  readonly endMs: number
  /** The time that the timeline shows, in milliseconds. Each gap counts as `shownMs`. */
  readonly windowMs: number
  readonly nowMs: number
  /** Newest first. */
  readonly gaps: readonly Gap[]
}

/** Returns the times without transactions, newest first, that a timeline of `windowMs` does not show in full. */
export function gapsIn(rhythm: Rhythm, nowMs: number, windowMs: number): readonly Gap[] {
  const shownMs = LONGEST_GAP * windowMs
  const gaps: Gap[] = []
  let next: Pick<LiveBlock, 'openedMs' | 'number'> | undefined
  let leftMs = windowMs
  for (const block of newestFirst(rhythm)) {
    next ??= { openedMs: nowMs, number: block.number + (block.sealedMs === undefined ? 0 : 1) }
    if (!isBusy(block)) continue
    const { openedMs, sealedMs = nowMs, number } = block
    const lengthMs = Math.max(0, next.openedMs - sealedMs)
    if (lengthMs > shownMs) {
      const blocks = Math.max(0, next.number - number - 1)
      gaps.push({ fromMs: sealedMs, toMs: next.openedMs, shownMs, blocks })
    }
    leftMs -= Math.min(lengthMs, shownMs) + sealedMs - openedMs
    if (leftMs < 0) break
    next = block
  }
  return gaps
}

export type Colours = Readonly<
  Record<Look | `${LiveState}-ground` | `${LiveState}-fill` | 'text' | 'quiet' | 'line', string>
>

type Colour = keyof Colours

export interface Picture {
  readonly context: CanvasRenderingContext2D
  readonly scale: Scale
  readonly colours: Colours
}

type Point = readonly [x: number, y: number]

export const HEIGHT_PX = 300
export const MARKS_PX = 22
/** Block labels are above the blocks, so that no slice covers them. */
export const LABELS = { top: 28, bottom: 62 }
export const BLOCKS = { top: 64, bottom: 154 }
export const TICKS = { top: 156, bottom: 161 }
export const CAPTION_PX = 178
export const TRANSACTIONS = { top: 198, bottom: 270 }
export const AXIS_PX = 289
export const EDGE_PX = 10

function* newestFirst({ open, blocks, earlier }: Rhythm): Generator<LiveBlock> {
  if (open !== undefined) yield open
  for (const sealed of [blocks, earlier]) for (let i = sealed.length - 1; i >= 0; i--) yield sealed[i]!
}

/** Returns the blocks that the timeline shows, newest first. */
export function blocksShown(rhythm: Rhythm, scale: Scale): LiveBlock[] {
  const shown: LiveBlock[] = []
  const startMs = timeAt(0, scale)
  for (const block of newestFirst(rhythm)) {
    const { openedMs, sealedMs = scale.nowMs } = block
    if (sealedMs < startMs) break
    if (!scale.gaps.some(({ fromMs, toMs }) => fromMs <= openedMs && sealedMs <= toMs)) shown.push(block)
  }
  return shown
}

export function xOf(ms: number, { widthPx, endMs, windowMs, gaps }: Scale): number {
  let ageMs = endMs - ms
  for (const { fromMs, toMs, shownMs } of gaps) {
    if (ms >= toMs) break
    const lengthMs = toMs - fromMs
    ageMs -= (lengthMs - shownMs) * Math.min(1, (toMs - ms) / lengthMs)
  }
  return widthPx - (ageMs / windowMs) * widthPx
}

/** Returns the time at a horizontal position: the inverse of `xOf`. */
export function timeAt(x: number, { widthPx, endMs, windowMs, gaps }: Scale): number {
  let ms = endMs - ((widthPx - x) / widthPx) * windowMs
  for (const { fromMs, toMs, shownMs } of gaps) {
    if (ms >= toMs) break
    const lengthMs = toMs - fromMs
    ms = toMs - ms < shownMs ? toMs - ((toMs - ms) / shownMs) * lengthMs : ms - lengthMs + shownMs
  }
  return ms
}

export function blockAt(x: number, scale: Scale, rhythm: Rhythm): LiveBlock | undefined {
  const ms = timeAt(x, scale)
  return blocksShown(rhythm, scale).find(
    ({ openedMs, sealedMs = Number.POSITIVE_INFINITY }) => openedMs <= ms && ms <= sealedMs,
  )
}

export function drawLine({ context, colours }: Picture, colour: Colour, from: Point, to: Point): void {
  context.strokeStyle = colours[colour]
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(...from)
  context.lineTo(...to)
  context.stroke()
}

export function drawText({ context, colours }: Picture, colour: Colour, text: string, at: Point): void {
  context.fillStyle = colours[colour]
  context.fillText(text, ...at)
}

/** Draws text centred at `x`. Near the right edge, shifts it left so that it fits. */
export function drawCentred(picture: Picture, colour: Colour, text: string, [x, y]: Point): void {
  const width = picture.context.measureText(text).width
  drawText(picture, colour, text, [Math.min(x - width / 2, picture.scale.widthPx - width - 4), y])
}

/** Returns the share of the gas limit at full height: the smallest of `SHARES` that no block exceeds. */
export function fullHeight(blocks: readonly Pick<LiveBlock, 'gasUsed' | 'gasLimit'>[]): number {
  const fullest = Math.max(0, ...blocks.map(({ gasUsed, gasLimit }) => gasUsed / Math.max(1, gasLimit)))
  return SHARES.find((share) => share >= fullest) ?? 1
}

const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

/** Share of columns that are drawn in full. Higher columns are cut off and labelled with their count. */
const HIGHEST_SHARE = 0.95

/** Returns the count at full height: the highest count of the columns drawn in full, but at least `least`. */
export function highestShown(counts: readonly number[], least: number): number {
  const ordered = counts.toSorted((a, b) => a - b)
  return Math.max(least, ordered[Math.floor(HIGHEST_SHARE * (ordered.length - 1))] ?? 0)
}

export type Look = LiveState | 'failed'

export function lookOf({ state, hasFailed }: Pick<LiveTransaction, 'state' | 'hasFailed'>): Look {
  return hasFailed && (state === 'preconfirmed' || state === 'sealed') ? 'failed' : state
}

interface Shape {
  /** An SVG path within coordinates from -1 to 1. */
  readonly path: string
  readonly isFilled: boolean
}

export const SHAPES: Readonly<Record<Look, Shape>> = {
  waiting: { path: 'M0.8,0A0.8,0.8 0 1 1 -0.8,0A0.8,0.8 0 1 1 0.8,0Z', isFilled: false },
  preconfirmed: { path: 'M0,-1L1,0L0,1L-1,0Z', isFilled: true },
  sealed: { path: 'M-0.8,-0.8H0.8V0.8H-0.8Z', isFilled: true },
  failed: { path: 'M0,-0.9L1,0.8L-1,0.8Z', isFilled: false },
  dropped: { path: 'M-0.8,-0.8L0.8,0.8M0.8,-0.8L-0.8,0.8', isFilled: false },
  reorged: { path: 'M-0.8,-0.8H0.8V0.8H-0.8ZM-1,1L1,-1', isFilled: false },
}

export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element)
  const ofLooks = Object.keys(SHAPES).flatMap((look) => [look, `${look}-ground`, `${look}-fill`])
  const names = [...ofLooks, 'text', 'quiet', 'line']
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`)])) as Colours
}

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
