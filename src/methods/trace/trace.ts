import type { Block } from '../../model/block/block.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { lookedUp } from '../../rpc/shownBlocks.ts'
import { parseAccountOverrides, parseBlockOverrides, parseCall } from '../../wire/call.ts'
import { encodeFlatTrace } from '../../wire/encodeTrace.ts'
import { matchesTraceFilter, parseTraceFilter } from '../../wire/filter.ts'
import { parseHash } from '../../wire/hex.ts'
import { parseRawTransaction } from '../../wire/includedTransaction.ts'
import { optional, withDefault } from '../../wire/parser.ts'
import { parseSelector } from '../../wire/selector.ts'
import {
  encodeTraceResults,
  parseIndices,
  parseTracedCalls,
  parseTraceKinds,
} from '../../wire/traceResults.ts'
import {
  resultsAt,
  resultsOfBlock,
  resultsOfCalls,
  resultsOfTransaction,
  type TracedTransaction,
  tracedTransaction,
  tracedTransactions,
} from './traceResults.ts'

export const trace_transaction = read.long(params(parseHash), async (context, hash) => {
  const found = await tracedTransaction(context, hash)
  return found === undefined ? null : encodeTraced(found)
})

export const trace_block = read.long(params(parseSelector), (context, at) =>
  lookedUp(context.chain.at(at), async (block) =>
    (await tracedTransactions(context, block)).flatMap(encodeTraced),
  ),
)

/** Returns the matching frames in a range of blocks, in the order in which they ran. */
export const trace_filter = read.long(params(parseTraceFilter), async (context, filter) => {
  const { after, count = Number.POSITIVE_INFINITY } = filter
  const first = context.blockAt(filter.from).header.number
  const last = context.blockAt(filter.to).header.number
  if (first > last) throw new Problem({ kind: 'reversedRange', from: first, to: last })
  const found: unknown[] = []
  let left = after
  for (let number = first; number <= last && found.length < count; number++) {
    await context.work.pause()
    for (const { block, index, frames } of await tracedTransactions(
      context,
      blockOf(context, number, filter.to),
    )) {
      const matching = frames.filter((frame) => matchesTraceFilter(filter, frame))
      found.push(...encodeFlatTrace(matching.slice(left), block, index))
      left = Math.max(0, left - matching.length)
    }
  }
  return found.slice(0, count)
})

/** Returns the block with this number. Finds the open block by `last`, the selector of the range's end. */
function blockOf(context: ReadContext, number: bigint, last: Parameters<ReadContext['blockAt']>[0]): Block {
  const { preconfirmed } = context.chain
  const isOpen = preconfirmed?.block.header.number === number
  return context.blockAt(isOpen ? last : { kind: 'number', number })
}

/** Returns the results of each transaction of the block; an empty list for an unknown block, as in anvil. */
export const trace_replayBlockTransactions = read.long(
  params(parseSelector, parseTraceKinds),
  async (context, at, kinds) => {
    const replayed = lookedUp(context.chain.at(at), async (block) =>
      (await resultsOfBlock(context, block, kinds)).map((results, index) => ({
        ...encodeTraceResults(results, kinds),
        transactionHash: block.transactions[index]!.hash,
      })),
    )
    return (await replayed) ?? []
  },
)

export const trace_replayTransaction = read.long(
  params(parseHash, parseTraceKinds),
  async (context, hash, kinds) => {
    const found = context.chain.find(hash)
    if (found === undefined) throw new Problem({ kind: 'unknownTransaction', hash })
    return encodeTraceResults(await resultsAt(context, found.block, found.index, kinds), kinds)
  },
)

/** Traces a call. Accepts the overrides of eth_call, as reth does. */
export const trace_call = read.long(
  params(
    parseCall,
    parseTraceKinds,
    optional(parseSelector),
    withDefault(parseAccountOverrides, []),
    withDefault(parseBlockOverrides, {}),
  ),
  async (context, call, kinds, at, accounts, block) => {
    const environment = context.environment(at, accounts, block)
    const [results] = await resultsOfCalls(context, environment, [[call, kinds]])
    return encodeTraceResults(results!, kinds)
  },
)

export const trace_callMany = read.long(
  params(parseTracedCalls, optional(parseSelector)),
  async (context, calls, at) => {
    const results = await resultsOfCalls(context, context.environment(at), calls)
    return results.map((each, i) => encodeTraceResults(each, calls[i]![1]))
  },
)

export const trace_rawTransaction = read.long(
  params(parseRawTransaction, parseTraceKinds, optional(parseSelector)),
  async (context, { transaction }, kinds, at) =>
    encodeTraceResults(await resultsOfTransaction(context.environment(at), transaction, kinds), kinds),
)

/** Returns one frame of a transaction by its index. Returns `null` unless exactly one index is given, as in reth. */
export const trace_get = read.long(params(parseHash, parseIndices), async (context, hash, indices) => {
  const found = indices.length === 1 ? await tracedTransaction(context, hash) : undefined
  return (found && encodeTraced(found)[indices[0]!]) ?? null
})

function encodeTraced({ block, index, frames }: TracedTransaction): unknown[] {
  return encodeFlatTrace(frames, block, index)
}
