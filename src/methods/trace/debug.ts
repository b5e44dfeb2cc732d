import { toHex } from '../../bytes/hex.ts'
import type { Moment } from '../../chain/moment.ts'
import { stateBefore } from '../../engine/trace/traceBlock.ts'
import { isJavascript, loadJavascript, traceCall, tracerFor } from '../../engine/trace/traceRun.ts'
import type { TracerMaker } from '../../engine/trace/tracer.ts'
import { byHash } from '../../model/block/selector.ts'
import type { Trace, TraceRequest } from '../../model/execution/trace.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import type { DebugRun } from '../../solidity/debug/debugRun.ts'
import { storageRange } from '../../state/accountReads.ts'
import { parseCall } from '../../wire/call.ts'
import type { TransactionPlace } from '../../wire/encodeFlatCall.ts'
import { encodeStorageRange, encodeTrace } from '../../wire/encodeTrace.ts'
import { encodeBytes, parseAddress, parseHash } from '../../wire/hex.ts'
import { optional, parseCount, withDefault } from '../../wire/parser.ts'
import { parseNumberOrTag, parseSelector, parseSelectorOrLatest } from '../../wire/selector.ts'
import {
  type AnyTraceRequest,
  DEFAULT_TRACE,
  parseHashStart,
  parseTraceCallConfig,
  parseTraceConfig,
  type TraceConfig,
} from '../../wire/traceRequest.ts'
import { encodeDebugRun, sourceTracer, withCallSources } from '../solidity/sourceTracer.ts'
import { replayOf, tracedAt, tracedBlock, tracedCall } from './replay.ts'

const tracing = withDefault(parseTraceConfig, DEFAULT_TRACE)

/** The time limit of a request with a tracer in JavaScript, as in geth. Other tracers have the limit of the request. */
const JAVASCRIPT_MS = 5_000

export const debug_traceTransaction = read.long(
  params(parseHash, tracing),
  async (unlimited, hash, config) => {
    const { request } = config
    const context = limited(unlimited, config)
    const found = context.chain.find(hash)
    if (found === undefined) throw new Problem({ kind: 'unknownTransaction', hash })
    const tracer = await tracerOf(context, request)
    return encoded(context, request, await tracedAt(context, found.block, found.index, tracer), found)
  },
)

export const debug_traceBlockByNumber = read.long(params(parseNumberOrTag, tracing), (context, at, config) =>
  blockTraces(context, context.at(at), config),
)

export const debug_traceBlockByHash = read.long(params(parseHash, tracing), (context, hash, config) =>
  blockTraces(context, context.at(byHash(hash)), config),
)

export const debug_traceCall = read.long(
  params(
    parseCall,
    optional(parseSelector),
    withDefault(parseTraceCallConfig, { ...DEFAULT_TRACE, accounts: [], block: {} }),
  ),
  async (unlimited, call, at, config) => {
    const { request, accounts, block } = config
    const context = limited(unlimited, config)
    const { evm, scene } = context.environmentOf(call, at, accounts, block)
    const tracer = await tracerOf(context, request)
    return encoded(context, request, tracedCall(await traceCall(evm, scene, call, tracer)))
  },
)

/** Returns slots of an account in the state before a transaction, ordered by hashed key. */
export const debug_storageRangeAt = read.long(
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

/** Returns the code with this hash; `null` if no account has such code, as in reth. */
export const debug_codeByHash = read.long(params(parseHash, parseSelectorOrLatest), (context, hash, at) => {
  for (const { code, codeHash } of context.at(at).state.records()) {
    if (code.length > 0 && toHex(codeHash) === hash) return encodeBytes(code)
  }
  return null
})

/** Returns a function that makes the requested tracer. A devnet option sets the struct logger's storage mode. */
async function tracerOf(
  context: ReadContext,
  request: AnyTraceRequest,
): Promise<TracerMaker<Trace | DebugRun>> {
  if (request.kind === 'source') return sourceTracer(context, request)
  const isOpen = request.kind === 'struct' && request.storage === 'accessed'
  if (isOpen) return tracerFor({ ...request, storage: context.options.structLogStorage })
  return tracerFor(request, isJavascript(request) ? await loadJavascript() : undefined)
}

/** Returns a version of `context` whose work ends at the time limit of the trace. */
function limited(context: ReadContext, { request, timeoutMs }: TraceConfig): ReadContext {
  const isOurs = request.kind === 'source' || !isJavascript(request)
  return context.limitedTo(timeoutMs ?? (isOurs ? 0 : JAVASCRIPT_MS), 'trace')
}

async function encoded(
  context: ReadContext,
  request: AnyTraceRequest,
  trace: Trace | DebugRun,
  place?: TransactionPlace,
): Promise<unknown> {
  if (trace.kind === 'source') return encodeDebugRun(trace, context.work)
  return encodeTrace(await withCallSources(context, request as TraceRequest, trace), context.work, place)
}

async function blockTraces(unlimited: ReadContext, { block }: Moment, config: TraceConfig): Promise<unknown> {
  const { request } = config
  const context = limited(unlimited, config)
  const traces = await tracedBlock(context, block, await tracerOf(context, request))
  const answers: unknown[] = []
  for (const [i, { hash }] of block.transactions.entries()) {
    answers.push({ txHash: hash, result: await encoded(context, request, traces[i]!, { block, index: i }) })
  }
  return answers
}
