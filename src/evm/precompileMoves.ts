/** Precompiles that a simulated block has elsewhere than the rules put them, or nowhere. */

import type { Address } from '../model/bytes/hex.ts'
import type { AccountOverride } from '../model/execution/call.ts'
import type { MovedPrecompiles } from './evm.ts'

/** Why precompiles cannot be moved as asked. */
export type MoveFlaw =
  | { readonly kind: 'notAPrecompile'; readonly address: Address }
  | { readonly kind: 'movedToItself'; readonly address: Address }
  /** Two of them to one address. */
  | { readonly kind: 'movedTogether'; readonly address: Address }
  /** To an account that is overridden itself: who would answer there? */
  | { readonly kind: 'movedOntoOverride'; readonly address: Address }

/** Where `accounts` put the precompiles, which are now at the addresses of `precompiles`; code takes the place of one. */
export function precompileMoves(
  precompiles: ReadonlySet<Address>,
  accounts: readonly AccountOverride[],
): MovedPrecompiles | MoveFlaw {
  const overridden = new Set(accounts.map(({ address }) => address))
  const moved = new Map<Address, Address | undefined>()
  const taken = new Set<Address>()
  for (const { address, code, movePrecompileTo: to } of accounts) {
    if (to !== undefined) {
      if (!precompiles.has(address)) return { kind: 'notAPrecompile', address }
      if (to === address) return { kind: 'movedToItself', address }
      if (overridden.has(to)) return { kind: 'movedOntoOverride', address: to }
      if (taken.has(to)) return { kind: 'movedTogether', address: to }
      taken.add(to)
      moved.set(address, to)
    } else if (code !== undefined && precompiles.has(address)) moved.set(address, undefined)
  }
  return moved
}
