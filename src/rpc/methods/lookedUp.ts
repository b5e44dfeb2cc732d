/** What a look-up answers for a block: `null` for one that never was, an error for one that was pruned (CONTRACT 2). */
import { hasBlock } from '../../chain/chain.ts'
import type { Missing, Moment } from '../../chain/moment.ts'
import type { Block } from '../../model/block.ts'
import { ZERO_HASH } from '../../model/hex.ts'
import { rootedHeader } from '../../state/roots.ts'
import { Problem } from '../problem.ts'

/** What `answer` makes of the block that was found. */
export function lookedUp<T>(found: Moment | Missing, answer: (block: Block) => T): T | null {
  if (hasBlock(found)) return answer(found.block)
  if (found.kind === 'prunedHistory') throw new Problem(found)
  return null
}

/** The block with the roots of what is in it so far: before it is sealed it has none, and whoever shows it makes them. */
export function withRoots(block: Block): Block {
  return block.hash === ZERO_HASH ? { ...block, header: rootedHeader(block) } : block
}
