/** The tracer `soliditySource`, which shows a run as source lines with variables. Its code is loaded at first use. */

import type { Hash } from '../../bytes/hex.ts'
import type { Outcome } from '../../engine/engine.ts'
import { callTracer } from '../../engine/trace/callTracer.ts'
import { traceCall } from '../../engine/trace/traceRun.ts'
import { TraceBudget, type TracerMaker } from '../../engine/trace/tracer.ts'
import type { Selector } from '../../model/block/selector.ts'
import type { Call } from '../../model/execution/call.ts'
import type { CallFrame, Trace, TraceRequest } from '../../model/execution/trace.ts'
import { Problem, type RunAgain } from '../../rpc/errors/problem.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import type { DebugFrame, DebugOptions, DebugRun, DebugStep } from '../../solidity/debug/debugRun.ts'
import type { DebugFrameAnswer, DebugRunAnswer, DebugStepAnswer } from '../../wire/debugRun.ts'
import { encodeTrace, type RpcCallFrame } from '../../wire/encodeTrace.ts'
import { encodeQuantity } from '../../wire/hex.ts'
import { forEachPaused, Work } from '../../work/work.ts'
import { tracedAt, tracedCall } from '../trace/replay.ts'

/** Returns a function that makes the tracer. Throws a `Problem` without artifacts. */
export async function sourceTracer(
  { artifacts }: ReadContext,
  options: DebugOptions,
): Promise<TracerMaker<DebugRun>> {
  if (artifacts === undefined || !(await artifacts.load())) {
    throw new Problem({ kind: 'unsupported', detail: NO_ARTIFACTS })
  }
  const { DebugTracer } = await import('../../solidity/debug/debugTracer.ts')
  return (budget) => new DebugTracer(options, artifacts.find, budget)
}

/** Runs an included transaction again. Throws a `Problem` if the hash is unknown or the block cannot be run again. */
export async function debugTransaction(
  context: ReadContext,
  hash: Hash,
  options: DebugOptions,
): Promise<DebugRun> {
  const found = context.chain.find(hash)
  if (found === undefined) throw new Problem({ kind: 'unknownTransaction', hash })
  const tracer = await sourceTracer(context, options)
  return tracedAt(context, found.block, found.index, tracer)
}

export async function debugCall(
  context: ReadContext,
  call: Call,
  at: Selector,
  options: DebugOptions,
): Promise<DebugRun> {
  const tracer = await sourceTracer(context, options)
  const { evm, scene } = context.environment(at)
  return tracedCall(await traceCall(evm, scene, call, tracer))
}

const NO_ARTIFACTS =
  'a run is shown with its Solidity sources, but no artifacts are known; compile in a project of Foundry or Hardhat, or pass artifacts by devnet.artifacts.add, the option artifacts, or --artifacts'

/** Encodes a run for JSON. Pauses for other requests while it encodes a long run. */
export async function encodeDebugRun(run: DebugRun, work: Work): Promise<DebugRunAnswer> {
  const { status, gasUsed, isCut, gaps } = run
  const frames: DebugFrameAnswer[] = []
  const steps: DebugStepAnswer[] = []
  await forEachPaused(work, run.frames, (frame) => frames.push(encodeFrame(frame)))
  await forEachPaused(work, run.steps, (step) => steps.push(encodeStep(step)))
  return { status, gasUsed: encodeQuantity(gasUsed), frames, steps, isCut, gaps }
}

function encodeFrame(frame: DebugFrame): DebugFrameAnswer {
  if (frame.kind === 'function') return { ...frame, args: plain(frame.args), result: plain(frame.result) }
  const { value, gas, gasUsed, args, immutables, result, error } = frame
  const amounts = {
    value: value === undefined ? undefined : encodeQuantity(value),
    gas: encodeQuantity(gas),
    gasUsed: encodeQuantity(gasUsed),
  }
  const decoded = { args: plain(args), immutables: plain(immutables), result: plain(result) }
  return { ...frame, ...amounts, ...decoded, error: plain(error) }
}

function encodeStep(step: DebugStep): DebugStepAnswer {
  const { gasUsed, variables, storage, logs } = step
  const told = { variables: plain(variables), storage: plain(storage), logs: plain(logs) }
  return { ...step, ...told, gasUsed: encodeQuantity(gasUsed) }
}

type Plain<T> = T extends bigint ? string : T extends object ? { readonly [K in keyof T]: Plain<T[K]> } : T

/** Returns a copy of `value` in which bigints are decimal text. */
export function plain<T>(value: T): Plain<T> {
  return plainOf(value) as Plain<T>
}

function plainOf(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(plainOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainOf(member)]))
}

/** Adds source positions to the calls of the trace, if the request asks for sources and there are artifacts. */
export async function withCallSources(
  { artifacts }: ReadContext,
  request: TraceRequest,
  trace: Trace,
): Promise<Trace> {
  if (trace.kind !== 'call' || request.kind !== 'call' || !request.withSource) return trace
  if (artifacts === undefined || !(await artifacts.load())) return trace
  const { callPosition } = await import('../../solidity/source/sourceModel.ts')
  const located = (frame: CallFrame): CallFrame => ({
    ...frame,
    calls: frame.calls.map(located),
    source: frame.site && callPosition(frame.site, frame.input, artifacts.find),
  })
  return { kind: 'call', root: located(trace.root) }
}

/** Memory limit for the calls of a failed run in a report, in bytes. */
const CALLS_BYTES = 1_000_000

/** Repeats a failed run. Resolves to the run's calls with source positions; to `undefined` if there are too many. */
export async function callsOfRun(
  context: ReadContext,
  runAgain: RunAgain,
): Promise<RpcCallFrame | undefined> {
  const request = { kind: 'call', onlyTopCall: false, withLog: true, withSource: true } as const
  const budget = new TraceBudget(CALLS_BYTES)
  const work = new Work().withoutPauses()
  const made = await budget.within(async () => {
    const tracer = callTracer(request, budget)
    // A run that failed has an outcome.
    const outcome = (await runAgain(tracer, work)) as Outcome
    return tracer.finish({ outcome, state: context.chain.pending.state })
  })
  if (made.kind !== 'call') return undefined
  const trace = await withCallSources(context, request, made)
  return (await encodeTrace(trace, work)) as RpcCallFrame
}
