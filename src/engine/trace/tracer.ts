/** The interface of tracers: watchers that produce a trace of a run. */
import type { Address, Hash } from '../../bytes/hex.ts'
import type { Trace } from '../../model/execution/trace.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { State } from '../../state/state.ts'
import type { Work } from '../../work/work.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Outcome, Watcher } from '../engine.ts'

export interface Tracer<Result = Trace> extends Watcher {
  /** Called before the run and before any payment. */
  begin?(start: TraceStart): void
  finish(end: TraceEnd): Result
  /** Called last, also after a run that threw. */
  dispose?(): void
}

export type TracerMaker<Result> = (budget: TraceBudget) => Tracer<Result>

/** The transaction that is traced; absent for calls. */
export interface TracedTransaction {
  readonly blockHash: Hash
  readonly index: number
  readonly hash: Hash
}

export interface TraceStart {
  readonly from: Address
  readonly to: Address | undefined
  readonly nonce: bigint
  readonly gasLimit: bigint
  /** The effective price in wei per gas. */
  readonly gasPrice: bigint
  readonly block: BlockContext
  readonly rules: Rules
  readonly work: Work
  readonly transaction: TracedTransaction | undefined
  /** The delegations that the transaction's authorizations set (EIP-7702), from authority to delegate. */
  readonly delegations: ReadonlyMap<Address, Address>
  readonly state: State
  readonly firstLogIndex: number
}

export interface TraceEnd {
  readonly outcome: Outcome
  readonly state: State
}

export interface TraceTooLarge {
  readonly kind: 'traceTooLarge'
  readonly bytes: number
}

/** Thrown by a JavaScript tracer that is invalid, throws, or exceeds its memory limit. */
export class TracerFailed extends Error {}

/** Thrown by `TraceBudget.take`. Ends the traced run. */
class BudgetExceeded extends Error {}

export class TraceBudget {
  readonly bytes: number
  #left: number

  constructor(bytes: number) {
    this.bytes = bytes
    this.#left = bytes
  }

  /** Takes `bytes` from the budget. If too few are left, throws an error that `within` catches. */
  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) throw new BudgetExceeded()
  }

  /** Returns the result of `work`, or `TraceTooLarge` if the tracers in `work` exceed the budget. */
  async within<T>(work: () => Promise<T>): Promise<T | TraceTooLarge> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof BudgetExceeded) return { kind: 'traceTooLarge', bytes: this.bytes }
      throw error
    }
  }
}
