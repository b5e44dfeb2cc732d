/**
 * An engine for the states of a forked network. A run that reads values that are not fetched yet is discarded, the
 * missing values are fetched in one batch, and it runs again.
 *
 * A run continues past missing values with zeros (`state/fetchingView.ts`), so that few rounds are needed. If the first
 * batch, for which the upstream node may have returned an access list, was not enough, another run guesses which slots
 * follow the missing ones. A watcher sees only the last, complete run, and only that is counted.
 */
import type { Rules } from '../model/hardfork/hardfork.ts'
import { minimumGas } from '../model/transaction/intrinsicGas.ts'
import { FetchingView, GuessingView } from '../state/fetchingView.ts'
import { type MissingValue, NotFetched, type RemoteCall, type RemoteState } from '../state/remoteState.ts'
import type { StateView } from '../state/view.ts'
import { Rounds } from '../state/whenFetched.ts'
import { whenThere } from '../work/maybePromise.ts'
import { TimeLimitExceeded, type Work, WorkCancelled } from '../work/work.ts'
import type { BlockContext } from './blockContext.ts'
import type { Engine, Execution, Message, Watcher } from './engine.ts'
import type { HitCollector } from './hits.ts'

/** The gas limit of a guessing run beyond its intrinsic gas: a guess is not worth a long loop. */
const GAS_OF_GUESSES = 3_000_000n

/** Runs messages with another engine. On the state of a forked network, repeats a run until no value is missing. */
export class FetchingEngine implements Engine {
  readonly rules: Rules
  readonly isSynchronous: boolean
  readonly #engine: Engine
  /** The view of the last run. An engine caches the values that it read from a state object for the next run on it. */
  #view: FetchingView | undefined

  constructor(engine: Engine) {
    this.rules = engine.rules
    this.isSynchronous = engine.isSynchronous === true
    this.#engine = engine
  }

  /**
   * Throws `FetchFailed` if a value cannot be fetched, and `NotFetched` if a watcher read a value that the
   * unwatched run did not need.
   */
  transact(
    state: StateView,
    context: BlockContext,
    message: Message,
    work: Work,
    watcher?: Watcher,
    hits?: HitCollector,
  ): Execution | Promise<Execution> {
    const { remote } = state
    if (remote === undefined) return this.#engine.transact(state, context, message, work, watcher, hits)
    const unwatched = this.#unwatched(remote, state, context, message, work)
    if (watcher === undefined && hits === undefined) return unwatched
    return whenThere(unwatched, () => {
      const view = this.#viewOf(state)
      const watched = this.#engine.transact(view, context, message, work, watcher, hits)
      return whenThere(watched, (execution) => {
        if (view.lacks) throw new NotFetched(remote, view.missing)
        return execution
      })
    })
  }

  #unwatched(
    remote: RemoteState,
    state: StateView,
    context: BlockContext,
    message: Message,
    work: Work,
  ): Execution | Promise<Execution> {
    const view = this.#viewOf(state)
    const first = this.#attempt(view, context, message, work)
    if (first instanceof Promise) {
      return first.then((execution) => execution ?? this.#again(remote, view, context, message, work))
    }
    return first ?? this.#again(remote, view, context, message, work)
  }

  async #again(
    remote: RemoteState,
    first: FetchingView,
    context: BlockContext,
    message: Message,
    work: Work,
  ): Promise<Execution> {
    const rounds = new Rounds()
    let call = callOf(message)
    let guesses: readonly MissingValue[] = []
    let view = first
    for (;;) {
      await rounds.fetch(remote, view.missing, work, call, guesses)
      call = undefined
      const pause = work.pause()
      if (pause !== undefined) await pause
      view = this.#viewOf(first.state)
      const execution = await this.#attempt(view, context, message, work)
      if (execution !== undefined) return execution
      guesses = await this.#guessed(view.state, context, message, work)
    }
  }

  /** Returns the slots that a run with guesses asks for. */
  async #guessed(
    state: StateView,
    context: BlockContext,
    message: Message,
    work: Work,
  ): Promise<readonly MissingValue[]> {
    const view = new GuessingView(state)
    const most = minimumGas(this.rules, message) + GAS_OF_GUESSES
    const gasLimit = message.gasLimit < most ? message.gasLimit : most
    try {
      await this.#engine.transact(view, notingContext(view, context), { ...message, gasLimit }, work)
    } catch (error) {
      discarded(view, error)
    }
    // Accounts at guessed addresses do not exist.
    return view.missing.filter(({ kind }) => kind === 'slot')
  }

  /**
   * Returns the execution of a run; `undefined` if something was missing. Most runs ask for no block hash, and need no
   * context of their own: a hash that is missing ends the run, which begins again with one that notes it.
   */
  #attempt(
    view: FetchingView,
    context: BlockContext,
    message: Message,
    work: Work,
  ): Execution | undefined | Promise<Execution | undefined> {
    try {
      const ran = this.#engine.transact(view, context, message, work)
      if (!(ran instanceof Promise)) return view.lacks ? undefined : ran
      return ran.then(
        (execution) => (view.lacks ? undefined : execution),
        (error) => this.#begunAgain(error, view, context, message, work),
      )
    } catch (error) {
      return this.#begunAgain(error, view, context, message, work)
    }
  }

  #begunAgain(
    error: unknown,
    view: FetchingView,
    context: BlockContext,
    message: Message,
    work: Work,
  ): Execution | undefined | Promise<Execution | undefined> {
    if (!(error instanceof NotFetched)) return discarded(view, error)
    return this.#attempt(view, notingContext(view, context), message, work)
  }

  #viewOf(state: StateView): FetchingView {
    let view = this.#view
    if (view === undefined || view.state !== state || view.lacks) {
      view = new FetchingView(state)
      this.#view = view
    }
    return view
  }
}

/** Throws `error`, unless it comes from a run that something was missing for. */
function discarded(view: FetchingView, error: unknown): undefined {
  if (!view.lacks || error instanceof TimeLimitExceeded || error instanceof WorkCancelled) throw error
  return undefined
}

/** Returns the context with block hashes that the view notes as missing. */
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

/** Returns the call that the upstream node is asked for an access list of; `undefined` for calls by the protocol. */
function callOf({ kind, from, to, value, data }: Message): RemoteCall | undefined {
  return kind === 'system' ? undefined : { from, to, value, data }
}
