/** A value that is loaded once, at its first use. */
export class Loadable<T> {
  readonly #create: () => Promise<T>
  #current: T | undefined
  #loading: Promise<void> | undefined

  constructor(create: () => Promise<T>) {
    this.#create = create
  }

  /** Throws if `load` was not awaited. */
  get current(): T {
    if (this.#current === undefined) throw new Error('load() was not awaited')
    return this.#current
  }

  /** Returns `undefined` if already loaded. */
  load(): Promise<void> | undefined {
    if (this.#current !== undefined) return undefined
    this.#loading ??= this.#create().then((created) => {
      this.#current = created
    })
    return this.#loading
  }
}
