/** An immutable list. A change takes a few steps and returns a new list that shares most nodes with the old one. */

const BITS = 5
const WIDTH = 32
const MASK = WIDTH - 1

type Node<T> = readonly (Node<T> | T)[]

export class PersistentVector<T> {
  readonly length: number
  readonly #shift: number
  readonly #root: Node<T>

  private constructor(length: number, shift: number, root: Node<T>) {
    this.length = length
    this.#shift = shift
    this.#root = root
  }

  static empty<T>(): PersistentVector<T> {
    return new PersistentVector<T>(0, 0, [])
  }

  get(index: number): T | undefined {
    if (!(index >= 0 && index < this.length)) return undefined
    let node = this.#root
    for (let shift = this.#shift; shift > 0; shift -= BITS) node = node[(index >>> shift) & MASK] as Node<T>
    return node[index & MASK] as T
  }

  last(): T | undefined {
    return this.get(this.length - 1)
  }

  append(item: T): PersistentVector<T> {
    const isFull = this.length === WIDTH << this.#shift
    const shift = isFull ? this.#shift + BITS : this.#shift
    const root = isFull ? [this.#root] : this.#root
    return new PersistentVector(this.length + 1, shift, placed(root, shift, this.length, item))
  }

  /** Returns the first `length` items as a list. Takes a few steps for each removed item. */
  take(length: number): PersistentVector<T> {
    let root = this.#root
    for (let index = length; index < this.length; index++) root = placed(root, this.#shift, index, undefined)
    return new PersistentVector<T>(length, this.#shift, root)
  }

  /** Returns the list with the item at `index` replaced. `index` must be in the list. */
  replace(index: number, item: T): PersistentVector<T> {
    if (!(index >= 0 && index < this.length))
      throw new RangeError(`no item ${index} in a list of ${this.length}`)
    return new PersistentVector(this.length, this.#shift, placed(this.#root, this.#shift, index, item))
  }
}

function placed<T>(node: Node<T> | undefined, shift: number, index: number, item: T | undefined): Node<T> {
  const copy: (Node<T> | T | undefined)[] = node === undefined ? [] : node.slice()
  const slot = (index >>> shift) & MASK
  copy[slot] = shift === 0 ? item : placed(copy[slot] as Node<T> | undefined, shift - BITS, index, item)
  return copy as Node<T>
}
