import type { Hash } from '../../bytes/hex.ts'
import { admitCall, contextFor, type ExecutionScope } from '../../engine/run/runCall.ts'
import { createTracer, TRACE_BYTES, traceRun, tracerFor } from '../../engine/trace/traceRun.ts'
import { TraceBudget, type TraceTooLarge } from '../../engine/trace/tracer.ts'
import type { Block } from '../../model/block/block.ts'
import type { Call } from '../../model/execution/call.ts'
import type { FlatFrame, Trace, TraceRequest } from '../../model/execution/trace.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import type { CallEnvironment, ReadContext } from '../../rpc/readContext.ts'
import { refuseIncluded } from '../../sequencer/import/runBlock.ts'
import type { State } from '../../state/state.ts'
import type { TraceKind, TraceResults } from '../../wire/traceResults.ts'
import { tracedAt, tracedBlock } from './replay.ts'

const DIFF: TraceRequest = {
  kind: 'prestate',
  diffMode: true,
  code: true,
  storage: true,
  includeEmpty: false,
}

export async function resultsAt(
  context: ReadContext,
  block: Block,
  index: number,
  kinds: readonly TraceKind[],
): Promise<TraceResults> {
  const traceWith = (request: TraceRequest) => tracedAt(context, block, index, tracerFor(request))
  return resultsOf(await traceWith(FLAT), kinds.includes('stateDiff') ? await traceWith(DIFF) : undefined)
}

export async function resultsOfBlock(
  context: ReadContext,
  block: Block,
  kinds: readonly TraceKind[],
): Promise<TraceResults[]> {
  const flat = await tracedBlock(context, block, tracerFor(FLAT))
  const diffs = kinds.includes('stateDiff') ? await tracedBlock(context, block, tracerFor(DIFF)) : []
  return flat.map((trace, index) => resultsOf(trace, diffs[index]))
}

/** Returns the results of calls. Each call runs on the state after the previous call. */
export async function resultsOfCalls(
  context: ReadContext,
  { evm, scene }: CallEnvironment,
  calls: readonly (readonly [Call, readonly TraceKind[]])[],
): Promise<TraceResults[]> {
  const results: TraceResults[] = []
  let { state } = scene
  for (const [call, kinds] of calls) {
    await context.work.pause()
    const now: ExecutionScope = { ...scene, state }
    const runnable = admitCall(evm.rules, now, call)
    if ('kind' in runnable) throw new Problem({ kind: 'refusedCall', refusal: runnable })
    const ran = await tracedTwice(kinds, (request, budget) =>
      traceRun(evm, now.state, contextFor(now, call), runnable, createTracer(request, budget), {
        isSimulated: true,
        firstLogIndex: 0,
        moved: scene.moved,
      }),
    )
    state = ran.state
    results.push(ran.results)
  }
  return results
}

/** Runs `transaction` as the block's next transaction. Throws a `Problem` if the block cannot include it. */
export async function resultsOfTransaction(
  { evm, scene: { state, context } }: CallEnvironment,
  transaction: Transaction,
  kinds: readonly TraceKind[],
): Promise<TraceResults> {
  const rejection = refuseIncluded(evm.rules, transaction, state, context.gasLimit, context)
  if (rejection !== undefined) throw new Problem({ kind: 'rejected', rejection, transaction, mayWait: true })
  const { results } = await tracedTwice(kinds, (request, budget) =>
    traceRun(evm, state, context, transaction, createTracer(request, budget), {
      isSimulated: false,
      firstLogIndex: 0,
    }),
  )
  return results
}

interface TracedRun {
  readonly trace: Trace
  readonly state: State
}

/** Runs `run` once for the frames, and a second time if the state changes were requested. */
async function tracedTwice(
  kinds: readonly TraceKind[],
  run: (request: TraceRequest, budget: TraceBudget) => Promise<TracedRun>,
): Promise<{ readonly results: TraceResults; readonly state: State }> {
  const runWith = async (request: TraceRequest): Promise<TracedRun> => {
    const budget = new TraceBudget(TRACE_BYTES)
    const ran: TracedRun | TraceTooLarge = await budget.within(() => run(request, budget))
    if ('kind' in ran) throw new Problem(ran)
    return ran
  }
  const { trace, state } = await runWith(FLAT)
  const diff = kinds.includes('stateDiff') ? (await runWith(DIFF)).trace : undefined
  return { results: resultsOf(trace, diff), state }
}

function resultsOf(flat: Trace, diff: Trace | undefined): TraceResults {
  return { frames: framesOf(flat), diff: diff?.kind === 'stateDiff' ? diff : undefined }
}

const FLAT: TraceRequest = { kind: 'flat' }

export interface TracedTransaction {
  readonly block: Block
  readonly index: number
  readonly frames: readonly FlatFrame[]
}

export async function tracedTransaction(
  context: ReadContext,
  hash: Hash,
): Promise<TracedTransaction | undefined> {
  const found = context.chain.find(hash)
  if (found === undefined) return undefined
  const { block, index } = found
  return { block, index, frames: framesOf(await tracedAt(context, block, index, tracerFor(FLAT))) }
}

export async function tracedTransactions(context: ReadContext, block: Block): Promise<TracedTransaction[]> {
  const traces = await tracedBlock(context, block, tracerFor(FLAT))
  return traces.map((trace, index) => ({ block, index, frames: framesOf(trace) }))
}

function framesOf(trace: Trace): readonly FlatFrame[] {
  return trace.kind === 'flat' ? trace.frames : []
}
