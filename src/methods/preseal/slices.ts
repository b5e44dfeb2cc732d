/** `preseal_getSlices`: the slices of a block. */
import { isMoment } from '../../chain/chain.ts'
import { firstOf, gasUsedIn, type SliceMoment, slicesOf } from '../../chain/moment.ts'
import { logsOf } from '../../model/block/block.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { longMethod, params } from '../../rpc/method.ts'
import { withRoots } from '../../rpc/shownBlocks.ts'
import { encodeBlock, encodeLog } from '../../wire/encode.ts'
import { encodeSummary } from '../../wire/encodeSummary.ts'
import { encodeQuantity } from '../../wire/hex.ts'
import { parseSelector } from '../../wire/selector.ts'
import { parseSlicesPart } from '../../wire/slicesPart.ts'

/**
 * Returns the slices of a block; of the block under construction under `pending`; none if they were pruned or never
 * existed. Of an open block with many slices all blocks after them are much: `part` asks for fewer slices, or for numbers alone.
 */
export const preseal_getSlices = longMethod(
  params(parseSelector, parseSlicesPart),
  async ({ chain, work }, at, { after, limit, show }) => {
    const found = chain.at(at)
    if (!isMoment(found)) throw new Problem(found)
    const last = found === chain.preconfirmed ? chain.preconfirmed : found.lastSlice
    const wanted = slicesOf(last)
      .filter(({ slices }) => after === undefined || slices > after)
      .slice(0, limit)
    const encode = ENCODERS[show]
    const answer: unknown[] = []
    for (const slice of wanted) {
      await work.pause()
      answer.push(encode(slice))
    }
    return answer
  },
)

const ENCODERS = { blocks: encodeSlice, counts: encodeCounts }

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

/** The same in numbers, for which nothing is copied or hashed that was there before the slice. */
function encodeCounts(slice: SliceMoment): unknown {
  const { block, slices } = slice
  const first = firstOf(slice)
  let logs = 0
  for (const { logs: own } of block.receipts.slice(first)) logs += own.length
  return {
    index: encodeQuantity(slices),
    transactionCount: encodeQuantity(block.transactions.length - first),
    logCount: encodeQuantity(logs),
    gasUsed: encodeQuantity(gasUsedIn(slice)),
    block: encodeSummary(block),
  }
}
