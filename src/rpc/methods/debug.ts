/** What happened inside: traces of transactions, blocks and calls (execution-apis `src/debug`). */

import type { Moment } from '../../chain/moment.ts'
import {
  type Replay,
  stateBefore,
  traceAt,
  traceBlock,
  type Unrepeatable,
} from '../../evm/trace/traceBlock.ts'
import { type TraceTooLarge, traceCall } from '../../evm/trace/traceRun.ts'
import type { Block } from '../../model/block.ts'
import { byHash } from '../../model/selector.ts'
import type { Trace, TraceRequest } from '../../model/trace.ts'
import { storageRange } from '../../state/dump.ts'
import { parseCall } from '../../wire/call.ts'
import { encodeStorageRange, encodeTrace } from '../../wire/encodeTrace.ts'
import { parseAddress, parseHash } from '../../wire/hex.ts'
import { withDefault } from '../../wire/parser.ts'
import { parseNumberOrTag, parseSelectorOrLatest } from '../../wire/selector.ts'
import {
  DEFAULT_TRACE,
  parseCount,
  parseHashStart,
  parseTraceCallRequest,
  parseTraceRequest,
} from '../../wire/traceRequest.ts'
import type { RpcContext } from '../context.ts'
import { method, params } from '../method.ts'
import { Problem } from '../problem.ts'

const tracing = withDefault(parseTraceRequest, DEFAULT_TRACE)

export const debug_traceTransaction = method(params(parseHash, tracing), async (context, hash, request) => {
  const found = context.chain.find(hash)
  if (found === undefined) throw new Problem({ kind: 'unknownTransaction', hash })
  return encodeTrace(traced(await traceAt(replayOf(context, found.block), found.index, request)))
})

export const debug_traceBlockByNumber = method(params(parseNumberOrTag, tracing), (context, at, request) =>
  blockTraces(context, context.at(at), request),
)

export const debug_traceBlockByHash = method(params(parseHash, tracing), (context, hash, request) =>
  blockTraces(context, context.at(byHash(hash)), request),
)

export const debug_traceCall = method(
  params(
    parseCall,
    parseSelectorOrLatest,
    withDefault(parseTraceCallRequest, { request: DEFAULT_TRACE, accounts: [], block: {} }),
  ),
  async (context, call, at, { request, accounts, block }) => {
    const { evm, scene } = context.stage(at, accounts, block)
    const trace = await traceCall(evm, scene, call, request)
    switch (trace.kind) {
      case 'insufficientFunds':
      case 'intrinsicGasTooLow':
      case 'feeBelowBaseFee':
      case 'tipAboveFee':
        throw new Problem({ kind: 'refusedCall', refusal: trace })
      default:
        return encodeTrace(traced(trace))
    }
  },
)

/** The slots of an account as they were when a transaction of a block began, in the order of their hashes. */
export const debug_storageRangeAt = method(
  params(parseHash, parseCount, parseAddress, parseHashStart, parseCount),
  async (context, hash, index, address, start, limit) => {
    const { block } = context.at(byHash(hash))
    const count = block.transactions.length
    if (index > 0 && index >= count) throw new Problem({ kind: 'unknownIndex', index, count })
    const state = await stateBefore(replayOf(context, block), index)
    if ('kind' in state) throw new Problem(state)
    const { slots, next } = storageRange(state, address, start, limit)
    return encodeStorageRange(slots, next)
  },
)

async function blockTraces(context: RpcContext, { block }: Moment, request: TraceRequest): Promise<unknown> {
  const traces = await traceBlock(replayOf(context, block), request)
  if ('kind' in traces) throw new Problem(traces)
  return block.transactions.map(({ hash }, i) => ({ txHash: hash, result: encodeTrace(traces[i]!) }))
}

function traced(trace: Trace | TraceTooLarge | Unrepeatable): Trace {
  if (trace.kind === 'traceTooLarge' || trace.kind === 'unrepeatable') throw new Problem(trace)
  return trace
}

/** What it takes to run `block` once more. */
function replayOf(context: RpcContext, block: Block): Replay {
  const { header } = block
  if (header.number === 0n) throw new Problem({ kind: 'genesisNotTraceable' })
  return {
    evm: context.machines.at(header),
    block,
    // By number: the parent of a block that is held may be pruned itself, and that is what has to be said then.
    parent: context.at({ kind: 'number', number: header.number - 1n }).state,
    blockHash: context.chain.blockHash,
  }
}
