/** What comes in place of blocks that are taken off the chain. */
import type { Moment } from '../chain/moment.ts'
import { sentIn } from '../model/block/block.ts'
import type { ReorgRequest } from '../model/fault.ts'
import type { Transaction } from '../model/transaction/transaction.ts'

/** The transactions of each block that comes in place of the `removed` ones. */
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
