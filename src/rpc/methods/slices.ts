/** `preseal_getSlices`: the slices of a block. */
import { isMoment } from '../../chain/chain.ts'
import { firstOf, gasUsedIn, type SliceMoment, slicesOf } from '../../chain/moment.ts'
import { logsOf } from '../../model/block/block.ts'
import { encodeBlock, encodeLog } from '../../wire/encode.ts'
import { encodeQuantity } from '../../wire/hex.ts'
import { parseSelector } from '../../wire/selector.ts'
import { method, params } from '../method.ts'
import { Problem } from '../problem.ts'
import { withRoots } from '../shownBlocks.ts'

/**
 * Returns the slices of a block; of the block under construction under `pending`; none if they were pruned or never
 * existed.
 */
export const preseal_getSlices = method(params(parseSelector), ({ chain }, at) => {
  const found = chain.at(at)
  if (!isMoment(found)) throw new Problem(found)
  const last = found === chain.preconfirmed ? chain.preconfirmed : found.lastSlice
  return slicesOf(last).map(encodeSlice)
})

/** Returns the new part of the slice (its delta), and the whole block up to it (cumulative). */
function encodeSlice(slice: SliceMoment): unknown {
  const { block, slices } = slice
  const first = firstOf(slice)
  return {
    index: encodeQuantity(slices),
    transactions: block.transactions.slice(first).map(({ hash }) => hash),
    logs: [...logsOf(block, first)].map(encodeLog),
    gasUsed: encodeQuantity(gasUsedIn(slice)),
    block: encodeBlock(withRoots(block), 'hashes'),
  }
}
