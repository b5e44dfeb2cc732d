/**
 * Solidity stack traces of failed code. When a client reads the trace, the failed run is repeated with a watcher. Code
 * that does not fail costs nothing: it runs without a watcher, and `solidity/` is not loaded.
 */

import type { Inclusion } from '../../chain/moment.ts'
import { type ReplayedBlock, watchAt } from '../../engine/trace/traceBlock.ts'
import type { Block } from '../../model/block/block.ts'
import { inProcess } from '../../rpc/dispatch.ts'
import { Problem, problemOf, type RunAgain } from '../../rpc/errors/problem.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import type { Refused } from '../../rpc/request.ts'
import type { ArtifactIndex } from '../../solidity/artifacts/artifactIndex.ts'
import type { FindCode } from '../../solidity/artifacts/compilation.ts'
import type { RecordedMessage } from '../../solidity/stackTrace/callRecorder.ts'
import {
  knownStackTrace,
  type LateStackTrace,
  type SolidityStackTrace,
} from '../../solidity/stackTrace/format.ts'
import { NotFetched } from '../../state/remoteState.ts'
import { processMs } from '../../work/eventLoop.ts'
import { andThen, type MaybePromise } from '../../work/maybePromise.ts'
import { Work } from '../../work/work.ts'
import { replayOf } from '../trace/replay.ts'

/** Adds the Solidity stack trace to the error if artifacts have the failed code. Other errors stay unchanged. */
export function addStackTrace(refused: Refused, context: ReadContext): MaybePromise<Refused> {
  const runAgain = refused.cause instanceof Problem ? refused.cause.runAgain : undefined
  if (runAgain === undefined) return refused
  return andThen(stackTraceOfRun(context, runAgain), (stackTrace) =>
    stackTrace === undefined ? refused : { ...refused, stackTrace },
  )
}

/** Returns the stack trace of an included transaction that failed; `undefined` if no artifact has its code. */
export function stackTraceOfIncluded(
  context: ReadContext,
  { block, index }: Inclusion,
): MaybePromise<LateStackTrace | undefined> {
  const replay = context.artifacts && keptReplay(context, block)
  if (replay === undefined) return undefined
  return stackTraceOfRun(context, (watcher, work) =>
    watchAt(work === undefined ? replay : { ...replay, evm: replay.evm.for(work) }, index, watcher),
  )
}

/** Returns the inputs for running `block` again, which pruning then cannot remove; `undefined` if pruned already. */
function keptReplay(context: ReadContext, block: Block): ReplayedBlock | undefined {
  try {
    return replayOf(context, block)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** Returns the stack trace of a run that failed; `undefined` if no artifact has its code. */
export function stackTraceOfRun(
  context: ReadContext,
  runAgain: RunAgain,
): MaybePromise<LateStackTrace | undefined> {
  const { artifacts } = context
  if (artifacts === undefined) return undefined
  return andThen(artifacts.loadAtIntervals(processMs()), (isKnown) =>
    isKnown ? andThen(loaded(), () => located(context, runAgain)) : undefined,
  )
}

/** Returns the stack trace for the member `stackTrace` of a result. Comparisons of recordings ignore this member. */
export async function stackTraceInResult(
  context: ReadContext,
  runAgain: RunAgain,
): Promise<SolidityStackTrace | undefined> {
  return (await stackTraceOfRun(context, runAgain))?.soon()
}

type Inferring = typeof import('../../solidity/stackTrace/stackTrace.ts')
let inferring: Inferring | undefined

/** Loads the code that makes stack traces. Keeps the module, because `import()` takes time even for a loaded module. */
function loaded(): MaybePromise<Inferring> {
  return (
    inferring ??
    import('../../solidity/stackTrace/stackTrace.ts').then((module) => {
      inferring = module
      return module
    })
  )
}

/** Returns the stack trace, which is computed when read, or now if the engine is asynchronous: a read cannot await. */
function located(context: ReadContext, runAgain: RunAgain): MaybePromise<LateStackTrace | undefined> {
  const late = new FailedRun(context, runAgain)
  if (context.evms.at(context.chain.pending.block.header).isSynchronous) return late
  return late.soon().then((stackTrace) => stackTrace && knownStackTrace(stackTrace))
}

/** A failed run with the inputs to repeat it. The run can be repeated at any time, because states are immutable. */
class FailedRun implements LateStackTrace {
  readonly #options: ReadContext['options']
  readonly #work: Work
  /** The artifacts at the time of the failure. */
  readonly #index: ArtifactIndex | undefined
  /** Repeats the run. `undefined` after the repetition, to free the states to which the function refers. */
  #runAgain: RunAgain | undefined
  #found: SolidityStackTrace | undefined

  constructor({ options, work, artifacts }: ReadContext, runAgain: RunAgain) {
    this.#options = options
    this.#work = work
    this.#index = artifacts?.known
    this.#runAgain = runAgain
  }

  now(): SolidityStackTrace | undefined {
    const runAgain = this.#runAgain
    if (runAgain === undefined) return this.#found
    try {
      const recording = inferring!.recordRun()
      // No `owner`: the devnet may have been closed since the failure, and work of a closed owner is cancelled.
      const ran = runAgain(recording.watcher, new Work().withoutPauses())
      if (!(ran instanceof Promise)) return this.#keep(recording.finished())
      ran.catch(() => {})
    } catch (error) {
      this.#tell(error)
    }
    return this.#keep(undefined)
  }

  async soon(): Promise<SolidityStackTrace | undefined> {
    const runAgain = this.#runAgain
    if (runAgain === undefined) return this.#found
    try {
      const recorded = await inProcess(this.#work, async () => {
        // After a fetch of missing values this function runs again, so each run needs a new recording.
        const { watcher, finished } = inferring!.recordRun()
        await runAgain(watcher)
        return finished()
      })
      return this.#keep(recorded)
    } catch (error) {
      this.#tell(error)
      return this.#keep(undefined)
    }
  }

  #keep(recorded: RecordedMessage | undefined): SolidityStackTrace | undefined {
    this.#runAgain = undefined
    const index = this.#index
    if (recorded === undefined || index === undefined) return undefined
    const find: FindCode = (code, isCreation) => index.find(code, isCreation)
    const stackTrace = inferring!.stackTraceOf(recorded, find, [index.merged])
    if (stackTrace === undefined) return undefined
    const { kind, message, frames } = stackTrace
    this.#found = { kind, message, frames }
    return this.#found
  }

  /** Reports an error in building a stack trace instead of throwing it: the client must receive the traced failure. */
  #tell(error: unknown): void {
    if (error instanceof NotFetched) return
    const { kind } = problemOf(error)
    if (kind === 'defect' || kind === 'enginesDiffer') this.#options.onDefect('a Solidity stack trace', error)
  }
}
