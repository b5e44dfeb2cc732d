/** Lists of any length, newest first, of which only the visible part is requested. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { type Moment, PAST } from '../moment.ts'
import { changesAt, loaded, useLiveLoad } from './load.ts'

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
export interface Part<Row> {
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
