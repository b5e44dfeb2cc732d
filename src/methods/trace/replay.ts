import type { CallRefusal } from '../../engine/run/runCall.ts'
import { type ReplayedBlock, traceAt, traceBlock, type Unrepeatable } from '../../engine/trace/traceBlock.ts'
import type { TracerMaker, TraceTooLarge } from '../../engine/trace/tracer.ts'
import { namesOf } from '../../model/api/arguments.ts'
import type { Block } from '../../model/block/block.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import type { ReadContext } from '../../rpc/readContext.ts'

/** Returns `trace`. Throws a `Problem` if `trace` is a reason why the run cannot be traced. */
function traced<Result extends { readonly kind: string }>(
  trace: Result | TraceTooLarge | Unrepeatable,
): Result {
  if (isMissing(trace)) throw new Problem(trace)
  return trace
}

function isMissing(trace: { readonly kind: string }): trace is TraceTooLarge | Unrepeatable {
  return trace.kind === 'traceTooLarge' || trace.kind === 'unrepeatable'
}

/** Returns the trace of a call. Throws a `Problem` if the trace is too large or the call is refused. */
export function tracedCall<Result extends { readonly kind: string }>(
  trace: Result | TraceTooLarge | CallRefusal,
): Result {
  if (isRefusal(trace)) throw new Problem({ kind: 'refusedCall', refusal: trace })
  return traced(trace)
}

function isRefusal(trace: { readonly kind: string }): trace is CallRefusal {
  return REFUSALS.has(trace.kind as CallRefusal['kind'])
}

const REFUSALS = namesOf<Record<CallRefusal['kind'], unknown>>({
  insufficientFunds: true,
  intrinsicGasTooLow: true,
  feeBelowBaseFee: true,
  tipAboveFee: true,
})

export async function tracedAt<Result extends { readonly kind: string }>(
  context: ReadContext,
  block: Block,
  index: number,
  tracer: TracerMaker<Result>,
): Promise<Result> {
  return traced(await traceAt(replayOf(context, block), index, tracer))
}

export async function tracedBlock<Result extends { readonly kind: string }>(
  context: ReadContext,
  block: Block,
  tracer: TracerMaker<Result>,
): Promise<readonly Result[]> {
  // The first block has no parent to replay it on. As in anvil, the traces of such a block are empty.
  if (block.transactions.length === 0) return []
  const traces = await traceBlock(replayOf(context, block), tracer)
  if ('kind' in traces) throw new Problem(traces)
  return traces
}

export function replayOf(context: ReadContext, block: Block): ReplayedBlock {
  const { header } = block
  if (header.number === BigInt(context.chain.state.history.first))
    throw new Problem({ kind: 'genesisNotTraceable' })
  return {
    evm: context.evms.withChainId(chainIdOf(block)).at(header).for(context.work),
    block,
    // The parent is looked up by number, so that a pruned parent is reported by an error.
    parent: context.at({ kind: 'number', number: header.number - 1n }).state,
    blockHash: context.chain.blockHash,
  }
}

/** Returns the chain id for which the transactions were signed. It may differ from the present chain id. */
function chainIdOf({ transactions }: Block): bigint | undefined {
  return transactions.find(({ chainId }) => chainId !== undefined)?.chainId
}
