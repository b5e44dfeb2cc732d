/** What a look-up answers for a block: `null` for one that never was, an error for one that was pruned (CONTRACT 2). */
import { hasBlock } from '../../chain/chain.ts'
import type { Missing, Moment } from '../../chain/moment.ts'
import type { Block } from '../../model/block/block.ts'
import { Problem } from '../problem.ts'

/** What `answer` makes of the block that was found. */
export function lookedUp<T>(found: Moment | Missing, answer: (block: Block) => T): T | null {
  if (hasBlock(found)) return answer(found.block)
  if (found.kind === 'prunedHistory') throw new Problem(found)
  return null
}
