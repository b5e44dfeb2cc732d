/**
 * What has happened to each transaction, step by step, for whoever wants to know afterwards. Steps are noted as the sequencer
 * tells of them; those of the oldest transactions are let go.
 */
import type { Chain } from '../chain/chain.ts'
import type { Preconfirmed } from '../chain/moment.ts'
import type { Hash } from '../model/bytes/hex.ts'
import type { Listeners } from '../model/collections/listeners.ts'
import type { Clock } from './clock.ts'
import type { DropReason, Events } from './events.ts'

export type Milestone =
  /** `latest`: the number of the newest sealed block then, which its sender could know. */
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

/** Where a transaction stands in a block under construction. */
interface SlicePosition {
  readonly block: bigint
  readonly slice: number
  readonly index: number
}

/** Transactions whose steps are kept. */
const KEPT = 10_000

export class Timeline {
  /** In the order in which they came. */
  readonly #steps = new Map<Hash, Milestone[]>()
  /** Goes from one to the next as they are let go: to look for the first each time would be to pass by the gaps of all others. */
  readonly #oldest = this.#steps.keys()
  readonly #clock: Clock
  /** What readers saw last of the block under construction. */
  #seen: Preconfirmed | undefined

  constructor(listeners: Listeners<Events>, clock: Clock, chain: Chain) {
    this.#clock = clock
    listeners.on('accepted', ({ hash }) => {
      const latest = chain.latest.block.header.number
      this.#note(hash, { kind: 'pooled', atMs: clock.nowMs, latest })
    })
    listeners.on('preconfirmed', (moment) => this.#notePreconfirmed(moment))
    listeners.on('revealed', (moment) => this.#notePreconfirmed(moment))
    listeners.on('sealed', ({ block }) => {
      const { hash, transactions, header } = block
      for (const [index, transaction] of transactions.entries()) {
        const at = { block: header.number, hash, index }
        this.#note(transaction.hash, { kind: 'sealed', atMs: clock.nowMs, ...at })
      }
    })
    listeners.on('reorged', (removed) => {
      for (const { block } of removed) {
        const at = { block: block.header.number, hash: block.hash }
        for (const { hash } of block.transactions)
          this.#note(hash, { kind: 'removed', atMs: clock.nowMs, ...at })
      }
    })
    listeners.on('dropped', ({ hash }, reason) =>
      this.#note(hash, { kind: 'dropped', atMs: clock.nowMs, reason }),
    )
  }

  /** The steps of a transaction, in their order; none of one that was never seen here, or long ago. */
  of(hash: Hash): readonly Milestone[] {
    return this.#steps.get(hash) ?? []
  }

  /** Notes what can be seen of a block now and could not before: the newest slice, and those that a fault hid until now. */
  #notePreconfirmed(moment: Preconfirmed): void {
    const { transactions, header } = moment.block
    const slices = slicesAfter(moment, this.#seen)
    this.#seen = moment
    for (const { slices: slice, block, previous } of slices) {
      const first = previous?.block.transactions.length ?? 0
      for (let index = first; index < block.transactions.length; index++) {
        const at = { block: header.number, slice, index }
        const { hash } = transactions[index]!
        if (!this.#isNoted(hash, at)) {
          this.#note(hash, { kind: 'preconfirmed', atMs: this.#clock.nowMs, ...at })
        }
      }
    }
  }

  /** Whether this was the last step: blocks are gone back to, and slices are told twice. */
  #isNoted(hash: Hash, { block, slice, index }: SlicePosition): boolean {
    const last = this.#steps.get(hash)?.at(-1)
    if (last?.kind !== 'preconfirmed') return false
    return last.block === block && last.slice === slice && last.index === index
  }

  #note(hash: Hash, step: Milestone): void {
    const steps = this.#steps.get(hash)
    if (steps !== undefined) {
      steps.push(step)
      return
    }
    this.#steps.set(hash, [step])
    if (this.#steps.size > KEPT) this.#steps.delete(this.#oldest.next().value!)
  }
}

/** The slices of a block up to `newest` that came after `seen`, in their order; all of them if that was of another block. */
function slicesAfter(newest: Preconfirmed, seen: Preconfirmed | undefined): readonly Preconfirmed[] {
  const slices: Preconfirmed[] = []
  for (let at: Preconfirmed | undefined = newest; at !== undefined && at !== seen; at = at.previous)
    slices.push(at)
  return slices.reverse()
}
