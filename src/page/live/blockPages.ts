/** The blocks of a long chain, of which only the pages that are seen are asked and kept. */
import type { Hex } from '../../bytes/hex.ts'
import { numberOf } from '../format/quantity.ts'
import type { Source } from '../source/source.ts'

const PAGE = 100
/** Pages that are kept: the ones asked last. */
const MOST_PAGES = 30

export class BlockPages {
  readonly #source: Pick<Source, 'request'>
  /** Told when pages have come, or why they have not. */
  readonly #tell: (error?: Error) => void
  /** By page: blocks 0 to 99, 100 to 199, … */
  readonly #pages = new Map<number, Map<number, ListedBlock>>()
  /** Those that were sealed lately: an answer that is on its way may lack them. */
  readonly #newest = new Map<number, ListedBlock>()
  readonly #asked = new Set<number>()
  /** Another one when all that was asked before is of no use any more. */
  #era = 0
  latest: number | undefined
  first = 0

  constructor(source: Pick<Source, 'request'>, tell: (error?: Error) => void) {
    this.#source = source
    this.#tell = tell
  }

  /** Returns a block; `undefined` if it is not here, or is no longer kept. */
  at(number: number): ListedBlock | undefined {
    return this.#pages.get(pageOf(number))?.get(number) ?? this.#newest.get(number)
  }

  /** Whether all is here that the devnet has of the page of a block. */
  isHere(number: number): boolean {
    return this.#pages.has(pageOf(number))
  }

  /** Asks for the pages of the blocks from `low` to `high` that are not here. */
  async ask(low: number, high: number): Promise<void> {
    const wanted: number[] = []
    for (let page = pageOf(Math.max(0, low)); page <= pageOf(high); page++) {
      if (!this.#pages.has(page) && !this.#asked.has(page)) wanted.push(page)
    }
    await Promise.all(wanted.map((page) => this.#askPage(page)))
  }

  /** Takes in a block that was sealed. */
  add(block: ListedBlock): void {
    this.latest = Math.max(block.number, this.latest ?? 0)
    this.#pages.get(pageOf(block.number))?.set(block.number, block)
    this.#newest.set(block.number, block)
    if (this.#newest.size <= 2 * PAGE) return
    for (const [number] of this.#newest) {
      if (this.#newest.size <= PAGE) break
      this.#newest.delete(number)
    }
  }

  /** Forgets all, as blocks were replaced, and asks again. */
  async renew(): Promise<void> {
    this.#era++
    this.#pages.clear()
    this.#newest.clear()
    this.#asked.clear()
    await this.#askNewest()
  }

  async #askNewest(): Promise<void> {
    const era = this.#era
    try {
      const { latest } = await this.#list(1)
      if (era !== this.#era) return
      this.latest = latest
      await this.#askPage(pageOf(latest))
    } catch (error) {
      this.#tell(error as Error)
    }
  }

  async #askPage(page: number): Promise<void> {
    const era = this.#era
    this.#asked.add(page)
    try {
      const { blocks, latest } = await this.#list(PAGE, (page + 1) * PAGE)
      if (era !== this.#era) return
      const own = new Map(
        blocks.filter(({ number }) => pageOf(number) === page).map((one) => [one.number, one]),
      )
      this.latest = Math.max(latest, this.latest ?? 0)
      this.#pages.delete(page)
      this.#pages.set(page, own)
      for (const [old] of this.#pages) {
        if (this.#pages.size <= MOST_PAGES) break
        this.#pages.delete(old)
      }
      this.#tell()
    } catch (error) {
      this.#tell(error as Error)
    } finally {
      if (era === this.#era) this.#asked.delete(page)
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

/** The rows of a list of blocks: those of the chain from the newest down, and below each number what was removed of it. */
type BlockRow<Removed> =
  | { readonly kind: 'block'; readonly number: number }
  | { readonly kind: 'removed'; readonly block: Removed }

export class BlockRows<Removed extends { readonly number: number }> {
  readonly #latest: number
  readonly #removed: readonly Removed[]
  readonly count: number

  /** `latest` and `first` are numbers of the chain's blocks; `removed` come in any order. */
  constructor(latest: number, first: number, removed: readonly Removed[]) {
    this.#latest = latest
    // The last that was removed of a number is the first of them.
    this.#removed = removed.toReversed().sort((a, b) => b.number - a.number)
    this.count = latest - first + 1 + removed.length
  }

  at(index: number): BlockRow<Removed> {
    // The removed ones are in the order of their rows.
    let low = 0
    let high = this.#removed.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#rowOf(middle) < index) low = middle + 1
      else high = middle
    }
    return low < this.#removed.length && this.#rowOf(low) === index
      ? { kind: 'removed', block: this.#removed[low]! }
      : { kind: 'block', number: this.#latest - (index - low) }
  }

  /** Returns the row of a removed block: behind the blocks of the chain with its number and above. */
  #rowOf(removed: number): number {
    return Math.max(0, this.#latest - this.#removed[removed]!.number + 1) + removed
  }
}

/** Sealed blocks in few words, as `preseal_listBlocks` has them. */
export interface ListedBlock {
  readonly number: number
  readonly hash: string
  /** Seconds, as the header has it. */
  readonly timestamp: number
  /** `undefined` of the block on which a fork began, where its network does not tell. */
  readonly transactions: number | undefined
  /** `undefined` where slices are no longer kept, or there were none. */
  readonly slices: number | undefined
  readonly gasUsed: number
  readonly gasLimit: number
  readonly baseFeePerGas: bigint | undefined
}

interface ListAnswer {
  readonly latest: Hex
  readonly first: Hex
  readonly blocks: readonly {
    readonly number: Hex
    readonly hash: Hex
    readonly timestamp: Hex
    readonly transactionCount: Hex | null
    readonly slices: Hex | null
    readonly gasUsed: Hex
    readonly gasLimit: Hex
    readonly baseFeePerGas: Hex | null
  }[]
}

interface BlockList {
  /** Numbers of the newest block and of the first. */
  readonly latest: number
  readonly first: number
  /** The newest first. */
  readonly blocks: readonly ListedBlock[]
}

/** Resolves with at most `limit` sealed blocks: the newest, or those before the block `after`. */
export async function listBlocks(
  from: Pick<Source, 'request'>,
  limit: number,
  after?: number,
): Promise<BlockList> {
  const page = { limit, ...(after !== undefined && { after: `0x${after.toString(16)}` }) }
  const { latest, first, blocks } = await from.request<ListAnswer>('preseal_listBlocks', [page])
  return {
    latest: numberOf(latest),
    first: numberOf(first),
    blocks: blocks.map((block) => ({
      number: numberOf(block.number),
      hash: block.hash,
      timestamp: numberOf(block.timestamp),
      transactions: block.transactionCount === null ? undefined : numberOf(block.transactionCount),
      slices: block.slices === null ? undefined : numberOf(block.slices),
      gasUsed: numberOf(block.gasUsed),
      gasLimit: numberOf(block.gasLimit),
      baseFeePerGas: block.baseFeePerGas === null ? undefined : BigInt(block.baseFeePerGas),
    })),
  }
}
