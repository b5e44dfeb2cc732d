/**
 * Runs messages on states of a forked network. If a run lacks values, fetches them in one batch and runs again.
 *
 * A run continues past missing values with stand-ins (`state/fetchingView.ts`), to collect many missing values in one
 * round. The first batch may include an access list that the network's node creates (eth_createAccessList). If this is
 * not enough, another run guesses further slots. Only the last, complete run is watched and counted for coverage.
 */
import type { Rules } from '../model/hardfork/hardfork.ts'
import { minimumGas } from '../model/transaction/intrinsicGas.ts'
import { FetchingView, GuessingView } from '../state/fetchingView.ts'
import { type MissingValue, NotFetched, type RemoteCall, type RemoteState } from '../state/remoteState.ts'
import type { StateView } from '../state/view.ts'
import { Rounds } from '../state/whenFetched.ts'
import { andThen, type MaybePromise } from '../work/maybePromise.ts'
import { TimeLimitExceeded, WorkCancelled } from '../work/work.ts'
import type { BlockContext } from './blockContext.ts'
import type { Engine, EngineRun, Execution, Message } from './engine.ts'

/** Gas limit of a run that guesses missing values, in addition to the intrinsic gas. */
const GAS_OF_GUESSES = 3_000_000n

export class FetchingEngine implements Engine {
  readonly rules: Rules
  readonly isSynchronous: boolean
  readonly #engine: Engine
  /** The view of the last run, kept because an engine reuses values that it read in an earlier run on the same view. */
  #view: FetchingView | undefined

  constructor(engine: Engine) {
    this.rules = engine.rules
    this.isSynchronous = engine.isSynchronous === true
    this.#engine = engine
  }

  /** Rejects with `FetchFailed` if a fetch fails, and with `NotFetched` if only the watched run misses a value. */
  transact(run: EngineRun): MaybePromise<Execution> {
    const { state, watcher, hits } = run
    const { remote } = state
    if (remote === undefined) return this.#engine.transact(run)
    if (watcher === undefined && hits === undefined) return this.#unwatched(remote, run)
    const unwatched = this.#unwatched(remote, { ...run, watcher: undefined, hits: undefined })
    return andThen(unwatched, () => {
      const view = this.#viewOf(state)
      return andThen(this.#engine.transact({ ...run, state: view }), (execution) => {
        if (view.hasMissing) throw new NotFetched(remote, view.missing)
        return execution
      })
    })
  }

  #unwatched(remote: RemoteState, run: EngineRun): MaybePromise<Execution> {
    const view = this.#viewOf(run.state)
    return andThen(this.#attempt(view, run), (execution) => execution ?? this.#again(remote, view, run))
  }

  async #again(remote: RemoteState, first: FetchingView, run: EngineRun): Promise<Execution> {
    const { work } = run
    const rounds = new Rounds()
    let call = callOf(run.message)
    let guesses: readonly MissingValue[] = []
    let view = first
    for (;;) {
      await rounds.fetch(remote, view.missing, work, call, guesses)
      call = undefined
      const pause = work.pause()
      if (pause !== undefined) await pause
      view = this.#viewOf(run.state)
      const execution = await this.#attempt(view, run)
      if (execution !== undefined) return execution
      guesses = await this.#guessed(run)
    }
  }

  /** Runs a message with guesses for missing values. Returns the missing slots that the run reads. */
  async #guessed(run: EngineRun): Promise<readonly MissingValue[]> {
    const { context, message } = run
    const view = new GuessingView(run.state)
    const most = minimumGas(this.rules, message) + GAS_OF_GUESSES
    const gasLimit = message.gasLimit < most ? message.gasLimit : most
    try {
      const guessing = {
        state: view,
        context: notingContext(view, context),
        message: { ...message, gasLimit },
      }
      await this.#engine.transact({ ...run, ...guessing })
    } catch (error) {
      rethrowUnlessMissing(view, error)
    }
    // Missing accounts are left out, because most are at guessed addresses, where no account exists.
    return view.missing.filter(({ kind }) => kind === 'slot')
  }

  /**
   * Returns the execution of a run on `view`; `undefined` if a value was missing. The first attempt uses the unchanged
   * context, because most runs read no block hash. If a block hash is missing, a second attempt records it.
   */
  #attempt(view: FetchingView, run: EngineRun): MaybePromise<Execution | undefined> {
    const again = (error: unknown): MaybePromise<Execution | undefined> => {
      if (!(error instanceof NotFetched)) return rethrowUnlessMissing(view, error)
      return this.#attempt(view, { ...run, context: notingContext(view, run.context) })
    }
    try {
      const ran = this.#engine.transact({ ...run, state: view })
      if (!(ran instanceof Promise)) return view.hasMissing ? undefined : ran
      return ran.then((execution) => (view.hasMissing ? undefined : execution), again)
    } catch (error) {
      return again(error)
    }
  }

  #viewOf(state: StateView): FetchingView {
    let view = this.#view
    if (view === undefined || view.state !== state || view.hasMissing) {
      view = new FetchingView(state)
      this.#view = view
    }
    return view
  }
}

/** Rethrows `error`, unless the run missed a value. Always rethrows an exceeded time limit and cancelled work. */
function rethrowUnlessMissing(view: FetchingView, error: unknown): undefined {
  if (!view.hasMissing || error instanceof TimeLimitExceeded || error instanceof WorkCancelled) throw error
  return undefined
}

function notingContext(view: FetchingView, context: BlockContext): BlockContext {
  return {
    ...context,
    blockHash: (number) =>
      view.read(
        () => context.blockHash(number),
        () => undefined,
      ),
  }
}

/** Returns the call whose access list the upstream node creates (eth_createAccessList); none for system calls. */
function callOf({ kind, from, to, value, data }: Message): RemoteCall | undefined {
  return kind === 'system' ? undefined : { from, to, value, data }
}
