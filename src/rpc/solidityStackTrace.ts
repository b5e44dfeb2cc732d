/**
 * Where in Solidity code failed. What failed is run once more, with a watcher: nothing is watched before something
 * fails, and nothing of `solidity/` is loaded before. Without artifacts nothing is run again.
 */
import type { Artifacts } from '../artifacts/artifacts.ts'
import type { Inclusion } from '../chain/moment.ts'
import { watchAt } from '../evm/trace/traceBlock.ts'
import { processLoop } from '../model/work/eventLoop.ts'
import type { SolidityStackTrace } from '../solidity/stackTrace/stackTrace.ts'
import { whenFetched } from '../state/whenFetched.ts'
import type { RpcContext } from './context.ts'
import { replayOf } from './methods/replay.ts'
import { type Problem, problemOf, type RunAgain } from './problem.ts'

/**
 * Returns the stack trace of a problem. `undefined` at once if it is no failure of code or nothing is known of code, and
 * later if none can be told.
 */
export function stackTraceOfProblem(
  context: RpcContext,
  { runAgain }: Problem,
): Promise<SolidityStackTrace | undefined> | undefined {
  return runAgain && stackTraceOfRun(context, runAgain)
}

/** Returns the stack trace of an included transaction that failed, in the same way. */
export function stackTraceOfIncluded(
  context: RpcContext,
  { block, index }: Inclusion,
): Promise<SolidityStackTrace | undefined> | undefined {
  return stackTraceOfRun(context, (watcher) => watchAt(replayOf(context, block), index, watcher))
}

/** Returns the stack trace of a run that failed, in the same way. */
export function stackTraceOfRun(
  context: RpcContext,
  runAgain: RunAgain,
): Promise<SolidityStackTrace | undefined> | undefined {
  const { artifacts } = context
  const isKnown = artifacts?.loadedLately(processLoop.nowMs)
  return artifacts === undefined || isKnown === false ? undefined : located(context, artifacts, runAgain)
}

/**
 * The same, for a member of a result. A devnet that is recorded has none: recordings are played where there are no artifacts,
 * and compare results.
 */
export function stackTraceInResult(
  context: RpcContext,
  runAgain: RunAgain,
): Promise<SolidityStackTrace | undefined> | undefined {
  return context.observer === undefined ? stackTraceOfRun(context, runAgain) : undefined
}

/** Never rejects: a defect here must not hide what failed. */
async function located(
  { options, work }: RpcContext,
  artifacts: Artifacts,
  runAgain: RunAgain,
): Promise<SolidityStackTrace | undefined> {
  try {
    if (!(await artifacts.loadedLately(processLoop.nowMs))) return undefined
    const { recordRun, stackTraceOf } = await import('../solidity/index.ts')
    const recorded = await whenFetched(
      async () => {
        // A run that lacks something of a forked network is begun again.
        const { watcher, finished } = recordRun()
        await runAgain(watcher)
        return finished()
      },
      (promise) => work.waiting(promise),
    )
    const { find, merged } = artifacts
    const stackTrace = stackTraceOf(recorded, find, merged && [merged])
    if (stackTrace === undefined) return undefined
    const { kind, message, frames } = stackTrace
    return { kind, message, frames }
  } catch (error) {
    const { kind } = problemOf(error)
    if (kind === 'defect' || kind === 'enginesDiffer') options.onDefect('a Solidity stack trace', error)
    return undefined
  }
}
