/** What a process keeps by key: the few that were used last. */

const MOST = 8

export class Recent<T> {
  readonly #values = new Map<string, T>()

  /** Returns the value of a key, which now was used last; `undefined` if there is none. */
  find(key: string): T | undefined {
    const value = this.#values.get(key)
    return value === undefined ? undefined : this.keep(key, value)
  }

  /** Keeps a value. Returns it. */
  keep(key: string, value: T): T {
    this.#values.delete(key)
    this.#values.set(key, value)
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= MOST) break
      this.#values.delete(oldest)
    }
    return value
  }

  clear(): void {
    this.#values.clear()
  }
}
