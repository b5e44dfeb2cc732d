/** The calls of transactions in a list, as Parity's `trace` namespace tells them. */
import { traceAt, traceBlock } from '../../evm/trace/traceBlock.ts'
import type { Block } from '../../model/block/block.ts'
import type { Trace, TraceRequest } from '../../model/execution/trace.ts'
import { encodeFlatTrace } from '../../wire/encodeFlatTrace.ts'
import { parseHash } from '../../wire/hex.ts'
import { parseSelector } from '../../wire/selector.ts'
import type { RpcContext } from '../context.ts'
import { longMethod, params } from '../method.ts'
import { Problem } from '../problem.ts'
import { lookedUp } from '../shownBlocks.ts'
import { replayOf, traced } from './replay.ts'

const FLAT: TraceRequest = { kind: 'flat' }

export const trace_transaction = longMethod(params(parseHash), async (context, hash) => {
  const found = context.chain.find(hash)
  if (found === undefined) return null
  const { block, index } = found
  return framesOf(block, index, traced(await traceAt(replayOf(context, block), index, FLAT)))
})

export const trace_block = longMethod(params(parseSelector), (context, at) =>
  lookedUp(context.chain.at(at), (block) => framesIn(context, block)),
)

async function framesIn(context: RpcContext, block: Block): Promise<unknown[]> {
  // Nothing is run in block 0, nor in an empty one.
  if (block.transactions.length === 0) return []
  const traces = await traceBlock(replayOf(context, block), FLAT)
  if ('kind' in traces) throw new Problem(traces)
  return traces.flatMap((trace, index) => framesOf(block, index, trace))
}

function framesOf(block: Block, index: number, trace: Trace): unknown[] {
  return trace.kind === 'flat' ? encodeFlatTrace(trace.frames, block, index) : []
}
