import { type ReadonlySignal, type Signal, signal, useSignalEffect } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { type ConsoleLine, change, clock, lines, rates, rhythm, transactions } from '../../live/chain.ts'
import type { LiveBlock, Mark, Rhythm } from '../../live/rhythm.ts'
import type { Counts, LiveState, LiveTransaction } from '../../live/transactions.ts'

const ROWS = 10

export interface PanelData
  extends Readonly<Record<Exclude<LiveState, 'waiting'>, readonly LiveTransaction[]>> {
  readonly nowMs: number | undefined
  readonly open: LiveBlock | undefined
  readonly rates: Counts
  readonly waiting: readonly LiveTransaction[]
  /** Newest first, as are `lines` and `marks`. */
  readonly blocks: readonly LiveBlock[]
  readonly lines: readonly ConsoleLine[]
  readonly marks: readonly Mark[]
}

export interface ShownData {
  shown: ReadonlySignal<PanelData>
}

function readPanelData(): PanelData {
  const pageMs = performance.now()
  const newest = (state: LiveState) => transactions.newest(state, ROWS).map((each) => ({ ...each }))
  return {
    nowMs: clock.nowMs(pageMs),
    open: rhythm.open && { ...rhythm.open, slices: [...rhythm.open.slices] },
    rates: rates.at(pageMs),
    waiting: transactions.waiting(),
    preconfirmed: newest('preconfirmed'),
    sealed: newest('sealed'),
    dropped: newest('dropped'),
    reorged: newest('reorged'),
    blocks: newestBlocks(rhythm),
    lines: lines.slice(-100).reverse(),
    marks: rhythm.marks.slice(-ROWS).reverse(),
  }
}

function newestBlocks({ blocks, earlier }: Rhythm): LiveBlock[] {
  const newest = blocks.slice(-ROWS)
  return [...(newest.length < ROWS ? earlier.slice(newest.length - ROWS) : []), ...newest].reverse()
}

/** Returns the data of the header and columns as four signals. Each task updates one signal, so that none is long. */
export function usePanelData(isPaused: Signal<boolean>) {
  const parts = useMemo(() => {
    const first = readPanelData()
    return [signal(first), signal(first), signal(first), signal(first)] as const
  }, [])
  useSignalEffect(() => {
    change.value
    if (isPaused.value) return
    const data = readPanelData()
    let timer: ReturnType<typeof setTimeout>
    const take = (index: number) => {
      parts[index]!.value = data
      if (index + 1 < parts.length) timer = setTimeout(take, 0, index + 1)
    }
    take(0)
    // If the data changes again, the signals that were not updated yet get only the newer data.
    return () => clearTimeout(timer)
  })
  return parts
}
