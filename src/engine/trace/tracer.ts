/** The interface of tracers: watchers of a run that make a trace of it. */
import type { Address } from '../../bytes/hex.ts'
import type { Trace } from '../../model/execution/trace.ts'
import type { State } from '../../state/state.ts'
import type { Outcome, Watcher } from '../engine.ts'

/** A tracer. Its methods are called in the order of execution; `finish` returns the trace. */
export interface Tracer<Result = Trace> extends Watcher {
  /** Called before the run, before anything is paid. */
  begin?(start: TraceStart): void
  finish(end: TraceEnd): Result
}

/** Makes a tracer, which takes memory from `budget`. */
export type TracerMaker<Result> = (budget: TraceBudget) => Tracer<Result>

/** A transaction or call, and the state in which it starts. */
export interface TraceStart {
  readonly from: Address
  /** `undefined` for a contract creation. */
  readonly to: Address | undefined
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly coinbase: Address
  /**
   * The delegations that authorizations of the transaction set: authority to the address whose code it runs (EIP-7702).
   */
  readonly delegations: ReadonlyMap<Address, Address>
  readonly state: State
  /** The number of logs in the block before this run. */
  readonly firstLogIndex: number
}

export interface TraceEnd {
  readonly outcome: Outcome
  readonly state: State
}

/** The result if a trace exceeds `bytes`. */
export interface TraceTooLarge {
  readonly kind: 'traceTooLarge'
  readonly bytes: number
}

/** Thrown by a tracer, through the run, when the budget is used up. */
class BudgetExceeded extends Error {}

/** The memory that the traces of one request may take, in bytes. */
export class TraceBudget {
  readonly bytes: number
  #left: number

  constructor(bytes: number) {
    this.bytes = bytes
    this.#left = bytes
  }

  /** Takes `bytes` from the budget. Throws, up to `within`, if fewer are left. */
  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) throw new BudgetExceeded()
  }

  /**
   * Runs `work`, whose tracers use this budget. Resolves to its result, or to `TraceTooLarge` if the budget was
   * exceeded.
   */
  async within<T>(work: () => Promise<T>): Promise<T | TraceTooLarge> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof BudgetExceeded) return { kind: 'traceTooLarge', bytes: this.bytes }
      throw error
    }
  }
}
