/** The canvas of the rhythm: what stands where on it, and which time is where. */
import type { LiveBlock, Rhythm } from '../../live/rhythm.ts'
import type { LiveState, LiveTransaction } from '../../live/transactions.ts'

export type Context = CanvasRenderingContext2D

export interface Scale {
  readonly widthPx: number
  /** The time at the right, and how much of it is seen. */
  readonly endMs: number
  readonly windowMs: number
  /** What time it is: what is right of it, the open block has before it. */
  readonly nowMs: number
}

export type Colours = Readonly<
  Record<Look | `${LiveState}Ground` | `${Look}Fill` | 'text' | 'quiet' | 'line', string>
>

export const HEIGHT_PX = 300
export const MARKS_PX = 22
/** The labels of blocks stand above what fills them: each can be read, however full its block is. */
export const LABELS = { top: 28, bottom: 62 }
export const BLOCKS = { top: 64, bottom: 154 }
export const TICKS = { top: 156, bottom: 161 }
export const CAPTION_PX = 178
export const TRANSACTIONS = { top: 198, bottom: 270 }
export const AXIS_PX = 289
export const EDGE_PX = 10

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

/** Draws a straight line. */
export function drawLine(
  context: Context,
  colour: string,
  [fromX, fromY]: readonly [x: number, y: number],
  [toX, toY]: readonly [x: number, y: number],
): void {
  context.strokeStyle = colour
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(fromX, fromY)
  context.lineTo(toX, toY)
  context.stroke()
}

/** Returns the share of the gas limit that has the height of a block: the least that the fullest of them fits in. */
export function fullHeight(blocks: readonly Pick<LiveBlock, 'gasUsed' | 'gasLimit'>[]): number {
  const fullest = Math.max(0, ...blocks.map(({ gasUsed, gasLimit }) => gasUsed / Math.max(1, gasLimit)))
  return SHARES.find((share) => share >= fullest) ?? 1
}

const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

/** The share of columns that are shown in full; those that are higher are cut, with their count above. */
const HIGHEST_SHARE = 0.95

/** Returns the count that has the full height: of all columns but a few, and at least `least`. */
export function highestShown(counts: readonly number[], least: number): number {
  const ordered = counts.toSorted((a, b) => a - b)
  return Math.max(least, ordered[Math.floor(HIGHEST_SHARE * (ordered.length - 1))] ?? 0)
}

/** What a transaction looks like: its state, or that it failed in its block. */
export type Look = LiveState | 'failed'

export function lookOf({ state, hasFailed }: Pick<LiveTransaction, 'state' | 'hasFailed'>): Look {
  return hasFailed && (state === 'preconfirmed' || state === 'sealed') ? 'failed' : state
}

export interface Shape {
  /** As in SVG. */
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
