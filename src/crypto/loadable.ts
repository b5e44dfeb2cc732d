type ImplementationName = 'javascript' | 'wasm'

/** An implementation in WebAssembly, and an equivalent one in JavaScript in case WebAssembly is not allowed. */
export class Loadable<T> {
  readonly #createWasm: () => Promise<T>
  readonly #createJavaScript: () => T | Promise<T>
  #current: T | undefined
  #name: ImplementationName | undefined
  #loading: Promise<void> | undefined

  /** `initial`: the JavaScript implementation to use before `load` is called. */
  constructor(createWasm: () => Promise<T>, createJavaScript: () => T | Promise<T>, initial?: T) {
    this.#createWasm = createWasm
    this.#createJavaScript = createJavaScript
    this.#current = initial
  }

  /** The implementation in use. Throws if none was loaded. */
  get current(): T {
    if (this.#current === undefined) throw new Error('load() was not awaited')
    return this.#current
  }

  get name(): ImplementationName {
    return this.#name ?? 'javascript'
  }

  /** Loads WebAssembly, or JavaScript where WebAssembly is not allowed. Returns `undefined` if already loaded. */
  load(): Promise<void> | undefined {
    if (this.#name !== undefined) return undefined
    this.#loading ??= this.useWasm().catch(() => this.useJavaScript())
    return this.#loading
  }

  /** Switches to WebAssembly, for tests and benchmarks. */
  async useWasm(): Promise<void> {
    this.#current = await this.#createWasm()
    this.#name = 'wasm'
  }

  /** Switches to JavaScript, for tests and benchmarks. */
  async useJavaScript(): Promise<void> {
    const made = this.#createJavaScript()
    this.#current = made instanceof Promise ? await made : made
    this.#name = 'javascript'
  }
}
