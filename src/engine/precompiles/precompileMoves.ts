/** Moves and removals of precompiles in a simulated block (eth_simulateV1). */

import type { Address } from '../../bytes/hex.ts'
import type { AccountOverride } from '../../model/execution/call.ts'
import type { MovedPrecompiles } from '../engine.ts'

/**
 * The rules to follow where the specification of eth_simulateV1 (execution-apis `src/eth/execute.yaml`) differs from
 * go-ethereum, which produced the expected responses of the specification's tests:
 *
 * - Two precompiles moved to one address: the specification returns error -38023; in go-ethereum the precompile from
 *   the higher address wins.
 * - A precompile whose account is overridden but not moved: in the specification it stays unless its code is
 *   overridden; go-ethereum removes it.
 * - The index of a log: in the specification the position among the logs of the block; go-ethereum also counts logs of
 *   failed frames.
 */
export type SimulationRules = 'specification' | 'geth'

export type MoveFlaw =
  | { readonly kind: 'notAPrecompile'; readonly address: Address }
  | { readonly kind: 'movedToItself'; readonly address: Address }
  | { readonly kind: 'movedTogether'; readonly address: Address }
  /** The target of a move, `address`, is itself overridden. */
  | { readonly kind: 'movedOntoOverride'; readonly address: Address }

/** Returns the requested moves, or the first invalid move. Overriding the code of a precompile removes it. */
export function precompileMoves(
  precompiles: ReadonlySet<Address>,
  accounts: readonly AccountOverride[],
  rules: SimulationRules,
): MovedPrecompiles | MoveFlaw {
  const overridden = new Set(accounts.map(({ address }) => address))
  const moved = new Map<Address, Address | undefined>()
  const taken = new Set<Address>()
  // Sorted by address, so that the member order of the JSON object has no effect.
  const sorted = [...accounts].sort((a, b) => (a.address < b.address ? -1 : 1))
  for (const { address, code, movePrecompileTo: to } of sorted) {
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

export function precompilesAfter<K, T>(
  precompiles: ReadonlyMap<K, T>,
  moved: MovedPrecompiles,
  keyOf: (address: Address) => K,
): Map<K, T> {
  const now = new Map(precompiles)
  for (const from of moved.keys()) now.delete(keyOf(from))
  for (const [from, to] of moved) {
    const precompile = precompiles.get(keyOf(from))
    if (precompile !== undefined && to !== undefined) now.set(keyOf(to), precompile)
  }
  return now
}
