/** A map of limited size that drops the entries used longest ago. */

export class LruCache<K, V> {
  readonly #limit: number
  readonly #weigh: (value: V) => number
  /** The entry used longest ago comes first. */
  readonly #entries = new Map<K, V>()
  #weight = 0

  /** `limit`: the highest sum of the weights of all values, by `weigh`; without it, the highest number of entries. */
  constructor(limit: number, weigh: (value: V) => number = () => 1) {
    this.#limit = limit
    this.#weigh = weigh
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size
  }

  /** Returns the value of a key, which is now the one used last. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, value)
    }
    return value
  }

  /** Stores a value and drops the oldest entries beyond the limit. A value heavier than the limit is not kept. Returns the value. */
  set(key: K, value: V): V {
    this.delete(key)
    this.#entries.set(key, value)
    this.#weight += this.#weigh(value)
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#limit) break
      this.delete(oldest)
    }
    return value
  }

  delete(key: K): boolean {
    const value = this.#entries.get(key)
    if (value !== undefined) this.#weight -= this.#weigh(value)
    return this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#weight = 0
  }
}
