/** `preseal_listBlocks`: the sealed blocks in few words, for lists of thousands of them. */
import { hasBlock } from '../../chain/chain.ts'
import { hasState, type SealedBlock } from '../../chain/moment.ts'
import { longMethod, params } from '../../rpc/method.ts'
import { type ForkedNetwork, NetworkRefused } from '../../upstream/forkedNetwork.ts'
import { UpstreamFailed } from '../../upstream/upstreamFailed.ts'
import { encodeSummary } from '../../wire/encodeSummary.ts'
import { encodeQuantity, parseUint64 } from '../../wire/hex.ts'
import { pageOf } from '../../wire/page.ts'
import { InvalidValue, type JsonObject } from '../../wire/parser.ts'

/**
 * Returns sealed blocks, the newest first: from the newest, or from the one before the block `after`. `latest` and `first` are the
 * numbers of the newest block and of the first of this chain (of a fork: of the block on which it began, whose `transactionCount` is
 * `null` if its network does not tell it); `next` is `after` of the next
 * page. Blocks that are no longer kept are left out.
 */
export const preseal_listBlocks = longMethod(
  params(pageOf(parseUint64, 100, 1_000)),
  async ({ chain, network, work }, { limit, after }) => {
    const { history } = chain.state
    const latest = history.latest.block.header.number
    const first = BigInt(history.first)
    const oldest = BigInt(history.oldest)
    const blocks: JsonObject[] = []
    let number = after === undefined || after > latest ? latest : after - 1n
    while (number >= first && blocks.length < limit) {
      // The first block is kept always.
      if (number < oldest) number = first
      await work.pause()
      const found = chain.at({ kind: 'number', number })
      if (hasBlock(found)) blocks.push(encodeListed(found))
      number--
    }
    const last = blocks.at(-1)
    if (network !== undefined && last?.hash === network.block.hash) {
      // Its transactions are not here.
      blocks[blocks.length - 1] = { ...last, transactionCount: await countOnNetwork(network) }
    }
    return {
      latest: encodeQuantity(latest),
      first: encodeQuantity(first),
      blocks,
      next: number < first ? null : encodeQuantity(number + 1n),
    }
  },
)

/** Returns how many transactions the fork block has; `null` if its node does not tell. */
async function countOnNetwork(network: ForkedNetwork): Promise<string | null> {
  const request = { method: 'eth_getBlockTransactionCountByHash', params: [network.block.hash] }
  try {
    return encodeQuantity(parseUint64(await network.ask(request), 'count'))
  } catch (error) {
    if (isUnanswered(error)) return null
    throw error
  }
}

function isUnanswered(error: unknown): boolean {
  return error instanceof UpstreamFailed || error instanceof NetworkRefused || error instanceof InvalidValue
}

function encodeListed(sealed: SealedBlock): JsonObject {
  const slices = hasState(sealed) ? sealed.lastSlice?.slices : undefined
  return {
    ...encodeSummary(sealed.block),
    // Not of a block without slices, nor where they are no longer kept.
    slices: slices === undefined ? null : encodeQuantity(slices),
  }
}
