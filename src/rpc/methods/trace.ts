/** The calls of transactions as a list, in the format of Parity's `trace` namespace. */
import { traceCall } from '../../evm/trace/traceRun.ts'
import type { Block } from '../../model/block/block.ts'
import type { FlatFrame } from '../../model/execution/trace.ts'
import { parseCall } from '../../wire/call.ts'
import { encodeFlatFrame, encodeFlatTrace } from '../../wire/encodeFlatTrace.ts'
import { encodeBytes, parseHash } from '../../wire/hex.ts'
import { parseSelector, parseSelectorOrLatest } from '../../wire/selector.ts'
import { matchesTraceFilter, parseReplayKinds, parseTraceFilter } from '../../wire/traceFilter.ts'
import type { RpcContext } from '../context.ts'
import { longMethod, params } from '../method.ts'
import { Problem } from '../problem.ts'
import { lookedUp } from '../shownBlocks.ts'
import { FLAT, type TracedTransaction, tracedTransaction, tracedTransactions } from './flatFrames.ts'
import { traced } from './replay.ts'

export const trace_transaction = longMethod(params(parseHash), async (context, hash) => {
  const found = await tracedTransaction(context, hash)
  return found === undefined ? null : encodeTraced(found)
})

export const trace_block = longMethod(params(parseSelector), (context, at) =>
  lookedUp(context.chain.at(at), async (block) =>
    (await tracedTransactions(context, block)).flatMap(encodeTraced),
  ),
)

/** Returns the frames in a range of blocks that match the filter, in the order in which they ran. */
export const trace_filter = longMethod(params(parseTraceFilter), async (context, filter) => {
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

/** Returns a block by number; an unsealed block cannot be found by its number. */
function blockOf(context: RpcContext, number: bigint, last: Parameters<RpcContext['blockAt']>[0]): Block {
  const { preconfirmed } = context.chain
  const isOpen = preconfirmed?.block.header.number === number
  return context.blockAt(isOpen ? last : { kind: 'number', number })
}

/**
 * Returns the return data and the frames of each transaction of the block; an empty list for an unknown block
 * (anvil).
 */
export const trace_replayBlockTransactions = longMethod(
  params(parseSelector, parseReplayKinds),
  async (context, at, kinds) => {
    const replayed = lookedUp(context.chain.at(at), async (block) =>
      (await tracedTransactions(context, block)).map(({ index, frames }) => ({
        ...encodeReplay(frames, kinds),
        transactionHash: block.transactions[index]!.hash,
      })),
    )
    return (await replayed) ?? []
  },
)

export const trace_replayTransaction = longMethod(
  params(parseHash, parseReplayKinds),
  async (context, hash, kinds) => {
    const found = await tracedTransaction(context, hash)
    if (found === undefined) throw new Problem({ kind: 'unknownTransaction', hash })
    return encodeReplay(found.frames, kinds)
  },
)

export const trace_call = longMethod(
  params(parseCall, parseReplayKinds, parseSelectorOrLatest),
  async (context, call, kinds, at) => {
    const { evm, scene } = context.environment(at)
    const trace = await traceCall(evm, scene, call, FLAT)
    switch (trace.kind) {
      case 'insufficientFunds':
      case 'intrinsicGasTooLow':
      case 'feeBelowBaseFee':
      case 'tipAboveFee':
        throw new Problem({ kind: 'refusedCall', refusal: trace })
      default: {
        const flat = traced(trace)
        return encodeReplay(flat.kind === 'flat' ? flat.frames : [], kinds)
      }
    }
  },
)

function encodeTraced({ block, index, frames }: TracedTransaction): unknown[] {
  return encodeFlatTrace(frames, block, index)
}

function encodeReplay(frames: readonly FlatFrame[], kinds: readonly 'trace'[]): Record<string, unknown> {
  return {
    output: encodeBytes(frames[0]?.output ?? new Uint8Array()),
    trace: kinds.includes('trace') ? frames.map(encodeFlatFrame) : [],
    stateDiff: null,
    vmTrace: null,
  }
}
