/** How a block grew: what stood in it after each slice, and what each brought. */
import { isMoment } from '../../chain/chain.ts'
import { firstOf, type Preconfirmed, slicesOf } from '../../chain/moment.ts'
import { logsOf } from '../../model/block/block.ts'
import { encodeBlock, encodeLog } from '../../wire/encode.ts'
import { encodeQuantity } from '../../wire/hex.ts'
import { parseSelector } from '../../wire/selector.ts'
import { method, params } from '../method.ts'
import { Problem } from '../problem.ts'
import { withRoots } from '../shownBlocks.ts'

/** The slices of a block, of the one under construction under `pending`; none where they were let go, or never were. */
export const preseal_getSlices = method(params(parseSelector), ({ chain }, at) => {
  const found = chain.at(at)
  if (!isMoment(found)) throw new Problem(found)
  const last = found === chain.preconfirmed ? chain.preconfirmed : found.lastSlice
  return slicesOf(last).map(encodeSlice)
})

/** What the slice brought (its delta), and the block with all that came before (cumulative). */
function encodeSlice(slice: Preconfirmed): unknown {
  const { block, slices } = slice
  const first = firstOf(slice)
  const before = first === 0 ? 0n : block.receipts[first - 1]!.cumulativeGasUsed
  return {
    index: encodeQuantity(slices),
    transactions: block.transactions.slice(first).map(({ hash }) => hash),
    logs: [...logsOf(block, first)].map(encodeLog),
    gasUsed: encodeQuantity(block.header.gasUsed - before),
    block: encodeBlock(withRoots(block), 'hashes'),
  }
}
