/** Points to come back to, by number: those of `evm_snapshot`, which are used up by going back. */

export class Snapshots<T> {
  readonly #marks = new Map<bigint, T>()
  #last = 0n

  get all(): ReadonlyMap<bigint, T> {
    return this.#marks
  }

  /** Remembers `mark`; answers its id, which is never given again. */
  add(mark: T): bigint {
    const id = ++this.#last
    this.#marks.set(id, mark)
    return id
  }

  /** The mark with this id, or `undefined` if there is none. It is forgotten, and all that came after it. */
  take(id: bigint): T | undefined {
    const mark = this.#marks.get(id)
    if (mark === undefined) return undefined
    for (const other of this.#marks.keys()) if (other >= id) this.#marks.delete(other)
    return mark
  }

  clear(): void {
    this.#marks.clear()
  }
}
