/** Blocks for responses and notifications. */

import { ZERO_HASH } from '../bytes/hex.ts'
import { hasBlock } from '../chain/chain.ts'
import type { Missing, Moment } from '../chain/moment.ts'
import type { Block } from '../model/block/block.ts'
import { rootedHeader } from '../state/roots.ts'
import { Problem } from './errors/problem.ts'

/** Returns the block with the roots of its current content: until it is sealed it has none. */
export function withRoots(block: Block): Block {
  if (block.hash !== ZERO_HASH) return block
  // One by one: a block that is kept as bytes has members that spreading leaves out.
  const { hash, transactions, ommers, withdrawals, receipts } = block
  return { header: rootedHeader(block), hash, transactions, ommers, withdrawals, receipts }
}

/**
 * Returns the result of `answer` for a found block, `null` for an unknown one (CONTRACT 2). Throws for a pruned one.
 */
export function lookedUp<T>(found: Moment | Missing, answer: (block: Block) => T): T | null {
  if (hasBlock(found)) return answer(found.block)
  if (found.kind === 'prunedHistory') throw new Problem(found)
  return null
}
