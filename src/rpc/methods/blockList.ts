/** `preseal_listBlocks`: the sealed blocks in few words, for lists of thousands of them. */
import { hasBlock } from '../../chain/chain.ts'
import { hasState, type SealedBlock } from '../../chain/moment.ts'
import { encodeQuantity, parseUint64 } from '../../wire/hex.ts'
import { pageOf } from '../../wire/page.ts'
import { longMethod, params } from '../method.ts'

/**
 * Returns sealed blocks, the newest first: from the newest, or from the one before the block `after`. `latest` and `first` are the
 * numbers of the newest block and of the first of this chain (of a fork: of the block on which it began); `next` is `after` of the next
 * page. Blocks that are no longer kept are left out.
 */
export const preseal_listBlocks = longMethod(
  params(pageOf(parseUint64, 100, 1_000)),
  async ({ chain, work }, { limit, after }) => {
    const { history } = chain.state
    const latest = history.latest.block.header.number
    const first = BigInt(history.first)
    const oldest = BigInt(history.oldest)
    const blocks: object[] = []
    let number = after === undefined || after > latest ? latest : after - 1n
    while (number >= first && blocks.length < limit) {
      // The first block is kept always.
      if (number < oldest) number = first
      await work.pause()
      const found = chain.at({ kind: 'number', number })
      if (hasBlock(found)) blocks.push(encodeListed(found))
      number--
    }
    return {
      latest: encodeQuantity(latest),
      first: encodeQuantity(first),
      blocks,
      next: number < first ? null : encodeQuantity(number + 1n),
    }
  },
)

function encodeListed(sealed: SealedBlock): object {
  const { block } = sealed
  const { number, timestamp, gasUsed, gasLimit, baseFeePerGas } = block.header
  const slices = hasState(sealed) ? sealed.lastSlice?.slices : undefined
  return {
    number: encodeQuantity(number),
    hash: block.hash,
    timestamp: encodeQuantity(timestamp),
    transactionCount: encodeQuantity(block.transactions.length),
    // Not of a block without slices, nor where they are no longer kept.
    slices: slices === undefined ? null : encodeQuantity(slices),
    gasUsed: encodeQuantity(gasUsed),
    gasLimit: encodeQuantity(gasLimit),
    baseFeePerGas: baseFeePerGas === undefined ? null : encodeQuantity(baseFeePerGas),
  }
}
