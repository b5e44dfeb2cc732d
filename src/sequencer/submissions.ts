/** The commands that accept transactions into the pool and remove them from it. */

import type { Address } from '../bytes/hex.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { admit } from '../pool/admit.ts'
import type { Pool } from '../pool/pool.ts'
import type { WaitingWork } from '../state/whenFetched.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import type { CommandContext } from './context.ts'
import type { InclusionRejection } from './import/flawInHeader.ts'

export type Submission = { readonly kind: 'accepted'; readonly transaction: Transaction } | Refused

interface Refused {
  readonly kind: 'rejected'
  readonly transaction: Transaction
  readonly rejection: InclusionRejection
  /** Whether the transaction could have waited for a later block. */
  readonly mayWait: boolean
}

export class Submissions {
  readonly #context: CommandContext

  constructor(context: CommandContext) {
    this.#context = context
  }

  /** Adds a transaction to the pool. Under `instant`, the command also seals the transaction in a block. */
  submit(transaction: Transaction): Promise<Submission> {
    return this.#context.queue.add(() => this.#submit(transaction))
  }

  /** Signs a transaction with the sender's next nonce and submits it, so that no other command can use the nonce. */
  submitNext(sender: Address, sign: (nonce: bigint) => Transaction): Promise<Submission> {
    return this.#context.queue.add(async () => {
      const nonce = this.prepare(() => this.nextNonce(sender))
      return this.#submit(sign(nonce instanceof Promise ? await nonce : nonce))
    })
  }

  /** Runs `find`, which prepares a submission, as `CommandQueue.prepare` does. */
  prepare<T>(find: () => MaybePromise<T>, work?: WaitingWork): MaybePromise<T> {
    return this.#context.queue.prepare(find, work)
  }

  /** Returns the sender's first nonce without an included or waiting transaction. Ignores transactions after a gap. */
  nextNonce(sender: Address): bigint {
    const { pool, chain } = this.#context
    return pool.nextNonce(sender, chain.tip.state.account(sender)?.nonce ?? 0n)
  }

  /** Removes the waiting transactions that `choose` returns. Returns whether any were removed. */
  drop(choose: (pool: Pool) => readonly Transaction[]): Promise<boolean> {
    const { pool, listeners } = this.#context
    return this.#context.queue.add(async () => {
      const chosen = choose(pool)
      for (const transaction of chosen) {
        pool.remove(transaction)
        listeners.emit('dropped', transaction, { kind: 'removed' })
      }
      return chosen.length > 0
    })
  }

  async #submit(transaction: Transaction): Promise<Submission> {
    const { chain, pool, listeners, isBlockGasLimited = true } = this.#context
    const refusal = this.prepare(
      () =>
        admit(transaction, pool, {
          rules: this.#context.upcoming.rules,
          state: chain.tip.state,
          blockGasLimit: isBlockGasLimited ? this.#context.upcoming.gasLimit : undefined,
          isPreconfirmed: (hash) => chain.open?.positions.has(hash) === true,
        }) ?? this.#refuseWaiting(transaction),
    )
    const rejection = refusal instanceof Promise ? await refusal : refusal
    if (rejection !== undefined) return { kind: 'rejected', transaction, rejection, mayWait: this.#mayWait }
    const replaced = pool.rivalOf(transaction)
    pool.add(transaction)
    if (replaced !== undefined) listeners.emit('dropped', replaced, { kind: 'replaced', by: transaction })
    listeners.emit('accepted', transaction)
    if (this.#isInstant) await this.#context.maker.mineReady()
    return { kind: 'accepted', transaction }
  }

  #refuseWaiting({ from, nonce, maxFeePerGas }: Transaction): InclusionRejection | undefined {
    if (this.#mayWait) return undefined
    const next = this.nextNonce(from)
    if (nonce > next) return { kind: 'nonceTooHighForNow', next, got: nonce }
    const { baseFeePerGas } = this.#context.upcoming.prices
    return maxFeePerGas < baseFeePerGas ? { kind: 'feeBelowBaseFee', maxFeePerGas, baseFeePerGas } : undefined
  }

  get #mayWait(): boolean {
    return this.#context.refusesWaiting !== true || !this.#isInstant
  }

  get #isInstant(): boolean {
    const { clock, isMixed } = this.#context
    return clock.rhythm === 'instant' || (clock.rhythm === 'interval' && isMixed === true)
  }
}
