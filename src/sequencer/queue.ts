/** The queue of commands, which run in order, one at a time. A failed command does not stop the next command. */

import type { Chain } from '../chain/chain.ts'
import { type WaitingWork, whenFetched } from '../state/whenFetched.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import { yieldToEventLoop } from './clock.ts'

/** Observes commands and their steps, for a recording or a replay. */
export interface Watcher {
  /** Called when a tick of the clock is due. The tick is the next command. */
  onDue(): void
  onAdded(): void
  /** Returns a promise that the next command must await; `undefined` if it need not wait. */
  pause(): Promise<void> | undefined
  onBegun(): void
  onDone(): void
}

export class CommandQueue {
  readonly #chain: Pick<Chain, 'remote'>
  #watcher: Watcher | undefined
  #last: Promise<unknown> = Promise.resolve()
  #afterEach: (() => Promise<void>) | undefined
  /** Number of commands that have not ended. */
  #unended = 0
  /** Resolves after the last callback of `afterTurn`; `undefined` if no callback is due. */
  #turn: Promise<void> | undefined

  constructor(chain: Pick<Chain, 'remote'>) {
    this.#chain = chain
  }

  /** Sets the watcher of all commands added from now on. Replaces an earlier watcher. */
  watch(watcher: Watcher | undefined): void {
    this.#watcher = watcher
  }

  /** Runs `finish` at the end of each command, as a part of it. */
  afterEach(finish: () => Promise<void>): void {
    this.#afterEach = finish
  }

  get isWatched(): boolean {
    return this.#watcher !== undefined
  }

  /** Tells the watcher that the next command is a tick of the clock. */
  onDue(): void {
    this.#watcher?.onDue()
  }

  /** Runs `command` after all commands before it. Returns its result. */
  add<T>(command: () => Promise<T>): Promise<T> {
    const watcher = this.#watcher
    const run = () => this.#run(command, watcher)
    const result = this.#last.then(run, run)
    this.#last = result
    this.#unended++
    watcher?.onAdded()
    return result
  }

  /**
   * Returns the result of `find`. `find` must not change anything, because on a fork it is called again after each
   * fetch of missing values. Returns a promise only if values are fetched or `find` returns a promise.
   */
  prepare<T>(find: () => MaybePromise<T>, work?: WaitingWork): MaybePromise<T> {
    return this.#chain.remote === undefined ? find() : whenFetched(find, work)
  }

  /** Calls `then` after one turn of the event loop, in which no command begins and no running command returns. */
  afterTurn(then: () => void): void {
    const turn = yieldToEventLoop().then(() => {
      if (this.#turn === turn) this.#turn = undefined
      then()
    })
    this.#turn = turn
  }

  async #run<T>(command: () => Promise<T>, watcher: Watcher | undefined): Promise<T> {
    while (this.#turn !== undefined) await this.#turn
    const pause = watcher?.pause()
    if (pause !== undefined) await pause
    watcher?.onBegun()
    try {
      return await command()
    } finally {
      if (this.#afterEach !== undefined) await this.#afterEach()
      watcher?.onDone()
      // Functions passed to `afterTurn` run before this command returns its result.
      while (this.#turn !== undefined) await this.#turn
      this.#unended--
    }
  }

  get isIdle(): boolean {
    return this.#unended === 0
  }

  /** Waits until all commands added so far have ended. Returns whether no command was added in the meantime. */
  async idle(): Promise<boolean> {
    const last = this.#last
    await last.catch(() => {})
    return this.#last === last
  }
}
