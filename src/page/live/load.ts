import { type Signal, signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type Moment, PAST } from '../moment.ts'
import { source } from '../source/source.ts'
import { onEvents, type PresealEvent } from './events.ts'

export type Load<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'here'; readonly value: T }
  | { readonly state: 'failed'; readonly error: Error }

/** Calls `ask` when `keys` change. Keeps the previous value until the next one has loaded. Ignores outdated results. */
export function useLoad<T>(ask: () => Promise<T>, keys: readonly unknown[]): Signal<Load<T>> {
  return useLiveLoad(ask, keys, 0)
}

export function loaded<T>(load: Load<T>): T | undefined {
  return load.state === 'here' ? load.value : undefined
}

/** Minimum pause after a request, as a multiple of its duration. */
const REST = 3

/** Like `useLoad`, but also calls `ask` when `changes` changes. Sends one request at a time, and pauses after each. */
export function useLiveLoad<T>(
  ask: () => Promise<T>,
  keys: readonly unknown[],
  changes: number,
): Signal<Load<T>> {
  const asked = useSignal<Load<T>>({ state: 'loading' })
  const run = useRef<() => Promise<void>>(undefined)
  useEffect(() => {
    let isOld = false
    let isBusy = false
    let isWanted = false
    run.current = async () => {
      isWanted = true
      if (isBusy) return
      isBusy = true
      while (isWanted && !isOld) {
        isWanted = false
        const began = performance.now()
        const next = await ask().then(
          (value): Load<T> => ({ state: 'here', value }),
          (error: Error): Load<T> => ({ state: 'failed', error }),
        )
        if (isOld) return
        asked.value = next
        await new Promise((done) => setTimeout(done, (performance.now() - began) * REST))
      }
      isBusy = false
    }
    return () => {
      isOld = true
    }
  }, keys)
  useEffect(() => void run.current!(), [changes, ...keys])
  return asked
}

/** Like `useLiveLoad`, but calls `ask` with the previous result, if there is one for the same `keys`. */
export function useRenewed<T>(
  ask: (before: T | undefined) => Promise<T>,
  keys: readonly unknown[],
  changes: number,
): Signal<Load<T>> {
  const last = useMemo<{ value?: T }>(() => ({}), keys)
  return useLiveLoad(async () => (last.value = await ask(last.value)), [last], changes)
}

/** Minimum time between two updates of the views. */
const SHORTEST_GAP_MS = 250

/** Counters of changes: of the pending state, of the newest sealed state, and of earlier states. */
const COUNTERS = [signal(0), signal(0), signal(0)] as const

/** The number of `COUNTERS`, from the first on, that an event of each kind increments. */
const REACHES: Partial<Record<PresealEvent['kind'], number>> = {
  accepted: 1,
  dropped: 1,
  preconfirmed: 1,
  revealed: 1,
  sealed: 2,
  cheatsChanged: 2,
  reorged: 3,
  restored: 3,
}

let isCounting = false
/** The number of `COUNTERS`, from the first on, that the next update increments. */
let reach = 0

/**
 * Returns a number that changes when the state at `moment` may have changed: for `pending` with each event in
 * `REACHES`, for other tags with each block or cheat, for block numbers after a reorg. Then the caller renders again.
 */
export function changesAt({ text, number }: Moment): number {
  follow()
  const [pending, sealed, past] = COUNTERS
  if (number !== undefined) return past.value
  return text === 'pending' ? pending.value : sealed.value
}

function follow(): void {
  if (isCounting) return
  isCounting = true
  let hasOpened = false
  onEvents((events) => {
    for (const { kind } of events) note(kind)
  })
  source().state.subscribe((state) => {
    if (state !== 'open') return
    // Events may have been missed while the connection was lost.
    if (hasOpened) note('restored')
    hasOpened = true
  })
}

function note(kind: PresealEvent['kind']): void {
  const next = REACHES[kind] ?? 0
  if (reach === 0 && next > 0) setTimeout(tell, SHORTEST_GAP_MS)
  reach = Math.max(reach, next)
}

function tell(): void {
  for (const counter of COUNTERS.slice(0, reach)) counter.value++
  reach = 0
}

/** Rows per request: enough that scrolling by one row rarely sends a request. */
const ROWS = 50
const MOST_ROWS = 3_000

export interface Span {
  readonly first: number
  readonly end: number
}

/** Extends a span of rows to whole pages. The list has `count` rows. */
export function pagesOf({ first, end }: Span, count: number, page = ROWS): Span {
  const last = Math.max(1, Math.ceil(end / page)) * page
  return { first: Math.min(Math.floor(first / page) * page, count), end: Math.min(last, count) }
}

export class ListedRows<Row> {
  readonly #rows = new Map<number, Row>()

  at(index: number): Row | undefined {
    return this.#rows.get(index)
  }

  take(first: number, rows: readonly Row[]): void {
    rows.forEach((row, i) => {
      this.#rows.delete(first + i)
      this.#rows.set(first + i, row)
    })
    for (const [index] of this.#rows) {
      if (this.#rows.size <= MOST_ROWS) break
      this.#rows.delete(index)
    }
  }

  keep({ first, end }: Span): void {
    for (const [index] of this.#rows) if (index < first || index >= end) this.#rows.delete(index)
  }

  missing(end: number): number | undefined {
    for (let index = 0; index < end; index++) if (!this.#rows.has(index)) return index
    return undefined
  }
}

/** Maximum number of rows that the devnet returns at once. */
const MOST_ASKED = 1_000

/** The rows from `offset` on, newest first, and the number of all rows. */
interface Part<Row> {
  readonly total: number
  readonly rows: readonly Row[]
}

/** Loads the visible part of a list with `ask`: when `keys` change, and when the chain changes at `moment`. */
export function useNewestFirst<Found extends Part<unknown>>(
  ask: (offset: number, limit: number) => Promise<Found>,
  keys: readonly unknown[],
  moment: Moment,
) {
  const seen = useSignal<Span>({ first: 0, end: ROWS })
  // Rows are stored by their position, counted from the oldest row: new rows do not change such positions.
  const rows = useMemo(() => new ListedRows<Found['rows'][number]>(), [...keys, changesAt(PAST)])
  const { first: offset, end } = pagesOf(seen.value, Number.MAX_SAFE_INTEGER)
  const asked = useLiveLoad(
    async () => {
      const found = await ask(offset, Math.min(end - offset, MOST_ASKED))
      rows.take(found.total - offset - found.rows.length, found.rows.toReversed())
      return found
    },
    [rows, offset, end],
    changesAt(moment),
  )
  const total = loaded(asked.value)?.total ?? 0
  return {
    asked: asked.value,
    total,
    seen: seen.value,
    at: (index: number) => rows.at(total - 1 - index),
    keyOf: (index: number) => total - 1 - index,
    onShown(first: number, end: number) {
      seen.value = { first, end }
    },
  }
}
