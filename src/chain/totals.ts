import { type Block, isEmpty, userTransactions } from '../model/block/block.ts'

/** Counts over all blocks from the first to one block. With these counts, binary searches find blocks. */
export interface Totals {
  readonly transactions: number
  /** The number of transactions that are not deposits. */
  readonly sent: number
  readonly failed: number
  /** The number of groups. Consecutive empty blocks after the first block form one group, each other block its own. */
  readonly groups: number
  readonly isEmpty: boolean
}

/** Returns the totals up to `block`: for an empty block after an empty block, the object `before`, to save memory. */
export function totalsAfter(before: Totals | undefined, block: Block): Totals {
  if (before?.isEmpty === true && block.transactions.length === 0) return before
  const { transactions = 0, sent = 0, failed = 0, groups = 0, isEmpty: isInGroup = false } = before ?? {}
  const isAdded = !isEmpty(block) || !isInGroup
  return {
    transactions: transactions + block.transactions.length,
    sent: sent + userTransactions(block).length,
    failed: failed + block.receipts.filter(({ status }) => status !== 'success').length,
    groups: groups + (isAdded ? 1 : 0),
    isEmpty: before !== undefined && isEmpty(block),
  }
}
