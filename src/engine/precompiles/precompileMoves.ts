/** Precompiles that a simulated block moves to other addresses or removes. */

import type { Address } from '../../bytes/hex.ts'
import type { AccountOverride } from '../../model/execution/call.ts'
import type { MovedPrecompiles } from '../engine.ts'

/**
 * The rules of simulations in cases where the specification of eth_simulateV1 (execution-apis `src/eth/execute.yaml`)
 * and go-ethereum, which produced the expected responses of its test suite, differ:
 *
 * - Two precompiles moved to one address: -38023 in the specification; in go-ethereum the one from the higher address
 *   wins.
 * - A precompile whose account is overridden but not moved: it remains in the specification, unless its code is
 *   overridden; go-ethereum removes it in any case.
 * - The index of a log: in the specification its position among the logs of the block; in go-ethereum logs of failed
 *   frames are counted too.
 */
export type SimulationRules = 'specification' | 'geth'

/** The reason why precompiles cannot be moved as requested. */
export type MoveFlaw =
  | { readonly kind: 'notAPrecompile'; readonly address: Address }
  | { readonly kind: 'movedToItself'; readonly address: Address }
  /** Two precompiles are moved to one address. */
  | { readonly kind: 'movedTogether'; readonly address: Address }
  /** A precompile is moved to an address that is itself overridden. */
  | { readonly kind: 'movedOntoOverride'; readonly address: Address }

/**
 * Returns the precompiles that `accounts` move, which are currently at the addresses of `precompiles`. Overridden code
 * replaces a precompile.
 */
export function precompileMoves(
  precompiles: ReadonlySet<Address>,
  accounts: readonly AccountOverride[],
  rules: SimulationRules,
): MovedPrecompiles | MoveFlaw {
  const overridden = new Set(accounts.map(({ address }) => address))
  const moved = new Map<Address, Address | undefined>()
  const taken = new Set<Address>()
  for (const { address, code, movePrecompileTo: to } of inOrder(accounts)) {
    if (to !== undefined) {
      if (!precompiles.has(address)) return { kind: 'notAPrecompile', address }
      if (to === address) return { kind: 'movedToItself', address }
      if (overridden.has(to)) return { kind: 'movedOntoOverride', address: to }
      if (taken.has(to) && rules === 'specification') return { kind: 'movedTogether', address: to }
      taken.add(to)
      moved.set(address, to)
    } else if (precompiles.has(address) && (code !== undefined || rules === 'geth')) {
      moved.set(address, undefined)
    }
  }
  return moved
}

/** Orders overrides by address, because members of a JSON object have no order of their own. */
function inOrder(accounts: readonly AccountOverride[]): AccountOverride[] {
  return [...accounts].sort((a, b) => (a.address < b.address ? -1 : 1))
}
