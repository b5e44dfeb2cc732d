/**
 * How much tracers may keep. A transaction within its gas limit can call with the same 100 kB a hundred thousand times,
 * or run five million instructions with a full stack each: what is kept of that has to end somewhere, and the run with it.
 */

/** More was to be told than `bytes` hold. */
export interface TraceTooLarge {
  readonly kind: 'traceTooLarge'
  readonly bytes: number
}

/** Thrown from a tracer, through the run that it watches, as soon as there is nothing left to keep more in. */
class BudgetExceeded extends Error {}

export class TraceBudget {
  readonly bytes: number
  #left: number

  constructor(bytes: number) {
    this.bytes = bytes
    this.#left = bytes
  }

  /** Takes `bytes`. Throws, through `within`, where there are not so many left. */
  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) throw new BudgetExceeded()
  }

  /** Does `work`, whose tracers have this budget; returns what it does, or that it was stopped because more was to be told. */
  async within<T>(work: () => Promise<T>): Promise<T | TraceTooLarge> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof BudgetExceeded) return { kind: 'traceTooLarge', bytes: this.bytes }
      throw error
    }
  }
}
