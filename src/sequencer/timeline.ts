/**
 * What has happened to each transaction, step by step, for whoever wants to know afterwards. Steps are noted as the sequencer
 * tells of them; those of the oldest transactions are let go.
 */
import type { Hash } from '../model/hex.ts'
import type { Clock } from './clock.ts'
import type { DropReason, Listeners } from './events.ts'

export type Milestone =
  | { readonly kind: 'pooled'; readonly atMs: number }
  | {
      readonly kind: 'preconfirmed'
      readonly atMs: number
      readonly block: bigint
      readonly slice: number
      readonly index: number
    }
  | {
      readonly kind: 'sealed'
      readonly atMs: number
      readonly block: bigint
      readonly hash: Hash
      readonly index: number
    }
  | { readonly kind: 'removed'; readonly atMs: number; readonly block: bigint; readonly hash: Hash }
  | { readonly kind: 'dropped'; readonly atMs: number; readonly reason: DropReason }

/** Transactions whose steps are kept. */
const KEPT = 10_000

export class Timeline {
  /** In the order in which they came. */
  readonly #steps = new Map<Hash, Milestone[]>()
  /** Goes from one to the next as they are let go: to look for the first each time would be to pass by the gaps of all others. */
  readonly #oldest = this.#steps.keys()

  constructor(listeners: Listeners, clock: Clock) {
    listeners.on('accepted', ({ hash }) => this.#note(hash, { kind: 'pooled', atMs: clock.nowMs }))
    listeners.on('preconfirmed', ({ block, slices }, added) => {
      const first = block.transactions.length - added.length
      const { number } = block.header
      for (const [i, { hash }] of added.entries()) {
        const at = { block: number, slice: slices, index: first + i }
        this.#note(hash, { kind: 'preconfirmed', atMs: clock.nowMs, ...at })
      }
    })
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
