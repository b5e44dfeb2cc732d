/** Runs a transaction or a call with a tracer. */
import type { Call } from '../../model/execution/call.ts'
import { authorityOf } from '../../model/transaction/signedTransaction.ts'
import type { State } from '../../state/state.ts'
import { type MaybePromise, whenThere } from '../../work/maybePromise.ts'
import type { BlockContext } from '../blockContext.ts'
import type { MovedPrecompiles, Watcher } from '../engine.ts'
import type { Evm } from '../evm.ts'
import { paymentOf, type Runnable, simulationMessage } from '../run/message.ts'
import type { Scene } from '../run/runCall.ts'
import { admitCall, type CallRefusal, contextFor } from '../run/runCall.ts'
import { type Run, runTransaction } from '../run/runMessage.ts'
import type { Tracer, TracerMaker } from './tracer.ts'
import { TraceBudget, type TraceTooLarge } from './tracer.ts'

/** The limit of memory for the traces of one request, in bytes. */
export const TRACE_BYTES = 256 * 1024 * 1024

/** Traces `call` in `scene`, under the rules of eth_call. */
export async function traceCall<Result>(
  evm: Evm,
  scene: Scene,
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
  /** The number of logs in its block before it. */
  readonly firstLogIndex: number
  readonly moved?: MovedPrecompiles | undefined
}

/** Runs `runnable` on `state` with `tracer`. The caller has checked that it is executable. */
export async function traceRun<Result>(
  evm: Evm,
  state: State,
  context: BlockContext,
  runnable: Runnable,
  tracer: Tracer<Result>,
  { isSimulated, firstLogIndex, moved }: TraceRunOptions,
): Promise<Run & { readonly trace: Result }> {
  const { from, to, gasLimit, authorizationList } = runnable
  tracer.begin?.({
    from,
    to,
    nonce: state.account(from)?.nonce ?? 0n,
    gasLimit,
    coinbase: context.coinbase,
    delegations: new Map(
      authorizationList.flatMap((authorization) => {
        const authority = authorityOf(authorization)
        return authority === undefined ? [] : [[authority, authorization.address] as const]
      }),
    ),
    state,
    firstLogIndex,
  })
  const ran = isSimulated
    ? simulated(evm, state, context, runnable, tracer, moved)
    : runTransaction(evm, state, context, runnable, tracer)
  const run = ran instanceof Promise ? await ran : ran
  return { ...run, trace: tracer.finish(run) }
}

/** Runs a simulation. Unlike others it keeps the state, which tracers read. */
function simulated(
  evm: Evm,
  state: State,
  context: BlockContext,
  call: Runnable,
  tracer: Watcher,
  moved: MovedPrecompiles | undefined,
): MaybePromise<Run> {
  const message = simulationMessage(call, paymentOf(call, context), moved)
  return whenThere(evm.run(state, context, message, tracer), ({ outcome, changes }) => ({
    outcome,
    state: state.with(changes),
  }))
}
