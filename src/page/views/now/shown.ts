/** What the view shows beside the line, as it was when it was read. */
import { type ConsoleLine, clock, consoleLines, rates, rhythm, transactions } from '../../live/chain.ts'
import type { Counts } from '../../live/rates.ts'
import type { LiveBlock, Mark, Rhythm } from '../../live/rhythm.ts'
import type { LiveState, LiveTransaction } from '../../live/transactions.ts'

/** Rows of each list. */
const ROWS = 10

export interface Shown extends Readonly<Record<Exclude<LiveState, 'waiting'>, readonly LiveTransaction[]>> {
  /** Which change it is of. */
  readonly change: number
  /** `undefined` before anything was told. */
  readonly nowMs: number | undefined
  readonly open: LiveBlock | undefined
  readonly rates: Counts
  /** The oldest first, all that are known. */
  readonly waiting: readonly LiveTransaction[]
  /** The newest first, as are all below. */
  readonly blocks: readonly LiveBlock[]
  readonly lines: readonly ConsoleLine[]
  readonly marks: readonly Mark[]
}

export function readShown(change: number): Shown {
  const pageMs = performance.now()
  const newest = (state: LiveState) => transactions.newest(state, ROWS).map((each) => ({ ...each }))
  return {
    change,
    nowMs: clock.nowMs(pageMs),
    open: rhythm.open && { ...rhythm.open, slices: [...rhythm.open.slices] },
    rates: rates.at(pageMs),
    waiting: transactions.waiting(),
    preconfirmed: newest('preconfirmed'),
    sealed: newest('sealed'),
    dropped: newest('dropped'),
    reorged: newest('reorged'),
    blocks: newestBlocks(rhythm),
    lines: consoleLines().slice(-100).reverse(),
    marks: rhythm.marks.slice(-ROWS).reverse(),
  }
}

function newestBlocks({ blocks, earlier }: Rhythm): LiveBlock[] {
  const newest = blocks.slice(-ROWS)
  return [...(newest.length < ROWS ? earlier.slice(newest.length - ROWS) : []), ...newest].reverse()
}
