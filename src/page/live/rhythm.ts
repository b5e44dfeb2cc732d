/** The rhythm of the chain: the open block with its slices, the newest sealed blocks, what was removed, faults. */
import { numberOf } from '../format/quantity.ts'
import type { BlockFill, PresealEvent } from './presealEvent.ts'

/** Times are milliseconds of the devnet's clock. */
export interface LiveSlice {
  readonly index: number
  readonly atMs: number
  /** Its own transactions, and the gas they used. */
  readonly transactions: number
  readonly gasUsed: number
}

export interface LiveBlock {
  readonly number: number
  /** `undefined` while it is open. */
  hash: string | undefined
  readonly openedMs: number
  sealedMs: number | undefined
  readonly slices: LiveSlice[]
  timestamp: number
  transactions: number
  gasUsed: number
  gasLimit: number
  baseFeePerGas: bigint | undefined
  /** Removed from the chain by a reorganisation. */
  removedMs: number | undefined
}

/** What the line marks beside blocks and transactions. */
export interface Mark {
  readonly kind: 'fault' | 'requestFault' | 'reorged' | 'restored'
  readonly atMs: number
  /** What happened, in words. */
  readonly text: string
}

const MOST_BLOCKS = 2_000
const MOST_MARKS = 200
const MOST_REMOVED = 500

export class Rhythm {
  open: LiveBlock | undefined
  /** Sealed ones in the order in which they were sealed, also those that were removed since. */
  blocks: LiveBlock[] = []
  /** Those of them that were removed, and removed ones that had been forgotten. */
  removed: LiveBlock[] = []
  marks: Mark[] = []

  clear(): void {
    this.open = undefined
    this.blocks = []
    this.removed = []
    this.marks = []
  }

  apply(event: PresealEvent): void {
    const { time } = event
    switch (event.kind) {
      case 'preconfirmed': {
        const open = this.#openAt(numberOf(event.blockNumber), time)
        const index = numberOf(event.slice)
        fill(open, event.block)
        const slice = {
          index,
          atMs: time,
          transactions: event.transactions.length,
          gasUsed: numberOf(event.sliceGasUsed),
        }
        // A slice that is told twice, as a fault may have it, is one.
        const known = open.slices.findIndex((each) => each.index === index)
        if (known === -1) open.slices.push(slice)
        break
      }
      case 'revealed':
        fill(this.#openAt(numberOf(event.blockNumber), time), event.block)
        break
      case 'sealed': {
        const number = numberOf(event.blockNumber)
        const block = this.open?.number === number ? this.open : newBlock(number, this.#lastMs(time))
        block.hash = event.blockHash
        block.sealedMs = time
        fill(block, event.block)
        this.blocks = added(this.blocks, block, MOST_BLOCKS)
        this.open = undefined
        break
      }
      case 'reorged':
        for (const { blockNumber, blockHash, transactions } of event.blocks)
          this.#remove(numberOf(blockNumber), blockHash, transactions.length, time)
        this.open = undefined
        this.#mark('reorged', time, `${counted(event.blocks.length, 'block')} reorganised away`)
        break
      case 'fault':
        this.#mark('fault', time, `fault ${event.fault.kind} at block ${numberOf(event.blockNumber)}`)
        break
      case 'requestFault':
        this.#mark('requestFault', time, `fault ${event.fault.kind} of ${event.method ?? 'a request'}`)
        break
      case 'restored':
        this.clear()
        this.#mark('restored', time, 'another chain is in place')
        break
    }
  }

  #openAt(number: number, time: number): LiveBlock {
    if (this.open?.number !== number) this.open = newBlock(number, this.#openedMs(time))
    return this.open
  }

  /** A block is open from the seal of the one before; the first of which something is told, from then. */
  #openedMs(time: number): number {
    return this.blocks.length === 0 ? time : this.#lastMs(time)
  }

  #lastMs(time: number): number {
    return Math.min(this.blocks.at(-1)?.sealedMs ?? time, time)
  }

  #remove(number: number, hash: string, transactions: number, time: number): void {
    let block = this.blocks.findLast((each) => each.hash === hash)
    if (block === undefined) {
      block = { ...newBlock(number, time), hash, transactions }
    }
    block.removedMs = time
    this.removed = added(this.removed, block, MOST_REMOVED)
  }

  #mark(kind: Mark['kind'], atMs: number, text: string): void {
    this.marks = added(this.marks, { kind, atMs, text }, MOST_MARKS)
  }
}

function newBlock(number: number, openedMs: number): LiveBlock {
  return {
    number,
    hash: undefined,
    openedMs,
    sealedMs: undefined,
    slices: [],
    timestamp: 0,
    transactions: 0,
    gasUsed: 0,
    gasLimit: 0,
    baseFeePerGas: undefined,
    removedMs: undefined,
  }
}

function fill(block: LiveBlock, of: BlockFill): void {
  block.timestamp = numberOf(of.timestamp)
  block.transactions = numberOf(of.transactionCount)
  block.gasUsed = numberOf(of.gasUsed)
  block.gasLimit = numberOf(of.gasLimit)
  block.baseFeePerGas = of.baseFeePerGas === null ? undefined : BigInt(of.baseFeePerGas)
}

/** Adds `item` to `items`, of which at most twice `most`, and then `most`, are kept. */
export function added<T>(items: T[], item: T, most: number): T[] {
  items.push(item)
  return items.length > 2 * most ? items.slice(-most) : items
}

/** Returns `count` with the name of what was counted. */
export function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
