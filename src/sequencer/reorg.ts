/** The blocks that replace removed ones in a reorg. */
import type { Moment } from '../chain/moment.ts'
import { sentIn } from '../model/block/block.ts'
import type { ReorgRequest } from '../model/fault.ts'
import type { Transaction } from '../model/transaction/transaction.ts'

/** Returns the transactions of each block that replaces the `removed` ones. */
export function replacements(
  { depth, transactions, blocks = depth }: ReorgRequest,
  removed: readonly Moment[],
): readonly (readonly Transaction[])[] {
  const listOf = (i: number): readonly Transaction[] => {
    if (typeof transactions !== 'string') return transactions[i] ?? []
    const before = removed[i]
    return transactions === 'keep' && before !== undefined ? sentIn(before.block) : []
  }
  return Array.from({ length: blocks }, (_, i) => listOf(i))
}
