/**
 * Feeds of subscriptions. The JSON of an event is created once, on first use, for all subscribers. The feeds listen to
 * the sequencer only while there is a subscription.
 */
import { asRemoved } from '../chain/logs.ts'
import { type Block, logsOf, type PlacedLog } from '../model/block/block.ts'
import type { Listeners } from '../model/collections/listeners.ts'
import type { Log } from '../model/receipt/log.ts'
import { type LogFilter, matches } from '../model/receipt/log.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { Events } from '../sequencer/events.ts'
import {
  encodeBlock,
  encodeIncludedTransaction,
  encodeLog,
  encodePooledTransaction,
  encodeReceipt,
} from '../wire/encode.ts'
import { encodeHeader } from '../wire/header.ts'
import { withRoots } from './shownBlocks.ts'

/** Calls `tell` with the JSON of each result. Returns a function that stops the feed. */
export type Feed = (tell: (result: string) => void) => () => void

export class Feeds {
  readonly sealed: Source<BlockNews>
  /** Pre-confirmed transactions: a slice, without the earlier slices of its block. */
  readonly preconfirmed: Source<BlockNews>
  readonly removed: Source<BlockNews>
  readonly accepted: Source<TransactionNews>
  #lastId = 0n

  constructor(listeners: Listeners<Events>) {
    this.sealed = new Source((tell) => listeners.on('sealed', ({ block }) => tell(new BlockNews(block))))
    this.preconfirmed = new Source((tell) =>
      listeners.on('preconfirmed', ({ block }, added) =>
        tell(new BlockNews(block, block.transactions.length - added.length)),
      ),
    )
    this.removed = new Source((tell) =>
      listeners.on('reorged', (moments) => {
        for (const { block } of moments) tell(new BlockNews(block, 0, true))
      }),
    )
    this.accepted = new Source((tell) =>
      listeners.on('accepted', (transaction) => tell(new TransactionNews(transaction))),
    )
  }

  /** Returns an id that no subscription of this devnet has had on any connection. */
  newId(): bigint {
    return ++this.#lastId
  }
}

export function newHeads(feeds: Feeds): Feed {
  return (tell) => feeds.sealed.add(({ head }) => tell(head))
}

export function logs(feeds: Feeds, filter: LogFilter): Feed {
  return (tell) => {
    const ends = [feeds.sealed, feeds.removed].map((source) =>
      source.add((block) => tellLogs(block, filter, tell)),
    )
    return () => {
      for (const end of ends) end()
    }
  }
}

export function pendingLogs(feeds: Feeds, filter: LogFilter): Feed {
  return (tell) => feeds.preconfirmed.add((slice) => tellLogs(slice, filter, tell))
}

/** Emits the block under construction after each slice, with all its transactions. */
export function newFlashblocks(feeds: Feeds): Feed {
  return (tell) => feeds.preconfirmed.add(({ full }) => tell(full))
}

/** Emits the transactions of each slice: hashes, or transactions with receipts, all or those with matching logs. */
export function newFlashblockTransactions(feeds: Feeds, wanted: boolean | LogFilter): Feed {
  return (tell) =>
    feeds.preconfirmed.add(({ transactions }) => {
      for (const one of transactions) {
        if (wanted === false) tell(one.hash)
        else if (wanted === true || one.hasLog((log) => matches(log, wanted.criteria))) tell(one.withReceipt)
      }
    })
}

export function newPendingTransactions(feeds: Feeds, full: boolean): Feed {
  return (tell) => feeds.accepted.add((news) => tell(full ? news.full : news.hash))
}

function tellLogs(news: BlockNews, { criteria }: LogFilter, tell: (result: string) => void): void {
  for (const one of news.logs) if (matches(one.log, criteria)) tell(one.json)
}

export class Source<T> {
  readonly #listen: (tell: (news: T) => void) => () => void
  readonly #receivers = new Set<{ readonly receive: (news: T) => void }>()
  #end: () => void = () => {}

  constructor(listen: (tell: (news: T) => void) => () => void) {
    this.#listen = listen
  }

  /** Calls `receive` at each event. Returns a function that removes `receive`. */
  add(receive: (news: T) => void): () => void {
    const receiver = { receive }
    if (this.#receivers.size === 0) this.#end = this.#listen((news) => this.#tell(news))
    this.#receivers.add(receiver)
    return () => {
      if (this.#receivers.delete(receiver) && this.#receivers.size === 0) this.#end()
    }
  }

  #tell(news: T): void {
    // The copy excludes receivers added during the event; receivers removed during the event are skipped.
    for (const receiver of [...this.#receivers]) {
      if (this.#receivers.has(receiver)) receiver.receive(news)
    }
  }
}

/** A block, or the part of a block that begins with the transaction at index `first`. */
export class BlockNews {
  readonly #block: Block
  readonly #first: number
  readonly #isRemoved: boolean
  #head: string | undefined
  #logs: readonly LogNews[] | undefined
  #full: string | undefined
  #transactions: readonly IncludedNews[] | undefined

  constructor(block: Block, first = 0, isRemoved = false) {
    this.#block = block
    this.#first = first
    this.#isRemoved = isRemoved
  }

  /** The header as in geth's `newHeads`. */
  get head(): string {
    this.#head ??= JSON.stringify({ hash: this.#block.hash, ...encodeHeader(this.#block.header) })
    return this.#head
  }

  /** The block with all its transactions. If unsealed, the roots are those of the present content. */
  get full(): string {
    this.#full ??= JSON.stringify(encodeBlock(withRoots(this.#block), 'full'))
    return this.#full
  }

  get transactions(): readonly IncludedNews[] {
    const { transactions } = this.#block
    this.#transactions ??= transactions
      .slice(this.#first)
      .map((_, i) => new IncludedNews(this.#block, this.#first + i))
    return this.#transactions
  }

  get logs(): readonly LogNews[] {
    this.#logs ??= [...logsOf(this.#block, this.#first)].map(
      (placed) => new LogNews(this.#isRemoved ? asRemoved(placed) : placed),
    )
    return this.#logs
  }
}

export class LogNews {
  readonly #placed: PlacedLog
  #json: string | undefined

  constructor(placed: PlacedLog) {
    this.#placed = placed
  }

  get log(): Log {
    return this.#placed.log
  }

  get json(): string {
    this.#json ??= JSON.stringify(encodeLog(this.#placed))
    return this.#json
  }
}

export class IncludedNews {
  readonly #block: Block
  readonly #index: number
  #withReceipt: string | undefined

  constructor(block: Block, index: number) {
    this.#block = block
    this.#index = index
  }

  get hash(): string {
    return `"${this.#block.transactions[this.#index]!.hash}"`
  }

  hasLog(matches: (log: Log) => boolean): boolean {
    return this.#block.receipts[this.#index]!.logs.some(matches)
  }

  /** The fields of the transaction and of its receipt in one object, as on Base's nodes. */
  get withReceipt(): string {
    this.#withReceipt ??= JSON.stringify({
      ...encodeIncludedTransaction(this.#block, this.#index),
      ...outcomeIn(encodeReceipt(this.#block, this.#index)),
    })
    return this.#withReceipt
  }
}

function outcomeIn(receipt: ReturnType<typeof encodeReceipt>): object {
  const { gasUsed, status, cumulativeGasUsed, contractAddress, logsBloom, logs } = receipt
  return { gasUsed, status, cumulativeGasUsed, contractAddress, logsBloom, logs }
}

export class TransactionNews {
  readonly #transaction: Transaction
  #full: string | undefined

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  get hash(): string {
    return `"${this.#transaction.hash}"`
  }

  get full(): string {
    this.#full ??= JSON.stringify(encodePooledTransaction(this.#transaction))
    return this.#full
  }
}
