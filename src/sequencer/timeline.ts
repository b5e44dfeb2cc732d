/** The steps of each transaction, recorded from the sequencer's events. Those of the oldest are removed. */

import { toBinary } from '../bytes/bytes.ts'
import { fromHex, type Hash } from '../bytes/hex.ts'
import type { Chain } from '../chain/chain.ts'
import type { SliceMoment } from '../chain/moment.ts'
import type { Listeners } from '../model/collections/listeners.ts'
import type { Clock } from './clock.ts'
import type { DropReason, Events } from './events.ts'

export type Milestone =
  /** `latest`: the number of the newest sealed block at that time, which its sender could know. */
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

/** Number of transactions whose steps are kept. */
const KEPT = 10_000

/** A step without the index of the transaction: one object for all transactions of a block or slice. */
type Shared<M = Milestone> = M extends { readonly index: number } ? Omit<M, 'index'> : M

/** A step and the steps before it. Transactions with the same steps share all of them. */
interface Steps {
  readonly last: Shared | Milestone
  readonly before: Steps | undefined
}

interface Noted {
  readonly steps: Steps
  readonly index: number
}

/** Returns the first half of a hash as a byte string, which takes a third of its memory. */
function keyOf(hash: Hash): string {
  return toBinary(fromHex(hash.slice(0, 34) as Hash))
}

/** The index of a transaction that no block has had. */
const NOWHERE = -1

export class Timeline {
  /** In the order in which the transactions were added. */
  readonly #steps = new Map<string, Noted>()
  /** An iterator over the oldest hashes: a new one for each removal would pass all earlier gaps again. */
  readonly #oldest = this.#steps.keys()
  readonly #clock: Clock
  /** The last published state of the block under construction. */
  #seen: SliceMoment | undefined
  #pooled: Extract<Milestone, { kind: 'pooled' }> | undefined
  /** The steps that were made last, which the next transaction of the block has too. */
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
    listeners.on('dropped', ({ hash }, reason) =>
      this.#note(hash, { kind: 'dropped', atMs: clock.nowMs, reason }),
    )
  }

  /** Returns the steps of a transaction in their order; none for an unknown one, or one that was removed. */
  of(hash: Hash): readonly Milestone[] {
    const noted = this.#steps.get(keyOf(hash))
    const milestones: Milestone[] = []
    for (let steps = noted && withIndex(noted); steps !== undefined; steps = steps.before)
      milestones.push(steps.last as Milestone)
    return milestones.reverse()
  }

  /** Records the newly visible part of a block: the newest slice, and slices that a fault hid until now. */
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

  /** Returns whether this was the last step: blocks may be restored, and slices published twice. */
  #isNoted(hash: Hash, { block, slice, index }: SlicePosition): boolean {
    const noted = this.#steps.get(keyOf(hash))
    if (noted?.index !== index) return false
    const { last } = noted.steps
    return last.kind === 'preconfirmed' && last.block === block && last.slice === slice
  }

  #note(hash: Hash, step: Shared, index = NOWHERE): void {
    const key = keyOf(hash)
    const noted = this.#steps.get(key)
    let before = noted?.steps
    if (noted !== undefined && index !== NOWHERE && noted.index !== NOWHERE && noted.index !== index) {
      // Its index differs from that in earlier blocks, so it gets a copy of the steps with the earlier index.
      before = withIndex(noted)
    }
    if (this.#newest?.last !== step || this.#newest.before !== before) this.#newest = { last: step, before }
    this.#steps.set(key, {
      steps: this.#newest,
      index: index === NOWHERE ? (noted?.index ?? NOWHERE) : index,
    })
    if (this.#steps.size > KEPT) this.#steps.delete(this.#oldest.next().value!)
  }
}

/** Returns the slices of a block up to `newest` after `seen`; all of them if `seen` is of another block. */
function slicesAfter(newest: SliceMoment, seen: SliceMoment | undefined): readonly SliceMoment[] {
  const slices: SliceMoment[] = []
  for (let at: SliceMoment | undefined = newest; at !== undefined && !isSame(at, seen); at = at.previous)
    slices.push(at)
  return slices.reverse()
}

function isSame(a: SliceMoment, b: SliceMoment | undefined): boolean {
  return a.block === b?.block && a.slices === b.slices
}

/** Returns the steps with the index of the transaction where they lack it. */
function withIndex({ steps, index }: Noted): Steps {
  const { last, before } = steps
  const isWhole = 'index' in last || (last.kind !== 'preconfirmed' && last.kind !== 'sealed')
  return {
    last: isWhole ? last : { ...last, index },
    before: before && withIndex({ steps: before, index }),
  }
}
