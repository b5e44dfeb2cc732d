/**
 * The command queue: commands run in order, one at a time, and a failed one does not stop the next (invariant 2).
 */

import type { Chain } from '../chain/chain.ts'
import { type Waiting, whenFetched } from '../state/whenFetched.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import { breathe } from './clock.ts'

/** Follows the commands and their steps: for a recording, or for a replay. */
export interface Watcher {
  /** Called when time makes a tick, which is the next command. */
  onDue(): void
  onAdded(): void
  /** Returns a promise to await before a command begins, if needed. */
  pause(): Promise<void> | undefined
  onBegun(): void
  onDone(): void
}

export class CommandQueue {
  readonly #chain: Pick<Chain, 'remote'>
  #watcher: Watcher | undefined
  #last: Promise<unknown> = Promise.resolve()
  /** The number of commands that have not ended. */
  #unended = 0
  /** Settles when the last function of `afterTurn` has been called; `undefined` afterwards. */
  #turn: Promise<void> | undefined

  constructor(chain: Pick<Chain, 'remote'>) {
    this.#chain = chain
  }

  /** Sets the only watcher of the commands that are added from now on. */
  watch(watcher: Watcher | undefined): void {
    this.#watcher = watcher
  }

  /** Whether a recording or a replay watches the commands. */
  get isWatched(): boolean {
    return this.#watcher !== undefined
  }

  /** Reports to the watcher that the next command is a tick of time. */
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
   * Returns the result of `find`, the part of a command that reads and builds. It must not change anything: on a fork it is called
   * again whenever values of the network had to be fetched. Returns a promise only if it waits, or `find` returns one.
   */
  prepare<T>(find: () => MaybePromise<T>, work?: Waiting): MaybePromise<T> {
    return this.#chain.remote === undefined ? find() : whenFetched(find, work)
  }

  /**
   * Calls `then` after one turn of the event loop, when everyone who awaits a promise that is settled now has continued.
   * Until then no command begins, and the one that runs now does not return its result.
   */
  afterTurn(then: () => void): void {
    const turn = breathe().then(() => {
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
      watcher?.onDone()
      // The functions of `afterTurn` run before this command returns its result.
      while (this.#turn !== undefined) await this.#turn
      this.#unended--
    }
  }

  get isIdle(): boolean {
    return this.#unended === 0
  }

  /**
   * Resolves when all current commands have ended, with success or failure. Returns whether no command was added
   * meanwhile.
   */
  async idle(): Promise<boolean> {
    const last = this.#last
    await last.catch(() => {})
    return this.#last === last
  }
}
