/** Methods that return the content of blocks in pages, because a block may have tens of thousands of transactions. */

import { ZERO_HASH } from '../../bytes/hex.ts'
import { type Chain, hasBlock, isMoment } from '../../chain/chain.ts'
import type { History } from '../../chain/history.ts'
import {
  firstTransactionIndex,
  gasUsedIn,
  hasState,
  type SealedBlock,
  type SliceMoment,
  slicesOf,
} from '../../chain/moment.ts'
import { type Block, briefOf, logAt, logsOf, transactionCount } from '../../model/block/block.ts'
import type { Selector } from '../../model/block/selector.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { lookedUp, withRoots } from '../../rpc/shownBlocks.ts'
import { type ForkedNetwork, NetworkRefused } from '../../upstream/forkedNetwork.ts'
import { UpstreamFailed } from '../../upstream/upstream.ts'
import {
  encodeContentSummary,
  encodeListedTransaction,
  logCountIn,
  parseBlocksPart,
  parseSlicesPart,
  parseTransactionsPart,
  type RpcListedTransaction,
} from '../../wire/blockContent.ts'
import { encodeBlock, encodeLog, encodeLogs, encodeSummary } from '../../wire/encode.ts'
import { encodeQuantity, parseUint64, smallAmount } from '../../wire/hex.ts'
import { InvalidValue, type JsonObject } from '../../wire/parser.ts'
import { pageOf } from '../../wire/parts.ts'
import { parseSelector } from '../../wire/selector.ts'
import { involves } from './transactions.ts'

export const preseal_getBlockSummary = read(params(parseSelector), ({ chain }, at) =>
  lookedUp(chain.at(at), (block) =>
    encodeContentSummary(block, block.hash !== ZERO_HASH && chain.isRemoved(block.hash)),
  ),
)

/** Returns a page of transactions; `null` for an unknown block. `next` is the parameter `after` for the next page. */
export const preseal_listTransactions = read.long(
  params(parseSelector, parseTransactionsPart),
  async (context, at, { limit, after, order, address }) => {
    const block = blockAt(context, at)
    if (block === null) return null
    const total = transactionCount(block)
    const step = order === 'oldest' ? 1 : -1
    const start = step === 1 ? 0 : total - 1
    const transactions: RpcListedTransaction[] = []
    let index = after === undefined ? start : step === 1 ? after + 1 : Math.min(after, total) - 1
    for (; index >= 0 && index < total && transactions.length < limit; index += step) {
      await context.work.pause()
      if (address === undefined || involves(block, index, address))
        transactions.push(encodeListedTransaction(block, index))
    }
    return {
      blockNumber: encodeQuantity(briefOf(block).number),
      total: encodeQuantity(total),
      transactions,
      next: index >= 0 && index < total ? encodeQuantity(index - step) : null,
    }
  },
)

/** Returns a page of a block's logs; `null` for an unknown block. `after` is the index of a log in the block. */
export const preseal_listLogs = read.long(
  params(parseSelector, pageOf(smallAmount(Number.MAX_SAFE_INTEGER), 100, 1_000)),
  async (context, at, { limit, after }) => {
    const block = blockAt(context, at)
    if (block === null) return null
    const total = logCountIn(block)
    const first = after === undefined ? 0 : after + 1
    const end = Math.min(total, first + limit)
    const logs = []
    for (let index = first; index < end; index++) {
      await context.work.pause()
      logs.push(logAt(block, index))
    }
    return {
      total: encodeQuantity(total),
      logs: encodeLogs(logs),
      next: end < total ? encodeQuantity(end - 1) : null,
    }
  },
)

function blockAt({ chain }: ReadContext, at: Selector): Block | null {
  return lookedUp(chain.at(at), (block) => block)
}

/**
 * Returns sealed blocks before the block `after`, newest first, without pruned blocks. `latest` and `first` are the
 * numbers of the newest and the first block of the chain. On a fork, the first block is the fork block, whose
 * `transactionCount` is `null` if the node does not report it. `next` is the parameter `after` for the next page.
 * `total` counts the entries of the whole list. `removed` of an entry are blocks in its place that a reorg removed.
 */
export const preseal_listBlocks = read.long(
  params(parseBlocksPart),
  async ({ chain, network, work }, { limit, after, offset, empty }) => {
    const { history } = chain.state
    const { first, end } = history
    const latest = end - 1
    const entries = entriesOf(history, empty)
    const start = after === undefined || after > latest ? latest : Number(after) - 1
    const removed = removedBlocks(chain)
    let index = start < first ? -1 : entries.indexOf(start) - offset
    let last = start + 1
    const blocks: JsonObject[] = []
    for (; index >= 0 && blocks.length < limit; index--) {
      await work.pause()
      const { oldest, newest } = entries.at(index)
      const number = Math.min(newest, start)
      last = oldest
      const found = chain.at({ kind: 'number', number: BigInt(number) })
      if (!hasBlock(found)) continue
      // Removed blocks above the newest block belong to the newest entry.
      const gone = removed.filter(
        (one) => one.number >= oldest && (one.number <= number || number === latest),
      )
      blocks.push({
        ...encodeListed(found),
        ...joinedFrom(history.block(oldest), number),
        ...(gone.length > 0 && { removed: gone.map(({ block }) => encodeSummary(block)) }),
      })
    }
    const final = blocks.at(-1)
    if (network !== undefined && final?.hash === network.block.hash) {
      // The node is asked for the count, because the devnet does not have the transactions of the fork block.
      blocks[blocks.length - 1] = { ...final, transactionCount: await countOnNetwork(network) }
    }
    return {
      latest: encodeQuantity(latest),
      first: encodeQuantity(first),
      total: encodeQuantity(entries.indexOf(latest) + 1),
      blocks,
      next: index < 0 ? null : encodeQuantity(last),
    }
  },
)

/** Returns the number of empty blocks in an entry, and the oldest's timestamp; nothing in an entry for one block. */
function joinedFrom(oldest: Block | undefined, newest: number): JsonObject {
  if (oldest === undefined) return {}
  const { number, timestamp } = briefOf(oldest)
  const count = newest - Number(number) + 1
  return count === 1 ? {} : { emptyBlocks: encodeQuantity(count), emptySince: encodeQuantity(timestamp) }
}

/** Returns the list of blocks, oldest first, by index. Each entry is a range of block numbers. */
function entriesOf(history: History, empty: 'each' | 'joined') {
  if (empty === 'joined')
    return {
      indexOf: (number: number) => history.groupOf(number),
      at: (index: number) => history.group(index),
    }
  const { lowest } = history
  return {
    indexOf: (number: number) => Math.max(0, number - lowest + 1),
    at: (index: number) => {
      const number = index === 0 ? history.first : lowest + index - 1
      return { oldest: number, newest: number }
    },
  }
}

/** Returns the blocks that reorgs removed, highest number first. */
function removedBlocks(chain: Chain) {
  return Array.from(chain.state.removed.entries(), ([, { block }]) => block)
    .filter(({ hash }) => chain.isRemoved(hash))
    .map((block) => ({ block, number: Number(block.header.number) }))
    .sort((one, other) => other.number - one.number)
}

/** Returns the number of transactions in the fork block; `null` if the node does not report it. */
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
    // `null` if the block was made without slices, or if its slices were pruned.
    slices: slices === undefined ? null : encodeQuantity(slices),
  }
}

/** Returns the slices of a block, except pruned ones: the page that the second parameter selects, or only counts. */
export const preseal_getSlices = read.long(
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

/** Returns the transactions, logs and gas of the slice, and the block after the slice. */
function encodeSlice(slice: SliceMoment): unknown {
  const { block, slices } = slice
  const first = firstTransactionIndex(slice)
  return {
    index: encodeQuantity(slices),
    transactions: block.transactions.slice(first).map(({ hash }) => hash),
    logs: [...logsOf(block, first)].map(encodeLog),
    gasUsed: encodeQuantity(gasUsedIn(slice)),
    block: encodeBlock(withRoots(block), 'hashes'),
  }
}

/** Returns the numbers of transactions and logs in the slice, in a time that does not depend on earlier slices. */
function encodeCounts(slice: SliceMoment): unknown {
  const { block, slices } = slice
  const first = firstTransactionIndex(slice)
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
