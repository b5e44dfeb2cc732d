/** A map of limited size that drops the least recently used entries. */

export class LruCache<K, V> {
  readonly #limit: number
  readonly #weigh: (value: V) => number
  readonly #entries = new Map<K, V>()
  #weight = 0

  /** `limit`: the maximum sum of the weights of all values; without `weigh`, the maximum number of entries. */
  constructor(limit: number, weigh: (value: V) => number = () => 1) {
    this.#limit = limit
    this.#weigh = weigh
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, value)
    }
    return value
  }

  /** Stores and returns a value. A value heavier than the limit is not kept. */
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
