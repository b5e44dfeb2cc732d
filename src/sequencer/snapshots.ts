/** Snapshots by number, as of `evm_snapshot`: reverting to one removes it. */

export class Snapshots<T> {
  readonly #marks = new Map<bigint, T>()
  #last = 0n

  get all(): ReadonlyMap<bigint, T> {
    return this.#marks
  }

  /** Stores `mark`. Returns its id, which is never used again. */
  add(mark: T): bigint {
    const id = ++this.#last
    this.#marks.set(id, mark)
    return id
  }

  /** Returns the mark with this id, or `undefined` if there is none. Removes it and all later ones. */
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
