/** Blocks that are run once more, to be looked at from the inside. */

import type { TraceTooLarge } from '../../evm/trace/budget.ts'
import type { Replay, Unrepeatable } from '../../evm/trace/traceBlock.ts'
import type { Block } from '../../model/block/block.ts'
import type { Trace } from '../../model/execution/trace.ts'
import type { RpcContext } from '../context.ts'
import { Problem } from '../problem.ts'

/** The trace. Throws the problem with what could not be traced. */
export function traced(trace: Trace | TraceTooLarge | Unrepeatable): Trace {
  if (trace.kind === 'traceTooLarge' || trace.kind === 'unrepeatable') throw new Problem(trace)
  return trace
}

/** What it takes to run `block` once more. */
export function replayOf(context: RpcContext, block: Block): Replay {
  const { header } = block
  if (header.number === 0n) throw new Problem({ kind: 'genesisNotTraceable' })
  return {
    evm: context.evms.withChainId(chainIdOf(block)).at(header).for(context.work),
    block,
    // By number: the parent of a block that is held may be pruned itself, and that is what has to be said then.
    parent: context.at({ kind: 'number', number: header.number - 1n }).state,
    blockHash: context.chain.blockHash,
  }
}

/** The chain may have another id by now than when the block was made; a signature that names one had to name that. */
function chainIdOf({ transactions }: Block): bigint | undefined {
  return transactions.find(({ chainId }) => chainId !== undefined)?.chainId
}
