/**
 * What is in a block, in parts: `preseal_getBlockSummary`, `preseal_listTransactions`, `preseal_listLogs`. A block under construction may
 * have tens of thousands of transactions and changes with each slice; who shows it asks for what is seen.
 */

import type { Address } from '../../bytes/hex.ts'
import { ZERO_HASH } from '../../bytes/hex.ts'
import { type Block, briefOf, endsAt, logAt, receiptAt, transactionCount } from '../../model/block/block.ts'
import type { Selector } from '../../model/selector.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { longMethod, method, params } from '../../rpc/method.ts'
import { lookedUp } from '../../rpc/shownBlocks.ts'
import { smallAmount } from '../../wire/amount.ts'
import { encodeLogs } from '../../wire/encode.ts'
import { encodeContentSummary, encodeListedTransaction, logCountIn } from '../../wire/encodeContent.ts'
import { encodeQuantity } from '../../wire/hex.ts'
import { pageOf } from '../../wire/page.ts'
import type { JsonObject } from '../../wire/parser.ts'
import { parseSelector } from '../../wire/selector.ts'
import { parseTransactionsPart } from '../../wire/transactionsPart.ts'

/** Returns a block without its transactions, in numbers; `null` if there is none. */
export const preseal_getBlockSummary = method(params(parseSelector), ({ chain }, at) =>
  lookedUp(chain.at(at), (block) =>
    encodeContentSummary(block, block.hash !== ZERO_HASH && chain.isRemoved(block.hash)),
  ),
)

/**
 * Returns transactions of a block in few words; `null` if there is no block. `total` is the number of all, `next` is `after` of the
 * next page.
 */
export const preseal_listTransactions = longMethod(
  params(parseSelector, parseTransactionsPart),
  async (context, at, { limit, after, order, address }) => {
    const block = blockAt(context, at)
    if (block === null) return null
    const total = transactionCount(block)
    const step = order === 'oldest' ? 1 : -1
    const start = step === 1 ? 0 : total - 1
    const transactions: JsonObject[] = []
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

/** Returns logs of a block in their order; `null` if there is no block. `after` is the index of a log in the block. */
export const preseal_listLogs = longMethod(
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

function blockAt({ chain }: RpcContext, at: Selector): Block | null {
  return lookedUp(chain.at(at), (block) => block)
}

function involves(block: Block, index: number, address: Address): boolean {
  const { from, to } = endsAt(block, index)
  return (
    from === address ||
    to === address ||
    (to === undefined && receiptAt(block, index).contractAddress === address)
  )
}
