/** The commands that accept transactions into the pool and remove them from it. Each goes through the sequencer's queue. */

import type { Address } from '../bytes/hex.ts'
import type { Chain } from '../chain/chain.ts'
import type { Listeners } from '../model/collections/listeners.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { admit, type Rejection } from '../pool/admit.ts'
import type { Pool } from '../pool/pool.ts'
import { whenFetched } from '../state/whenFetched.ts'
import type { BlockMaker } from './block/blockMaker.ts'
import type { UpcomingBlock } from './block/upcomingBlock.ts'
import type { Clock } from './clock.ts'
import type { Events } from './events.ts'
import type { CommandQueue } from './queue.ts'
import { type WhyWaiting, whyWaiting } from './waiting.ts'

/** The outcome of submitting a transaction. */
export type Submission =
  | { readonly kind: 'accepted'; readonly transaction: Transaction }
  | { readonly kind: 'rejected'; readonly transaction: Transaction; readonly rejection: Rejection }

export interface SubmissionOptions {
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
  readonly listeners: Listeners<Events>
  /** Whether blocks are limited to the gas limit of their headers. */
  readonly isBlockGasLimited?: boolean
  /** Whether a transaction is sealed at once under `interval`, too. */
  readonly isMixed?: boolean
}

export class Submissions {
  readonly #queue: CommandQueue
  readonly #upcoming: UpcomingBlock
  readonly #maker: BlockMaker
  readonly #options: SubmissionOptions

  constructor(queue: CommandQueue, upcoming: UpcomingBlock, maker: BlockMaker, options: SubmissionOptions) {
    this.#queue = queue
    this.#upcoming = upcoming
    this.#maker = maker
    this.#options = options
  }

  /** Adds a transaction to the pool; under `instant`, seals it in a block at once. */
  submit(transaction: Transaction): Promise<Submission> {
    return this.#queue.add(() => this.#submit(transaction))
  }

  /**
   * Submits the transaction that `sign` returns for the sender's next nonce, which no other command can use
   * meanwhile.
   */
  submitNext(sender: Address, sign: (nonce: bigint) => Transaction): Promise<Submission> {
    return this.#queue.add(async () => {
      const nonce = whenFetched(() => this.nextNonce(sender))
      return this.#submit(sign(nonce instanceof Promise ? await nonce : nonce))
    })
  }

  /** Returns the next nonce of the sender: after those in blocks and those that wait without a gap. */
  nextNonce(sender: Address): bigint {
    const { pool, chain } = this.#options
    return pool.nextNonce(sender, chain.tip.state.account(sender)?.nonce ?? 0n)
  }

  /** Returns why `transaction`, which was accepted, is in no block yet. */
  whyWaiting(transaction: Transaction): WhyWaiting {
    const { chain, pool, clock } = this.#options
    const { rhythm, nextTickMs, nowMs } = clock
    return whyWaiting(transaction, {
      chain,
      pool,
      rules: this.#upcoming.rules,
      baseFeePerGas: this.#upcoming.prices.baseFeePerGas,
      rhythm,
      inMs: rhythm === 'interval' ? nextTickMs - nowMs : undefined,
    })
  }

  /** Removes the waiting transactions that `choose` returns. Returns whether there were any. */
  drop(choose: (pool: Pool) => readonly Transaction[]): Promise<boolean> {
    const { pool, listeners } = this.#options
    return this.#queue.add(async () => {
      const chosen = choose(pool)
      for (const transaction of chosen) {
        pool.remove(transaction)
        listeners.emit('dropped', transaction, { kind: 'removed' })
      }
      return chosen.length > 0
    })
  }

  async #submit(transaction: Transaction): Promise<Submission> {
    const { chain, pool, listeners, isBlockGasLimited = true } = this.#options
    const refusal = whenFetched(() =>
      admit(transaction, pool, {
        rules: this.#upcoming.rules,
        state: chain.tip.state,
        blockGasLimit: isBlockGasLimited ? this.#upcoming.gasLimit : undefined,
        isPreconfirmed: (hash) => chain.open?.positions.has(hash) === true,
      }),
    )
    const rejection = refusal instanceof Promise ? await refusal : refusal
    if (rejection !== undefined) return { kind: 'rejected', transaction, rejection }
    const replaced = pool.rivalOf(transaction)
    pool.add(transaction)
    if (replaced !== undefined) listeners.emit('dropped', replaced, { kind: 'replaced', by: transaction })
    listeners.emit('accepted', transaction)
    if (this.#isInstant && (await whenFetched(() => this.#upcoming.hasReady()))) await this.#maker.mine()
    return { kind: 'accepted', transaction }
  }

  /** Whether a transaction is sealed as soon as it is accepted. */
  get #isInstant(): boolean {
    const { clock, isMixed } = this.#options
    return clock.rhythm === 'instant' || (clock.rhythm === 'interval' && isMixed === true)
  }
}
