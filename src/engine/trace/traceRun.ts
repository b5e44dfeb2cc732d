import { toHex } from '../../bytes/hex.ts'
import type { Call } from '../../model/execution/call.ts'
import type { FlatCallOptions, JavascriptOptions, Trace, TraceRequest } from '../../model/execution/trace.ts'
import { authorityOf } from '../../model/transaction/signedTransaction.ts'
import type { State } from '../../state/state.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Frame, MovedPrecompiles } from '../engine.ts'
import type { Evm } from '../evm.ts'
import { paymentOf, type Runnable, simulationMessage } from '../run/message.ts'
import { admitCall, type CallRefusal, contextFor, type ExecutionScope } from '../run/runCall.ts'
import { type Run, runOn, runTransaction } from '../run/runMessage.ts'
import { callTracer } from './callTracer.ts'
import { erc7562Tracer } from './erc7562Tracer.ts'
import { flatTracer } from './flatTracer.ts'
import { muxTracer } from './muxTracer.ts'
import { prestateTracer } from './prestateTracer.ts'
import { structLogger } from './structLogger.ts'
import {
  TraceBudget,
  type TracedTransaction,
  type Tracer,
  type TracerMaker,
  type TraceStart,
  type TraceTooLarge,
} from './tracer.ts'

/** Memory limit for the traces of one request, in bytes. */
export const TRACE_BYTES = 256 * 1024 * 1024

/** Traces `call` in `scene` under the rules of eth_call. Returns the trace, or the reason why the call cannot start. */
export async function traceCall<Result>(
  evm: Evm,
  scene: ExecutionScope,
  call: Call,
  tracer: TracerMaker<Result>,
): Promise<Result | TraceTooLarge | CallRefusal> {
  const runnable = admitCall(evm.rules, scene, call)
  if ('kind' in runnable) return runnable
  const budget = new TraceBudget(TRACE_BYTES)
  return budget.within(async () => {
    const { trace } = await traceRun(evm, scene.state, contextFor(scene, call), runnable, tracer(budget), {
      isSimulated: true,
      firstLogIndex: 0,
      moved: scene.moved,
    })
    return trace
  })
}

export interface TraceRunOptions {
  readonly isSimulated: boolean
  readonly firstLogIndex: number
  readonly transaction?: TracedTransaction | undefined
  readonly moved?: MovedPrecompiles | undefined
}

/** Runs `runnable` on `state` with `tracer`. The caller has checked that `runnable` can start. */
export async function traceRun<Result>(
  evm: Evm,
  state: State,
  context: BlockContext,
  runnable: Runnable,
  tracer: Tracer<Result>,
  { isSimulated, firstLogIndex, transaction, moved }: TraceRunOptions,
): Promise<Run & { readonly trace: Result }> {
  const { from, to, gasLimit, authorizationList } = runnable
  const payment = paymentOf(runnable, context)
  const start: TraceStart = {
    from,
    to,
    nonce: state.account(from)?.nonce ?? 0n,
    gasLimit,
    gasPrice: payment.gasPrice,
    block: context,
    rules: evm.rules,
    work: evm.work,
    transaction,
    delegations: new Map(
      authorizationList.flatMap((authorization) => {
        const authority = authorityOf(authorization)
        return authority === undefined ? [] : [[authority, authorization.address] as const]
      }),
    ),
    state,
    firstLogIndex,
  }
  try {
    tracer.begin?.(start)
    const ran = isSimulated
      ? runOn(evm, state, context, simulationMessage(runnable, payment, moved), tracer)
      : runTransaction(evm, state, context, runnable, tracer)
    const run = ran instanceof Promise ? await ran : ran
    return { ...run, trace: tracer.finish(run) }
  } finally {
    tracer.dispose?.()
  }
}

/** Makes tracers of a request. `javascript` makes those in JavaScript (`loadJavascript`). */
export function tracerFor(request: TraceRequest, javascript?: JavascriptMaker): TracerMaker<Trace> {
  return (budget) => createTracer(request, budget, javascript)
}

export type JavascriptMaker = (options: JavascriptOptions, budget: TraceBudget) => Tracer

/** Loads the code that tracers in JavaScript need. */
export async function loadJavascript(): Promise<JavascriptMaker> {
  const [{ loadQuickJs }, { javascriptTracer }] = await Promise.all([
    import('./javascript/sandbox.ts'),
    import('./javascript/javascriptTracer.ts'),
  ])
  const module = await loadQuickJs()
  return (options, budget) => javascriptTracer(module, options, budget)
}

export function isJavascript(request: TraceRequest): boolean {
  return request.kind === 'mux'
    ? [...request.requests.values()].some(isJavascript)
    : request.kind === 'javascript'
}

export function createTracer(
  request: TraceRequest,
  budget: TraceBudget,
  javascript?: JavascriptMaker,
): Tracer {
  switch (request.kind) {
    case 'struct':
      return structLogger(request, budget)
    case 'call':
      return callTracer(request, budget)
    case 'flat':
      return flatTracer(budget)
    case 'flatCall':
      return flatCallTracer(request, budget)
    case 'mux':
      return muxTracer(
        new Map([...request.requests].map(([name, one]) => [name, createTracer(one, budget, javascript)])),
      )
    case 'prestate':
      return prestateTracer(request, budget)
    case 'erc7562':
      return erc7562Tracer(request, budget)
    case 'fourByte':
      return fourByteTracer()
    case 'javascript':
      if (javascript === undefined) throw new Error('the code of JavaScript tracers is not loaded')
      return javascript(request, budget)
    case 'noop':
      // Like geth's noopTracer, runs the code and returns no trace.
      return { finish: () => ({ kind: 'noop' }) }
  }
}

/** geth's flatCallTracer: the calls of callTracer, to be encoded as a list. */
function flatCallTracer(
  { convertParityErrors, includePrecompiles }: FlatCallOptions,
  budget: TraceBudget,
): Tracer {
  const options = { onlyTopCall: false, withLog: false, withoutPrecompiles: !includePrecompiles }
  const tracer = callTracer(options, budget)
  return {
    ...tracer,
    finish: (end) => ({ kind: 'flatCall', root: tracer.finish(end).root, convertParityErrors }),
  }
}

/** geth's 4byteTracer: counts calls by function selector and by the number of argument bytes. */
function fourByteTracer(): Tracer {
  const counts = new Map<string, number>()
  const open: Frame[] = []
  return {
    enter(frame) {
      open.push(frame)
    },

    // Counts calls at the exit, because only the exit reports whether a precompile ran. Precompiles have no selectors.
    exit({ isPrecompile }) {
      const { kind, input } = open.pop()!
      const isCall = kind !== 'CREATE' && kind !== 'CREATE2' && kind !== 'SELFDESTRUCT'
      if (!isCall || isPrecompile || input.length < 4) return
      const key = `${toHex(input.subarray(0, 4))}-${input.length - 4}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },

    finish: () => ({ kind: 'fourByte', counts }),
  }
}
