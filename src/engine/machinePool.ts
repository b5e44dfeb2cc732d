/** A pool of machines that run one message at a time: instances of WebAssembly, or VMs of EthereumJS. */
import type { MaybePromise } from '../work/maybePromise.ts'
import { URGENT, type Work } from '../work/work.ts'

/** Maximum number of idle machines (a megabyte or more each) and of lent machines. The sequencer may borrow more. */
const AT_A_TIME = 16

export interface Machines<M> {
  create(): M
  /** Returns whether the machine can be reused after its run. `failure`: the error that the run threw. */
  isReusable(machine: M, failure: { readonly error: unknown } | undefined): boolean
}

export class MachinePool<M> {
  readonly #machines: Machines<M>
  readonly #idle: M[] = []
  #lent = 0
  readonly #waiting: (() => void)[] = []

  constructor(machines: Machines<M>) {
    this.#machines = machines
  }

  /** Calls `use` with a machine, and returns the result. Waits for a free machine unless `work` is the sequencer's. */
  lend<T>(work: Work, use: (machine: M) => MaybePromise<T>): MaybePromise<T> {
    if (this.#lent >= AT_A_TIME && work !== URGENT) return this.#free(work).then(() => this.#lend(use))
    return this.#lend(use)
  }

  #lend<T>(use: (machine: M) => MaybePromise<T>): MaybePromise<T> {
    const machine = this.#idle.pop() ?? this.#machines.create()
    this.#lent++
    let result: MaybePromise<T>
    try {
      result = use(machine)
    } catch (error) {
      this.#takeBack(machine, { error })
      throw error
    }
    if (!(result instanceof Promise)) {
      this.#takeBack(machine)
      return result
    }
    result.then(
      () => this.#takeBack(machine),
      (error) => this.#takeBack(machine, { error }),
    )
    return result
  }

  #takeBack(machine: M, failure?: { readonly error: unknown }): void {
    this.#lent--
    if (this.#machines.isReusable(machine, failure) && this.#idle.length < AT_A_TIME) this.#idle.push(machine)
    this.#waiting.shift()?.()
  }

  async #free(work: Work): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      const pause = work.pause()
      if (pause !== undefined) await pause
    } catch (error) {
      // This caller's time limit has passed or its work was cancelled, so the next waiting caller gets the machine.
      this.#waiting.shift()?.()
      throw error
    }
  }
}
