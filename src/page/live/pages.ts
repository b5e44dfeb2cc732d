import type { Requester } from '../source/source.ts'
import { type BlockList, type ListedBlock, listBlocks } from './blockList.ts'

const PAGE = 100
const MOST_PAGES = 30

/** Part of the list of blocks: numbers 0 to 99, 100 to 199, and so on. */
interface Page {
  readonly blocks: Map<number, ListedBlock>
  /** `added`: the page has only blocks sealed since the view opened. `asked`: it is loading. `here`: it is loaded. */
  state: 'added' | 'asked' | 'here'
}

export class BlockPages {
  readonly #source: Requester
  readonly #tell: (error?: Error) => void
  /** Pages, keyed by index, last used at the end. `renew` replaces the map, so that late responses are ignored. */
  #pages = new Map<number, Page>()
  latest: number | undefined
  first = 0

  constructor(source: Requester, tell: (error?: Error) => void) {
    this.#source = source
    this.#tell = tell
  }

  at(number: number): ListedBlock | undefined {
    return this.#pages.get(pageOf(number))?.blocks.get(number)
  }

  isHere(number: number): boolean {
    return this.#pages.get(pageOf(number))?.state === 'here'
  }

  async ask(low: number, high: number): Promise<void> {
    const asked: Promise<void>[] = []
    for (let index = pageOf(Math.max(0, low)); index <= pageOf(high); index++) {
      const page = this.#used(index)
      if (page.state === 'added') asked.push(this.#load(index, page))
    }
    await Promise.all(asked)
  }

  add(block: ListedBlock): void {
    this.latest = Math.max(block.number, this.latest ?? 0)
    this.#used(pageOf(block.number)).blocks.set(block.number, block)
  }

  /** Discards all pages, for example after a reorg, and loads the newest one. */
  async renew(): Promise<void> {
    const pages = new Map<number, Page>()
    this.#pages = pages
    try {
      const { latest } = await this.#list(1)
      if (pages !== this.#pages) return
      this.latest = latest
      await this.ask(latest, latest)
    } catch (error) {
      this.#tell(error as Error)
    }
  }

  /** Returns a page, and moves it to the end of `#pages`. */
  #used(index: number): Page {
    const page = this.#pages.get(index) ?? { blocks: new Map(), state: 'added' }
    this.#pages.delete(index)
    this.#pages.set(index, page)
    if (this.#pages.size > MOST_PAGES) this.#pages.delete(this.#pages.keys().next().value!)
    return page
  }

  async #load(index: number, page: Page): Promise<void> {
    const pages = this.#pages
    page.state = 'asked'
    try {
      const { blocks, latest } = await this.#list(PAGE, (index + 1) * PAGE)
      if (pages !== this.#pages) return
      for (const block of blocks) if (pageOf(block.number) === index) page.blocks.set(block.number, block)
      page.state = 'here'
      this.latest = Math.max(latest, this.latest ?? 0)
      this.#tell()
    } catch (error) {
      page.state = 'added'
      this.#tell(error as Error)
    }
  }

  async #list(limit: number, after?: number): Promise<BlockList> {
    const list = await listBlocks(this.#source, limit, after)
    this.first = list.first
    return list
  }
}

function pageOf(number: number): number {
  return Math.floor(number / PAGE)
}

/** The rows of the list of blocks: numbers in descending order, each followed by the removed blocks of that number. */
export class BlockRows<Removed extends { readonly number: number }> {
  readonly #latest: number
  readonly #removed: readonly { readonly row: number; readonly block: Removed }[]
  readonly count: number

  /** `latest` and `first` are the numbers of the newest and oldest block. `removed` is in the order of removal. */
  constructor(latest: number, first: number, removed: readonly Removed[]) {
    this.#latest = latest
    // Of several removed blocks with the same number, the last removed one is listed first.
    this.#removed = removed
      .toReversed()
      .sort((a, b) => b.number - a.number)
      .map((block, before) => ({ row: Math.max(0, latest - block.number + 1) + before, block }))
    this.count = latest - first + 1 + removed.length
  }

  /** Returns the block number of a row. If the row shows a removed block, returns the block too. */
  at(index: number): { readonly number: number; readonly removed?: Removed } {
    const next = this.#removed.findIndex(({ row }) => row >= index)
    const before = next === -1 ? this.#removed.length : next
    const found = this.#removed[before]
    if (found?.row === index) return { number: found.block.number, removed: found.block }
    return { number: this.#latest - (index - before) }
  }
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
