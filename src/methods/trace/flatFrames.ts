/** The call frames of transactions as a list, found by running their block again. */

import type { Hash } from '../../bytes/hex.ts'
import { tracerFor } from '../../engine/trace/createTracer.ts'
import { traceAt, traceBlock } from '../../engine/trace/traceBlock.ts'
import type { Block } from '../../model/block/block.ts'
import type { FlatFrame, Trace, TraceRequest } from '../../model/execution/trace.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { replayOf, traced } from './replay.ts'

export const FLAT: TraceRequest = { kind: 'flat' }

/** A transaction, its place, and its frames. */
export interface TracedTransaction {
  readonly block: Block
  readonly index: number
  readonly frames: readonly FlatFrame[]
}

/** Returns the transaction with its frames; `undefined` if it is in no block. */
export async function tracedTransaction(
  context: RpcContext,
  hash: Hash,
): Promise<TracedTransaction | undefined> {
  const found = context.chain.find(hash)
  if (found === undefined) return undefined
  const { block, index } = found
  return {
    block,
    index,
    frames: framesOf(traced(await traceAt(replayOf(context, block), index, tracerFor(FLAT)))),
  }
}

/** Returns all transactions of the block with their frames. */
export async function tracedTransactions(context: RpcContext, block: Block): Promise<TracedTransaction[]> {
  // Block 0 and empty blocks have no transactions.
  if (block.transactions.length === 0) return []
  const traces = await traceBlock(replayOf(context, block), tracerFor(FLAT))
  if ('kind' in traces) throw new Problem(traces)
  return traces.map((trace, index) => ({ block, index, frames: framesOf(trace) }))
}

/** Returns the frames of a flat trace. */
export function framesOf(trace: Trace): readonly FlatFrame[] {
  return trace.kind === 'flat' ? trace.frames : []
}
