/** The rows of a list of blocks: those of the chain from the newest down, and below each number what was removed of it. */
export type BlockRow<Removed> =
  | { readonly kind: 'block'; readonly number: number }
  | { readonly kind: 'removed'; readonly block: Removed }

export class BlockRows<Removed extends { readonly number: number }> {
  readonly #latest: number
  readonly #removed: readonly Removed[]
  readonly count: number

  /** `latest` and `first` are numbers of the chain's blocks; `removed` come in any order. */
  constructor(latest: number, first: number, removed: readonly Removed[]) {
    this.#latest = latest
    // The last that was removed of a number is the first of them.
    this.#removed = removed.toReversed().sort((a, b) => b.number - a.number)
    this.count = latest - first + 1 + removed.length
  }

  at(index: number): BlockRow<Removed> {
    // The removed ones are in the order of their rows.
    let low = 0
    let high = this.#removed.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#rowOf(middle) < index) low = middle + 1
      else high = middle
    }
    return low < this.#removed.length && this.#rowOf(low) === index
      ? { kind: 'removed', block: this.#removed[low]! }
      : { kind: 'block', number: this.#latest - (index - low) }
  }

  /** Returns the row of a removed block: behind the blocks of the chain with its number and above. */
  #rowOf(removed: number): number {
    return Math.max(0, this.#latest - this.#removed[removed]!.number + 1) + removed
  }
}
