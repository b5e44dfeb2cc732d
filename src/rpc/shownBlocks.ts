import { ZERO_HASH } from '../bytes/hex.ts'
import { hasBlock } from '../chain/chain.ts'
import type { Missing, Moment } from '../chain/moment.ts'
import type { Block } from '../model/block/block.ts'
import { rootedHeader } from '../state/roots.ts'
import { Problem } from './errors/problem.ts'

/** Returns the block. A block under construction gets the roots of its current content. */
export function withRoots(block: Block): Block {
  if (block.hash !== ZERO_HASH) return block
  // A spread would omit some members if the block is stored as bytes.
  const { hash, transactions, ommers, withdrawals, receipts } = block
  return { header: rootedHeader(block), hash, transactions, ommers, withdrawals, receipts }
}

/** Returns the result of `answer` for a block; `null` for an unknown block. Throws a `Problem` for a pruned block. */
export function lookedUp<T>(found: Moment | Missing, answer: (block: Block) => T): T | null {
  if (hasBlock(found)) return answer(found.block)
  if (found.kind === 'prunedHistory') throw new Problem(found)
  return null
}
