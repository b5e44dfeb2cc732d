/** Methods of both chains of a bridge: which chains they are, how one is derived from the other, and their messages. */

import { hasState, type Moment } from '../chain/moment.ts'
import { params, read } from '../rpc/method.ts'
import type { Pair, ReadContext } from '../rpc/readContext.ts'
import {
  encodeBridgeMessage,
  encodeEpochBlock,
  parseEpochPart,
  parseMessagePart,
  type RpcBridge,
  type RpcBridgeMessage,
  type RpcEpoch,
  type RpcEpochBlock,
  type RpcEpochs,
} from '../wire/bridgeMessages.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { l1Of, withoutL1 } from './l1.ts'
import { originOf } from './l1Origin.ts'
import { bridgeMessages } from './messages.ts'

/** Returns the L1 and the L2, and which of them was asked; `null` for a devnet without an L1. */
export const preseal_getBridge = read(params(), ({ pair, chain }): RpcBridge | null => {
  if (pair === undefined) return null
  const { l1, l2 } = pair
  const { optimismPortal2: portal } = l1Of(pair).bridge
  return { chain: chain === l1.chain ? 'l1' : 'l2', l1: chainOf(l1), l2: chainOf(l2), portal }
})

function chainOf({ chainId, pageUrls }: ReadContext): RpcBridge['l1'] {
  const [pageUrl = null] = pageUrls
  return { chainId: encodeQuantity(chainId), pageUrl }
}

/** Returns a part of the deposits and withdrawals, newest first, and their number. */
export const preseal_getBridgeMessages = read.long(
  params(parseMessagePart),
  async (context, { limit, offset }) => {
    const { total, messages: all } = bridgeMessages(pairOf(context))
    const messages: RpcBridgeMessage[] = []
    let index = 0
    for (const message of all) {
      if (messages.length === limit) break
      await context.work.pause()
      if (index++ >= offset) messages.push(encodeBridgeMessage(message()))
    }
    return { total: encodeQuantity(total), messages }
  },
)

/** The most L2 blocks that an epoch lists. */
const MOST_BLOCKS = 12

/** Returns the newest L1 blocks, each with the L2 blocks that have it as their L1 origin, and the heads of both chains. */
export const preseal_listEpochs = read(params(parseEpochPart), (context, { limit }): RpcEpochs => {
  const { l1, l2 } = pairOf(context)
  const { history } = l1.chain.state
  const epochs: RpcEpoch[] = []
  let newest: Moment | undefined = l2.chain.pending
  for (let number = history.end - 1; epochs.length < limit; number--) {
    const block = history.block(number)
    if (block === undefined) break
    const blocks: RpcEpochBlock[] = []
    let blockCount = 0
    const origin = newest && originOf(newest)
    if (newest !== undefined && origin?.number === BigInt(number)) {
      blockCount = Number(origin.sequenceNumber) + 1
      const last = Number(newest.block.header.number)
      for (let i = 0; i < Math.min(blockCount, MOST_BLOCKS); i++) {
        const moment = i === 0 ? newest : momentAt(l2, last - i)
        if (moment !== undefined) blocks.push(encodeEpochBlock(moment.block))
      }
      newest = momentAt(l2, last - blockCount)
    }
    epochs.push({ ...encodeEpochBlock(block), blockCount: encodeQuantity(blockCount), blocks })
  }
  return { l1: headsOf(l1), l2: headsOf(l2), epochs }
})

function momentAt({ chain }: ReadContext, number: number): Moment | undefined {
  const kept = chain.state.history.keptBlock(number)
  return kept !== undefined && hasState(kept) ? kept : undefined
}

function headsOf(context: ReadContext): RpcEpochs['l1'] {
  const numberAt = (tag: 'latest' | 'safe' | 'finalized') =>
    encodeQuantity(context.blockAt({ kind: 'tag', tag }).header.number)
  return { latest: numberAt('latest'), safe: numberAt('safe'), finalized: numberAt('finalized') }
}

function pairOf({ pair }: ReadContext): Pair {
  if (pair !== undefined) return pair
  throw withoutL1()
}
