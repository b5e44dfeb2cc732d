/** Feeds of subscriptions. The JSON of an event is created once for all subscribers, on first use. */
import { asRemoved } from '../chain/logs.ts'
import { type Block, logsOf, type PlacedLog } from '../model/block/block.ts'
import { type Listeners, together } from '../model/collections/listeners.ts'
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
  /** Pre-confirmed transactions: each slice without the earlier slices of its block. */
  readonly preconfirmed: Source<BlockNews>
  readonly removed: Source<BlockNews>
  readonly accepted: Source<ReturnType<typeof transactionNews>>
  #lastId = 0n

  constructor(listeners: Listeners<Events>) {
    this.sealed = new Source((tell) => listeners.on('sealed', ({ block }) => tell(blockNews(block))))
    this.preconfirmed = new Source((tell) =>
      listeners.on('preconfirmed', ({ block }, added) =>
        tell(blockNews(block, block.transactions.length - added.length)),
      ),
    )
    this.removed = new Source((tell) =>
      listeners.on('reorged', (moments) => {
        for (const { block } of moments) tell(blockNews(block, 0, true))
      }),
    )
    this.accepted = new Source((tell) =>
      listeners.on('accepted', (transaction) => tell(transactionNews(transaction))),
    )
  }

  /** Returns an id that no subscription of this devnet has had on any connection. */
  newId(): bigint {
    return ++this.#lastId
  }
}

export function newHeads(feeds: Feeds): Feed {
  return (tell) => feeds.sealed.add(({ head }) => tell(head()))
}

export function logs(feeds: Feeds, filter: LogFilter): Feed {
  return (tell) =>
    together(
      [feeds.sealed, feeds.removed].map((source) => source.add((block) => tellLogs(block, filter, tell))),
    )
}

export function pendingLogs(feeds: Feeds, filter: LogFilter): Feed {
  return (tell) => feeds.preconfirmed.add((slice) => tellLogs(slice, filter, tell))
}

/** Emits the block under construction after each slice, with the transactions of all its slices. */
export function newFlashblocks(feeds: Feeds): Feed {
  return (tell) => feeds.preconfirmed.add(({ full }) => tell(full()))
}

/** Emits each slice's transactions: their hashes (`false`), all with receipts (`true`), or those with matching logs. */
export function newFlashblockTransactions(feeds: Feeds, wanted: boolean | LogFilter): Feed {
  return (tell) =>
    feeds.preconfirmed.add(({ transactions }) => {
      for (const one of transactions()) {
        if (wanted === false) tell(one.hash)
        else if (wanted === true || one.logs.some((log) => matches(log, wanted.criteria)))
          tell(one.withReceipt())
      }
    })
}

export function newPendingTransactions(feeds: Feeds, full: boolean): Feed {
  return (tell) => feeds.accepted.add((news) => tell(full ? news.full() : news.hash))
}

function tellLogs(news: BlockNews, { criteria }: LogFilter, tell: (result: string) => void): void {
  for (const one of news.logs()) if (matches(one.log, criteria)) tell(one.json())
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
    // Iterates over a copy, so that receivers added during the event are not called. Removed receivers are skipped.
    for (const receiver of [...this.#receivers]) {
      if (this.#receivers.has(receiver)) receiver.receive(news)
    }
  }
}

type BlockNews = ReturnType<typeof blockNews>

/** Returns the JSON of a block, or of the part of a block that begins with the transaction at index `first`. */
export function blockNews(block: Block, first = 0, isRemoved = false) {
  return {
    /** The header as in geth's `newHeads`. */
    head: once(() => JSON.stringify({ hash: block.hash, ...encodeHeader(block.header) })),
    /** The block with all its transactions. The roots of an unsealed block are computed from its current content. */
    full: once(() => JSON.stringify(encodeBlock(withRoots(block), 'full'))),
    transactions: once(() =>
      block.transactions.slice(first).map((_, index) => includedNews(block, first + index)),
    ),
    logs: once(() => [...logsOf(block, first)].map((log) => logNews(isRemoved ? asRemoved(log) : log))),
  }
}

function logNews(placed: PlacedLog) {
  return { log: placed.log, json: once(() => JSON.stringify(encodeLog(placed))) }
}

function includedNews(block: Block, index: number) {
  return {
    hash: hashNews(block.transactions[index]!),
    logs: block.receipts[index]!.logs,
    /** The fields of the transaction and of its receipt in one object, as on Base's nodes. */
    withReceipt: once(() => {
      const { gasUsed, status, cumulativeGasUsed, contractAddress, logsBloom, logs } = encodeReceipt(
        block,
        index,
      )
      const outcome = { gasUsed, status, cumulativeGasUsed, contractAddress, logsBloom, logs }
      return JSON.stringify({ ...encodeIncludedTransaction(block, index), ...outcome })
    }),
  }
}

function transactionNews(transaction: Transaction) {
  return {
    hash: hashNews(transaction),
    full: once(() => JSON.stringify(encodePooledTransaction(transaction))),
  }
}

function hashNews({ hash }: Transaction): string {
  return `"${hash}"`
}

/** Returns a function that calls `make` at the first call, and returns the same result at each call. */
function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
