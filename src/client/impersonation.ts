/** Sending in the name of accounts whose keys nobody has, for as long as somebody wants to. */
import { checksummed } from '../model/bytes/checksum.ts'
import type { Address } from '../model/bytes/hex.ts'

/** An account that sends without a key, until this is disposed of. */
export interface Impersonation extends AsyncDisposable {
  /** Who sends: for `from`. */
  readonly address: Address
  /** Ends it, unless others impersonate the account too. The second time it does nothing. */
  stop(): Promise<void>
}

/** @internal How it is done. */
export interface Means {
  /** Whether anybody impersonates the account now. */
  isImpersonated(address: Address): boolean
  begin(address: Address): Promise<unknown>
  end(address: Address): Promise<unknown>
}

/** @internal Who is impersonated, and by how many. */
export class Impersonations {
  readonly #means: Means
  /** How many impersonate an account. */
  readonly #counts = new Map<Address, number>()

  constructor(means: Means) {
    this.#means = means
  }

  async start(address: Address): Promise<Impersonation> {
    // Somebody else began, and ends it: anvil_impersonateAccount.
    const isTheirs = !this.#counts.has(address) && this.#means.isImpersonated(address)
    const count = this.#counts.get(address) ?? 0
    if (!isTheirs) this.#counts.set(address, count + 1)
    await this.#means.begin(address)
    let isOver = isTheirs
    const stop = async () => {
      if (isOver) return
      isOver = true
      await this.#leave(address)
    }
    return { address: checksummed(address), stop, [Symbol.asyncDispose]: stop }
  }

  async #leave(address: Address): Promise<void> {
    const left = this.#counts.get(address)! - 1
    this.#counts.set(address, left)
    if (left > 0) return
    // Until it has ended it is still ours: who begins meanwhile must not take it for somebody else's.
    await this.#means.end(address)
    if (this.#counts.get(address) === 0) this.#counts.delete(address)
  }
}
