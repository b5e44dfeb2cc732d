/** The one queue: commands run in order, one at a time, and one that fails does not stop the next (invariant 2). */

/** Who follows what is done, step by step: a recording, or what plays one. */
export interface Watcher {
  /** Time makes a tick, which is the next command. */
  onDue(): void
  onAdded(): void
  /** What a command waits for before it begins, if there is anything. */
  pause(): Promise<void> | undefined
  onBegun(): void
  onDone(): void
}

export class CommandQueue {
  #watcher: Watcher | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** Lets `watcher`, and nobody else, learn of the commands that are added from now on. */
  watch(watcher: Watcher | undefined): void {
    this.#watcher = watcher
  }

  /** Whether somebody learns of each command. */
  get isWatched(): boolean {
    return this.#watcher !== undefined
  }

  /** The next command is a tick that time makes. */
  onDue(): void {
    this.#watcher?.onDue()
  }

  /** Runs `command` after all that came before it; answers what it answers. */
  add<T>(command: () => Promise<T>): Promise<T> {
    const watcher = this.#watcher
    const run = watcher === undefined ? command : watched(command, watcher)
    const result = this.#last.then(run, run)
    this.#last = result
    watcher?.onAdded()
    return result
  }

  /** When all that is in it now has run, well or badly. Answers whether nothing was added meanwhile. */
  async idle(): Promise<boolean> {
    const last = this.#last
    await last.catch(() => {})
    return this.#last === last
  }
}

function watched<T>(command: () => Promise<T>, watcher: Watcher): () => Promise<T> {
  return async () => {
    const pause = watcher.pause()
    if (pause !== undefined) await pause
    watcher.onBegun()
    try {
      return await command()
    } finally {
      watcher.onDone()
    }
  }
}
