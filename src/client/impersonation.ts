/** Impersonation: sending from accounts without their keys, for a limited time. */

import type { Address } from '../bytes/hex.ts'
import { checksummed } from '../model/checksum.ts'

/** An impersonated account. Disposing of it ends the impersonation. */
export interface Impersonation extends AsyncDisposable {
  /** The address of the account, for `from`. */
  readonly address: Address
  /** Ends the impersonation, unless other callers impersonate the account too. A second call does nothing. */
  stop(): Promise<void>
}

/** @internal The operations of the devnet that impersonation uses. */
export interface Means {
  /** Returns whether the account is impersonated now. */
  isImpersonated(address: Address): boolean
  begin(address: Address): Promise<unknown>
  end(address: Address): Promise<unknown>
}

/** @internal Counts the impersonations of each account, and ends each with its last caller. */
export class Impersonations {
  readonly #means: Means
  /** Number of callers that impersonate an account. */
  readonly #counts = new Map<Address, number>()

  constructor(means: Means) {
    this.#means = means
  }

  async start(address: Address): Promise<Impersonation> {
    // `anvil_impersonateAccount` began this impersonation, so only `anvil_stopImpersonatingAccount` ends it.
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
    // The count is kept until the impersonation has ended: a call that begins meanwhile must not take it for a
    // foreign one.
    await this.#means.end(address)
    if (this.#counts.get(address) === 0) this.#counts.delete(address)
  }
}
