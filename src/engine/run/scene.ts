/** The scene of a simulation: a state and a block context, with the overrides of the request applied. */

import type { Address } from '../../bytes/hex.ts'
import type { AccountOverride, BlockOverride } from '../../model/execution/call.ts'
import { withOverrides } from '../../state/overrides.ts'
import type { State } from '../../state/state.ts'
import type { BlockContext } from '../blockContext.ts'
import type { MovedPrecompiles } from '../engine.ts'

/** The state and block context of a simulation. */
export interface Scene {
  readonly state: State
  readonly context: BlockContext
  readonly moved: MovedPrecompiles | undefined
}

/** Returns the scene of `state` in `context` with both kinds of overrides. */
export function createScene(
  state: State,
  context: BlockContext,
  accounts: readonly AccountOverride[],
  block: BlockOverride,
): Scene {
  // Nearly all requests are without overrides.
  if (accounts.length === 0 && isEmpty(block)) return { state, context, moved: undefined }
  const moved = new Map<Address, Address>()
  for (const { address, movePrecompileTo } of accounts) {
    if (movePrecompileTo !== undefined) moved.set(address, movePrecompileTo)
  }
  return {
    state: withOverrides(state, accounts),
    context: { ...context, ...block },
    moved: moved.size === 0 ? undefined : moved,
  }
}

function isEmpty(block: BlockOverride): boolean {
  for (const _ in block) return false
  return true
}
