/**
 * Limits the memory of traces. A transaction within its gas limit can call with the same 100 kB a hundred thousand
 * times, or execute five million instructions with a full stack each. At the limit the run is stopped.
 */

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
