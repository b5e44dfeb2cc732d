/** Results of deterministic runs, found again by the values that the runs read. */
import { numberAt, type StateText } from './stateSpace.ts'

export interface Known<T> {
  /** The columns that the run read, in the order of their first read. */
  readonly read: readonly number[]
  readonly result: T
}

/** The column that a run reads next; by the number of its value, what follows. */
class Branch<T> {
  readonly column: number
  readonly next = new Map<number, Branch<T> | Leaf<T>>()

  constructor(column: number) {
    this.column = column
  }
}

class Leaf<T> implements Known<T> {
  readonly read: readonly number[]
  readonly result: T

  constructor(read: readonly number[], result: T) {
    this.read = read
    this.result = result
  }
}

/** Results after which a tree is given up if it was of use less often. A result takes more memory than a state. */
const MOST_ADDED = 256

/**
 * The results of one call, as a tree of the values that it reads. A run that reads the same values in the same order
 * has the same result, whatever else differs between two states.
 */
export class ReadTree<T> {
  #root: Branch<T> | Leaf<T> | undefined
  #added = 0
  #found = 0

  find(state: StateText): Known<T> | undefined {
    let node = this.#root
    while (node instanceof Branch) node = node.next.get(numberAt(state, node.column))
    if (node !== undefined) this.#found++
    return node
  }

  add(state: StateText, read: readonly number[], result: T): Known<T> {
    const leaf = new Leaf(read, result)
    if (++this.#added > MOST_ADDED && this.#found < this.#added) {
      this.#root = undefined
      return leaf
    }
    let set = (node: Branch<T> | Leaf<T>): void => {
      this.#root = node
    }
    let node = this.#root
    for (const column of read) {
      if (!(node instanceof Branch)) {
        node = new Branch(column)
        set(node)
      }
      // A run that reads in another order is not deterministic, and is not kept.
      if (node.column !== column) return leaf
      const { next } = node
      const number = numberAt(state, column)
      set = (after) => next.set(number, after)
      node = next.get(number)
    }
    set(leaf)
    return leaf
  }
}
