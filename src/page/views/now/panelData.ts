/** The data of the panels, as a snapshot. */
import { type ReadonlySignal, type Signal, signal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import {
  type ConsoleLine,
  change,
  clock,
  consoleLines,
  rates,
  rhythm,
  transactions,
} from '../../live/chain.ts'
import type { LiveBlock, Mark, Rhythm } from '../../live/rhythm.ts'
import type { Counts, LiveState, LiveTransaction } from '../../live/transactions.ts'

const ROWS = 10

export interface PanelData
  extends Readonly<Record<Exclude<LiveState, 'waiting'>, readonly LiveTransaction[]>> {
  /** The number of the change. */
  readonly change: number
  /** `undefined` before the first event. */
  readonly nowMs: number | undefined
  readonly open: LiveBlock | undefined
  readonly rates: Counts
  /** All known waiting transactions, the oldest first. */
  readonly waiting: readonly LiveTransaction[]
  /** The newest first, as in the lists below. */
  readonly blocks: readonly LiveBlock[]
  readonly lines: readonly ConsoleLine[]
  readonly marks: readonly Mark[]
}

function readPanelData(change: number): PanelData {
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

type Parts<T> = readonly [head: T, left: T, middle: T, right: T]

/**
 * Returns the data of each part of the view. A change updates one part after the other, each in its own task, to keep tasks short; nothing
 * changes while `isPaused`.
 */
export function usePanelData(isPaused: Signal<boolean>): Parts<ReadonlySignal<PanelData>> {
  const parts = useMemo(() => {
    const first = readPanelData(change.peek())
    const part = () => signal(first)
    return [part(), part(), part(), part()] as const
  }, [])
  const turns = useMemo(() => new Turns(parts), [])
  useSignalEffect(() => {
    const number = change.value
    if (!isPaused.value) turns.begin(readPanelData(number))
  })
  useEffect(() => () => turns.end(), [])
  return parts
}

/** Hands a value to signals, one per task. */
class Turns<T> {
  readonly #parts: readonly Signal<T>[]
  #next = 0
  #value: T | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: readonly Signal<T>[]) {
    this.#parts = parts
  }

  /** Starts again with `value`; parts that did not receive the previous value skip it. */
  begin(value: T): void {
    this.#value = value
    this.#next = 0
    this.end()
    this.#take()
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #take(): void {
    this.#parts[this.#next++]!.value = this.#value!
    if (this.#next < this.#parts.length) this.#timer = setTimeout(() => this.#take())
  }
}
