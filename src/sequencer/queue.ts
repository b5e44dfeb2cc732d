/** The one queue: commands run in order, one at a time, and one that fails does not stop the next (invariant 2). */

export class CommandQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs `command` after all that came before it; answers what it answers. */
  add<T>(command: () => Promise<T>): Promise<T> {
    const result = this.#last.then(command, command)
    this.#last = result
    return result
  }

  /** When all that is in it now has run, well or badly. */
  async idle(): Promise<void> {
    await this.#last.catch(() => {})
  }
}
