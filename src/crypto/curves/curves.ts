/** The curves of the precompiles. Each is loaded at its first use, because loading takes about 100 milliseconds. */
import type { PairingCurve } from './pairingCurve.ts'

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

/** The curve of EIP-196 and EIP-197, also called alt_bn128. */
export const bn254 = new Loadable<PairingCurve>(async () => (await import('./mclCurve.ts')).createMclBn254())

/** The curve of EIP-2537 and of KZG commitments. */
export const bls12381 = new Loadable<PairingCurve>(async () =>
  (await import('./mclCurve.ts')).createMclBls12381(),
)

/** Verifies P-256 signatures (FIPS 186-5), also with high `s`. Input (160 bytes): hash, r, s, public key (x and y). */
export const p256 = new Loadable<(input: Uint8Array) => boolean>(async () =>
  (await import('./mclP256.ts')).createMclP256(),
)
