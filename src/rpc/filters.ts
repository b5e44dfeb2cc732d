/** Filters, which collect results until the client requests them (execution-apis `src/eth/filter.yaml`). */

import type { Hash } from '../bytes/hex.ts'
import type { Block } from '../model/block/block.ts'
import { type Listeners, together } from '../model/collections/listeners.ts'
import type { LogFilter } from '../model/receipt/log.ts'
import type { Events } from '../sequencer/events.ts'

const UNUSED_MS = 5 * 60 * 1_000
/** Limits the memory that a client can fill by creating filters in a loop without removing them. */
const MAX_FILTERS = 10_000

export type Filter =
  | { readonly kind: 'blocks'; readonly blocks: Block[] }
  | { readonly kind: 'logs'; readonly filter: LogFilter; readonly blocks: SeenBlock[] }
  | { readonly kind: 'transactions'; readonly hashes: Hash[] }

export interface SeenBlock {
  readonly block: Block
  readonly isRemoved: boolean
}

interface Held {
  readonly filter: Filter
  readonly end: () => void
  usedMs: number
}

export class Filters {
  readonly #listeners: Listeners<Events>
  readonly #nowMs: () => number
  readonly #filters = new Map<bigint, Held>()
  #last = 0n

  constructor(listeners: Listeners<Events>, nowMs: () => number) {
    this.#listeners = listeners
    this.#nowMs = nowMs
  }

  addBlocks(): bigint | undefined {
    const blocks: Block[] = []
    const listen = () => this.#listeners.on('sealed', ({ block }) => blocks.push(block))
    return this.#add({ kind: 'blocks', blocks }, listen)
  }

  addLogs(filter: LogFilter): bigint | undefined {
    const blocks: SeenBlock[] = []
    const listen = () =>
      together([
        this.#listeners.on('sealed', ({ block }) => blocks.push({ block, isRemoved: false })),
        this.#listeners.on('reorged', (removed) => {
          for (const { block } of removed) blocks.push({ block, isRemoved: true })
        }),
      ])
    return this.#add({ kind: 'logs', filter, blocks }, listen)
  }

  addTransactions(): bigint | undefined {
    const hashes: Hash[] = []
    const listen = () => this.#listeners.on('accepted', ({ hash }) => hashes.push(hash))
    return this.#add({ kind: 'transactions', hashes }, listen)
  }

  get(id: bigint): Filter | undefined {
    this.#forgetUnused()
    const held = this.#filters.get(id)
    if (held === undefined) return undefined
    held.usedMs = this.#nowMs()
    return held.filter
  }

  remove(id: bigint): boolean {
    this.#filters.get(id)?.end()
    return this.#filters.delete(id)
  }

  #add(filter: Filter, listen: () => () => void): bigint | undefined {
    this.#forgetUnused()
    if (this.#filters.size >= MAX_FILTERS) return undefined
    const id = ++this.#last
    this.#filters.set(id, { filter, end: listen(), usedMs: this.#nowMs() })
    return id
  }

  #forgetUnused(): void {
    const since = this.#nowMs() - UNUSED_MS
    for (const [id, { usedMs }] of this.#filters) if (usedMs < since) this.remove(id)
  }
}
