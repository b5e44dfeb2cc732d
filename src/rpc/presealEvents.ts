/**
 * The events of a devnet for `eth_subscribe` of kind `presealEvents`. Collected events are sent as one array at the end
 * of a turn of the event loop, at most twenty times a second. Without a subscription, no events are collected.
 */

import type { Hash } from '../bytes/hex.ts'
import { firstTransactionIndex, gasUsedIn, type SliceMoment } from '../chain/moment.ts'
import type { Block } from '../model/block/block.ts'
import type { Listeners } from '../model/collections/listeners.ts'
import { after, machineMs, yieldToEventLoop } from '../sequencer/clock.ts'
import type { DropReason, Events } from '../sequencer/events.ts'
import type { ConsoleLog } from '../solidity/abi/consoleLog.ts'
import { encodeFill } from '../wire/encode.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { dropText } from './errors/refusals.ts'
import { type Feed, Source } from './feeds.ts'

/** Passes events to `add` until the returned function is called. */
export type EventSource = (add: (kind: string, members: object) => void) => () => void

export interface EventSources {
  readonly sequencer: Listeners<Events>
  /** Calls `listener` for each line of `console.log`. Returns a function that removes `listener`. */
  readonly onConsoleLine: ((listener: (line: Omit<ConsoleLog, 'values'>) => void) => () => void) | undefined
  /** Returns the time of the devnet, in milliseconds. */
  readonly nowMs: () => number
}

/** Maximum number of events in one array. More events are sent as several arrays. */
const MOST_EVENTS = 1_000
/** Minimum milliseconds between two arrays, to gather events: clients often send transactions one by one. */
const GATHER_MS = 50
const LONGEST_TEXT = 10_000

/** Collects events and sends them to all subscriptions. */
export class PresealEvents {
  readonly #sources: EventSources
  readonly #more: EventSource[] = []
  readonly #arrays = new Source<string>((tell) => this.#listen(tell))
  #collected: object[] = []
  /** The time at which events were last sent, by the machine's clock. */
  #sentMs = Number.NEGATIVE_INFINITY
  /** Ends the wait for more events; absent while nothing is collected. */
  #stopWaiting: (() => void) | undefined
  #tell: (events: string) => void = () => {}

  constructor(sources: EventSources) {
    this.#sources = sources
  }

  /** Adds a source. Its events are sent to all subscriptions. */
  add(source: EventSource): void {
    this.#more.push(source)
  }

  /** Calls `tell` with each array of events. */
  readonly feed: Feed = (tell) => {
    // Sends the collected events first, so that the new subscription does not get earlier events.
    this.#send()
    return this.#arrays.add(tell)
  }

  #listen(tell: (events: string) => void): () => void {
    this.#tell = tell
    const { sequencer, onConsoleLine } = this.#sources
    const ends = [
      sequencer.on('accepted', ({ hash, from, to, nonce }) =>
        this.#add('accepted', { hash, from, to: to ?? null, nonce: encodeQuantity(nonce) }),
      ),
      sequencer.on('dropped', ({ hash }, reason) => this.#add('dropped', { hash, ...encodeDrop(reason) })),
      sequencer.on('preconfirmed', (moment, added) => {
        this.#add('preconfirmed', {
          ...encodeSlice(moment),
          transactions: added.map(({ hash }) => hash),
          failed: failedOf(moment.block, firstTransactionIndex(moment)),
          sliceGasUsed: encodeQuantity(gasUsedIn(moment)),
        })
      }),
      sequencer.on('revealed', (moment) =>
        this.#add('revealed', {
          ...encodeSlice(moment),
          transactions: hashesOf(moment.block),
          failed: failedOf(moment.block),
        }),
      ),
      sequencer.on('sealed', ({ block }) =>
        this.#add('sealed', { ...encodeSealed(block), failed: failedOf(block), block: encodeFill(block) }),
      ),
      sequencer.on('reorged', (removed) =>
        this.#add('reorged', { blocks: removed.map(({ block }) => encodeSealed(block)) }),
      ),
      sequencer.on('cheatsChanged', () => this.#add('cheatsChanged', {})),
      sequencer.on('restored', () => this.#add('restored', {})),
      ...this.#more.map((source) => source((kind, members) => this.#add(kind, members))),
      onConsoleLine?.(({ text, from, name, transaction }) =>
        this.#add('console', {
          text: text.slice(0, LONGEST_TEXT),
          from,
          name: name ?? null,
          transaction: transaction ?? null,
        }),
      ),
    ]
    return () => {
      for (const end of ends) end?.()
      this.#collected = []
      this.#stopWaiting?.()
      this.#stopWaiting = undefined
    }
  }

  #add(kind: string, members: object): void {
    this.#collected.push({ kind, time: this.#sources.nowMs(), ...members })
    if (this.#collected.length >= MOST_EVENTS) this.#send()
    else this.#stopWaiting ??= this.#wait()
  }

  /** Schedules `#send` after this turn of the event loop or later. Returns a function that cancels the call. */
  #wait(): () => void {
    const restMs = this.#sentMs + GATHER_MS - machineMs()
    if (restMs > 0) return after(restMs, () => this.#send())
    let isOver = false
    void yieldToEventLoop().then(() => {
      if (!isOver) this.#send()
    })
    return () => {
      isOver = true
    }
  }

  #send(): void {
    this.#stopWaiting?.()
    this.#stopWaiting = undefined
    if (this.#collected.length === 0) return
    const text = JSON.stringify(this.#collected)
    this.#collected = []
    this.#sentMs = machineMs()
    this.#tell(text)
  }
}

function encodeDrop(reason: DropReason): object {
  const drop = { cause: reason.kind, reason: dropText(reason) }
  return reason.kind === 'replaced' ? { ...drop, replacedBy: reason.by.hash } : drop
}

function encodeSlice({ block, slices }: SliceMoment): object {
  return {
    blockNumber: encodeQuantity(block.header.number),
    slice: encodeQuantity(slices),
    block: encodeFill(block),
  }
}

function encodeSealed(block: Block): object {
  const { header, hash } = block
  return { blockNumber: encodeQuantity(header.number), blockHash: hash, transactions: hashesOf(block) }
}

function hashesOf({ transactions }: Block): readonly Hash[] {
  return transactions.map(({ hash }) => hash)
}

/** Returns the hashes of the failed transactions from the index `first` on. */
function failedOf({ transactions, receipts }: Block, first = 0): readonly Hash[] {
  const failed: Hash[] = []
  for (let index = first; index < receipts.length; index++) {
    if (receipts[index]!.status === 'failure') failed.push(transactions[index]!.hash)
  }
  return failed
}
