/**
 * The curves of the precompiles: as WebAssembly, and where that is not allowed in JavaScript, with the same results.
 *
 * Either is loaded when a precompile is called for the first time: that takes some 100 milliseconds, and few chains
 * need it.
 */
import type { PairingCurve } from './pairingCurve.ts'

/** What is loaded when it is needed, in one of two implementations, which tests and the benchmark can change. */
export class Loadable<T> {
  readonly #createWasm: () => Promise<T>
  readonly #createJavaScript: () => Promise<T>
  #current: T | undefined
  #loading: Promise<void> | undefined

  constructor(createWasm: () => Promise<T>, createJavaScript: () => Promise<T>) {
    this.#createWasm = createWasm
    this.#createJavaScript = createJavaScript
  }

  /** The implementation in use. Throws before one was loaded. */
  get current(): T {
    if (this.#current === undefined) throw new Error('load() was not awaited')
    return this.#current
  }

  /** Loads WebAssembly if it is available, else JavaScript. Returns `undefined` if one was loaded before. */
  load(): Promise<void> | undefined {
    if (this.#current !== undefined) return undefined
    this.#loading ??= this.useWasm().catch(() => this.useJavaScript())
    return this.#loading
  }

  async useWasm(): Promise<void> {
    this.#current = await this.#createWasm()
  }

  async useJavaScript(): Promise<void> {
    this.#current = await this.#createJavaScript()
  }
}

/** The curve of EIP-196 and EIP-197, also called alt_bn128. */
export const bn254 = new Loadable<PairingCurve>(
  async () => (await import('./mclCurve.ts')).createMclBn254(),
  async () => (await import('./nobleCurve.ts')).createNobleBn254(),
)

/** The curve of EIP-2537 and of KZG commitments. */
export const bls12381 = new Loadable<PairingCurve>(
  async () => (await import('./mclCurve.ts')).createMclBls12381(),
  async () => (await import('./nobleCurve.ts')).createNobleBls12381(),
)

/**
 * The check of ECDSA signatures over P-256, also called secp256r1 (FIPS 186-5), of 160 bytes: hash, r, s, and the
 * public key's x and y. A high `s` is allowed.
 */
export const p256 = new Loadable<(input: Uint8Array) => boolean>(
  async () => (await import('./mclP256.ts')).createMclP256(),
  async () => (await import('./nobleP256.ts')).verifyP256,
)
