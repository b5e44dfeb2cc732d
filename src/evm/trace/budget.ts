/**
 * How much tracers may keep. A transaction within its gas limit can call with the same 100 kB a hundred thousand times,
 * or run five million instructions with a full stack each: what is kept of that has to end somewhere.
 */
export class TraceBudget {
  readonly bytes: number
  #left: number

  constructor(bytes: number) {
    this.bytes = bytes
    this.#left = bytes
  }

  /** Whether more was wanted than there is: then what was kept is not the whole. */
  get isExceeded(): boolean {
    return this.#left < 0
  }

  /** Takes `bytes`; `false` where there is nothing left to keep them in. */
  take(bytes: number): boolean {
    this.#left -= bytes
    return this.#left >= 0
  }
}
