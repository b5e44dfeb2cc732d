/** Precompiles that a simulated block has elsewhere than the rules put them, or nowhere. */

import type { Address } from '../model/bytes/hex.ts'
import type { AccountOverride } from '../model/execution/call.ts'
import type { MovedPrecompiles } from './runners.ts'

/**
 * Which rules a simulation follows where the specification of eth_simulateV1 (execution-apis `src/eth/execute.yaml`) and
 * go-ethereum, which the expected answers of its test suite come from, differ:
 *
 * - Two precompiles moved to one address: -38023 by the specification; in go-ethereum the one from the higher address wins.
 * - A precompile whose account is overridden without being moved: it stays by the specification, unless the code is
 *   overridden; go-ethereum removes it in any case.
 * - The index of a log: its position among the logs of the block by the specification; in go-ethereum logs of frames that
 *   failed count, too.
 */
export type SimulationRules = 'specification' | 'geth'

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

/** By address: members of a JSON object have no order of their own. */
function inOrder(accounts: readonly AccountOverride[]): AccountOverride[] {
  return [...accounts].sort((a, b) => (a.address < b.address ? -1 : 1))
}
