/**
 * The events of a devnet for `eth_subscribe` of kind `presealEvents`: what becomes of transactions and blocks, faults,
 * `console.log`. All events of one turn of the event loop go out together as one array, so that a client gets a few
 * notifications for a block of a thousand transactions. Nothing is collected while nobody is subscribed.
 */
import { gasUsedIn, type SliceMoment } from '../chain/moment.ts'
import { encodeFault } from '../faults/faultPlanner.ts'
import type { RequestFaultEvents } from '../faults/requestFaults.ts'
import type { Block } from '../model/block/block.ts'
import type { Address, Hash } from '../model/bytes/hex.ts'
import type { Listeners } from '../model/collections/listeners.ts'
import { breathe } from '../sequencer/clock.ts'
import type { DropReason, Events } from '../sequencer/events.ts'
import { encodeQuantity } from '../wire/hex.ts'
import type { Feed } from './feeds.ts'
import { dropText } from './refusals.ts'

/** A line of `console.log`. */
export interface ConsoleLine {
  readonly text: string
  readonly from: Address
  readonly name: string | undefined
  /** The hash of the executed transaction; `undefined` in a simulation. */
  readonly transaction: Hash | undefined
}

/** What the events are made of. */
export interface EventSources {
  readonly sequencer: Listeners<Events>
  readonly requestFaults: Listeners<RequestFaultEvents>
  /** Calls `listener` for each line of `console.log`. Returns a function that ends it. */
  readonly onConsoleLine: ((listener: (line: ConsoleLine) => void) => () => void) | undefined
  /** Returns the time of the devnet, in milliseconds. */
  readonly nowMs: () => number
}

/** More events of one turn are sent as several arrays, so that none grows without limit. */
const MOST_EVENTS = 1_000
/** Characters of one line of `console.log`. */
const LONGEST_TEXT = 10_000

type Receive = (events: string) => void

/** Collects the events of each turn of the event loop for all subscriptions. */
export class PresealEvents {
  readonly #sources: EventSources
  readonly #receivers = new Set<{ readonly receive: Receive }>()
  #collected: object[] = []
  #end: () => void = () => {}

  constructor(sources: EventSources) {
    this.#sources = sources
  }

  /** Calls `tell` with each array of events. */
  readonly feed: Feed = (tell) => {
    // Events from before the subscription are not for it.
    this.#send()
    const receiver = { receive: tell }
    if (this.#receivers.size === 0) this.#end = this.#listen()
    this.#receivers.add(receiver)
    return () => {
      if (!this.#receivers.delete(receiver) || this.#receivers.size > 0) return
      this.#collected = []
      this.#end()
    }
  }

  #listen(): () => void {
    const { sequencer, requestFaults, onConsoleLine } = this.#sources
    const ends = [
      sequencer.on('accepted', ({ hash, from, to, nonce }) =>
        this.#add('accepted', { hash, from, to: to ?? null, nonce: encodeQuantity(nonce) }),
      ),
      sequencer.on('dropped', ({ hash }, reason) => this.#add('dropped', { hash, ...encodeDrop(reason) })),
      sequencer.on('preconfirmed', (moment, added) => {
        const transactions = added.map(({ hash }) => hash)
        this.#add('preconfirmed', {
          ...encodeSlice(moment),
          transactions,
          sliceGasUsed: encodeQuantity(gasUsedIn(moment)),
        })
      }),
      sequencer.on('revealed', (moment) =>
        this.#add('revealed', { ...encodeSlice(moment), transactions: hashesOf(moment.block) }),
      ),
      sequencer.on('sealed', ({ block }) =>
        this.#add('sealed', { ...encodeSealed(block), block: fillOf(block) }),
      ),
      sequencer.on('reorged', (removed) =>
        this.#add('reorged', { blocks: removed.map(({ block }) => encodeSealed(block)) }),
      ),
      sequencer.on('fault', (fault, block, slice) =>
        this.#add('fault', {
          fault: encodeFault(fault),
          blockNumber: encodeQuantity(block),
          slice: slice === undefined ? null : encodeQuantity(slice),
        }),
      ),
      sequencer.on('cheatsChanged', () => this.#add('cheatsChanged', {})),
      sequencer.on('restored', () => this.#add('restored', {})),
      requestFaults.on('requestFault', (fault, method) =>
        this.#add('requestFault', { fault: encodeFault(fault), method: method ?? null }),
      ),
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
    }
  }

  #add(kind: string, members: object): void {
    if (this.#collected.length === 0) void breathe().then(() => this.#send())
    this.#collected.push({ kind, time: this.#sources.nowMs(), ...members })
    if (this.#collected.length >= MOST_EVENTS) this.#send()
  }

  #send(): void {
    if (this.#collected.length === 0) return
    const text = JSON.stringify(this.#collected)
    this.#collected = []
    for (const receiver of [...this.#receivers]) {
      if (this.#receivers.has(receiver)) receiver.receive(text)
    }
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
    block: fillOf(block),
  }
}

function encodeSealed(block: Block): object {
  const { header, hash } = block
  return { blockNumber: encodeQuantity(header.number), blockHash: hash, transactions: hashesOf(block) }
}

/** Returns how full a block is, with what its transactions depend on. */
function fillOf({ header, transactions }: Block): object {
  const { timestamp, gasUsed, gasLimit, baseFeePerGas } = header
  return {
    timestamp: encodeQuantity(timestamp),
    transactionCount: encodeQuantity(transactions.length),
    gasUsed: encodeQuantity(gasUsed),
    gasLimit: encodeQuantity(gasLimit),
    baseFeePerGas: baseFeePerGas === undefined ? null : encodeQuantity(baseFeePerGas),
  }
}

function hashesOf({ transactions }: Block): readonly Hash[] {
  return transactions.map(({ hash }) => hash)
}
