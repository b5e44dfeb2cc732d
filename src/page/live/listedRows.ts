/** The rows of a long list that have come: of each page that was in sight, and those that paper has. */

/** Rows are asked for in pages, so that scrolling by a row asks for nothing. */
const PAGE = 50
/** So many are kept, and those in sight. */
const MOST = 3_000

export interface Span {
  readonly first: number
  readonly end: number
}

/** Returns the whole pages in which the rows of `span` are, of a list of `count`. */
export function pagesOf({ first, end }: Span, count: number, page = PAGE): Span {
  const last = Math.max(1, Math.ceil(end / page)) * page
  return { first: Math.min(Math.floor(first / page) * page, count), end: Math.min(last, count) }
}

export class ListedRows<Row> {
  readonly #rows = new Map<number, Row>()

  /** Returns a row; `undefined` if it has not come, or is no longer kept. */
  at(index: number): Row | undefined {
    return this.#rows.get(index)
  }

  /** Takes in rows, of which the first has the index `first`. */
  take(first: number, rows: readonly Row[]): void {
    rows.forEach((row, i) => {
      this.#rows.delete(first + i)
      this.#rows.set(first + i, row)
    })
    for (const [index] of this.#rows) {
      if (this.#rows.size <= MOST) break
      this.#rows.delete(index)
    }
  }

  /** Forgets all rows but those of `span`: what is shown stays until there is better. */
  keep({ first, end }: Span): void {
    for (const [index] of this.#rows) if (index < first || index >= end) this.#rows.delete(index)
  }

  /** Returns the first of the rows before `end` that has not come. */
  missing(end: number): number | undefined {
    for (let index = 0; index < end; index++) if (!this.#rows.has(index)) return index
    return undefined
  }
}
