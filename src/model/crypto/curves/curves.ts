/**
 * The curves of the precompiles: as WebAssembly once loaded, before that and where WebAssembly is not allowed in
 * JavaScript, with the same results.
 */
import { createNobleBls12381, createNobleBn254 } from './nobleCurve.ts'
import type { PairingCurve } from './pairingCurve.ts'

/** A curve in the implementation that is in use, which tests and the benchmark can change. */
export class Curve {
  readonly #createJavaScript: () => PairingCurve
  readonly #createWasm: () => Promise<PairingCurve>
  #current: PairingCurve | undefined
  #javaScript: PairingCurve | undefined
  #isLoaded = false
  #loading: Promise<void> | undefined

  constructor(createJavaScript: () => PairingCurve, createWasm: () => Promise<PairingCurve>) {
    this.#createJavaScript = createJavaScript
    this.#createWasm = createWasm
  }

  /** The implementation in use. */
  get current(): PairingCurve {
    this.#current ??= this.#inJavaScript()
    return this.#current
  }

  /**
   * Switches to WebAssembly if it is available. Returns `undefined` if that was done or tried before, else a promise
   * that never rejects.
   */
  load(): Promise<void> | undefined {
    if (this.#isLoaded) return undefined
    this.#loading ??= this.useWasm().then(
      () => {},
      () => {
        // WebAssembly is not available: JavaScript remains in use.
        this.#isLoaded = true
      },
    )
    return this.#loading
  }

  useJavaScript(): void {
    this.#current = this.#inJavaScript()
    this.#isLoaded = true
  }

  async useWasm(): Promise<void> {
    this.#current = await this.#createWasm()
    this.#isLoaded = true
  }

  #inJavaScript(): PairingCurve {
    this.#javaScript ??= this.#createJavaScript()
    return this.#javaScript
  }
}

/** The curve of EIP-196 and EIP-197, also called alt_bn128. */
export const bn254 = new Curve(createNobleBn254, async () => (await import('./mclCurve.ts')).createMclBn254())
/** The curve of EIP-2537 and of KZG commitments. */
export const bls12381 = new Curve(createNobleBls12381, async () =>
  (await import('./mclCurve.ts')).createMclBls12381(),
)
