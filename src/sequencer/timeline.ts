/** Records milestones of the newest transactions (pooled, pre-confirmed, sealed …) from the sequencer's events. */

import { toBinary } from '../bytes/bytes.ts'
import { fromHex, type Hash } from '../bytes/hex.ts'
import type { Chain } from '../chain/chain.ts'
import type { SliceMoment } from '../chain/moment.ts'
import type { Listeners } from '../model/collections/listeners.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { Clock } from './clock.ts'
import type { DropReason, Events } from './events.ts'

export type Milestone =
  /** `latest` is the number of the newest sealed block at the time when the transaction was accepted. */
  | { readonly kind: 'pooled'; readonly atMs: number; readonly latest: bigint }
  | ({ readonly kind: 'preconfirmed'; readonly atMs: number } & SlicePosition)
  | {
      readonly kind: 'sealed'
      readonly atMs: number
      readonly block: bigint
      readonly hash: Hash
      readonly index: number
    }
  | { readonly kind: 'removed'; readonly atMs: number; readonly block: bigint; readonly hash: Hash }
  | { readonly kind: 'dropped'; readonly atMs: number; readonly reason: DropReason }

interface SlicePosition {
  readonly block: bigint
  readonly slice: number
  readonly index: number
}

/** Number of transactions whose milestones are kept. */
const KEPT = 10_000

/** Number of dropped transactions that are kept. */
const DROPPED = 1_000

/** A milestone without the transaction's index, so that the transactions of a block or slice can share one object. */
type Shared<M = Milestone> = M extends { readonly index: number } ? Omit<M, 'index'> : M

/** A linked list of milestones, newest first. Transactions with the same milestones share one list. */
interface Steps {
  readonly last: Shared | Milestone
  readonly before: Steps | undefined
}

interface Noted {
  readonly steps: Steps
  readonly index: number
}

/** Returns the first half of a hash as a byte string, which takes a third of the memory of the hash's hex. */
function keyOf(hash: Hash): string {
  return toBinary(fromHex(hash.slice(0, 34) as Hash))
}

/** The index of a transaction that was never in a block. */
const NO_INDEX = -1

export class Timeline {
  /** The milestones of each transaction under its key (`keyOf`), the oldest transaction first. */
  readonly #steps = new Map<string, Noted>()
  /** Yields the keys of `#steps`, oldest first. Kept, because a new iterator would skip all deleted entries again. */
  readonly #oldest = this.#steps.keys()
  readonly #clock: Clock
  /** The transactions that were dropped last, newest first. */
  readonly dropped: { readonly transaction: Transaction; readonly reason: DropReason }[] = []
  /** The last published state of the block under construction. */
  #seen: SliceMoment | undefined
  #pooled: Extract<Milestone, { kind: 'pooled' }> | undefined
  /** The milestones recorded last. The next transaction of the same block usually shares them. */
  #newest: Steps | undefined

  constructor(listeners: Listeners<Events>, clock: Clock, chain: Chain) {
    this.#clock = clock
    listeners.on('accepted', ({ hash }) => {
      const latest = chain.latest.block.header.number
      const atMs = clock.nowMs
      if (this.#pooled?.atMs !== atMs || this.#pooled.latest !== latest)
        this.#pooled = { kind: 'pooled', atMs, latest }
      this.#note(hash, this.#pooled)
    })
    listeners.on('preconfirmed', (moment) => this.#notePreconfirmed(moment))
    listeners.on('revealed', (moment) => this.#notePreconfirmed(moment))
    listeners.on('sealed', ({ block }) => {
      const { hash, transactions, header } = block
      const sealed = { kind: 'sealed', atMs: clock.nowMs, block: header.number, hash } as const
      for (const [index, transaction] of transactions.entries()) this.#note(transaction.hash, sealed, index)
    })
    listeners.on('reorged', (removed) => {
      for (const { block } of removed) {
        const { hash: blockHash, header } = block
        const gone = { kind: 'removed', atMs: clock.nowMs, block: header.number, hash: blockHash } as const
        for (const { hash } of block.transactions) this.#note(hash, gone)
      }
    })
    listeners.on('dropped', (transaction, reason) => {
      this.#note(transaction.hash, { kind: 'dropped', atMs: clock.nowMs, reason })
      if (this.dropped.unshift({ transaction, reason }) > DROPPED) this.dropped.pop()
    })
  }

  /** Returns the milestones of a transaction, oldest first; none if the transaction is unknown or too old. */
  of(hash: Hash): readonly Milestone[] {
    const noted = this.#steps.get(keyOf(hash))
    const milestones: Milestone[] = []
    for (let steps = noted && withIndex(noted); steps !== undefined; steps = steps.before)
      milestones.push(steps.last as Milestone)
    return milestones.reverse()
  }

  /** Records the newest slice, and earlier slices that a fault has hidden until now. */
  #notePreconfirmed(moment: SliceMoment): void {
    const { transactions, header } = moment.block
    const slices = slicesAfter(moment, this.#seen)
    this.#seen = moment
    for (const { slices: slice, block, previous } of slices) {
      const first = previous?.block.transactions.length ?? 0
      const step = { kind: 'preconfirmed', atMs: this.#clock.nowMs, block: header.number, slice } as const
      for (let index = first; index < block.transactions.length; index++) {
        const { hash } = transactions[index]!
        if (!this.#isNoted(hash, { block: header.number, slice, index })) this.#note(hash, step, index)
      }
    }
  }

  /** Returns whether the last milestone is already this slice: faults and restored chains can publish a slice again. */
  #isNoted(hash: Hash, { block, slice, index }: SlicePosition): boolean {
    const noted = this.#steps.get(keyOf(hash))
    if (noted?.index !== index) return false
    const { last } = noted.steps
    return last.kind === 'preconfirmed' && last.block === block && last.slice === slice
  }

  #note(hash: Hash, step: Shared, index = NO_INDEX): void {
    const key = keyOf(hash)
    const noted = this.#steps.get(key)
    let before = noted?.steps
    if (noted !== undefined && index !== NO_INDEX && noted.index !== NO_INDEX && noted.index !== index) {
      // The transaction's index has changed, so its earlier milestones are copied with the earlier index.
      before = withIndex(noted)
    }
    if (this.#newest?.last !== step || this.#newest.before !== before) this.#newest = { last: step, before }
    this.#steps.set(key, {
      steps: this.#newest,
      index: index === NO_INDEX ? (noted?.index ?? NO_INDEX) : index,
    })
    if (this.#steps.size > KEPT) this.#steps.delete(this.#oldest.next().value!)
  }
}

/** Returns the slices after `seen` up to `newest`; if `seen` belongs to another block, all up to `newest`. */
function slicesAfter(newest: SliceMoment, seen: SliceMoment | undefined): readonly SliceMoment[] {
  const slices: SliceMoment[] = []
  for (let at: SliceMoment | undefined = newest; at !== undefined && !isSame(at, seen); at = at.previous)
    slices.push(at)
  return slices.reverse()
}

function isSame(a: SliceMoment, b: SliceMoment | undefined): boolean {
  return a.block === b?.block && a.slices === b.slices
}

/** Returns the milestones, with the transaction's index added where it is missing. */
function withIndex({ steps, index }: Noted): Steps {
  const { last, before } = steps
  const isWhole = 'index' in last || (last.kind !== 'preconfirmed' && last.kind !== 'sealed')
  return {
    last: isWhole ? last : { ...last, index },
    before: before && withIndex({ steps: before, index }),
  }
}
