/**
 * Dispatch: finds the method of a request, runs it, and returns its result, or its error in the dialect of the
 * devnet.
 */
import { nearest } from '../model/knownNames.ts'
import type { RpcContext } from '../rpc/context.ts'
import { toRpcError } from '../rpc/errors/errors.ts'
import { Problem, problemOf } from '../rpc/errors/problem.ts'
import type { Answering } from '../rpc/method.ts'
import type { Answer, Dispatch, OnDefect, Request, StartWork } from '../rpc/request.ts'
import type { Subscriptions } from '../rpc/subscriptions.ts'
import { NotFetched } from '../state/remoteState.ts'
import { afterFetch } from '../state/whenFetched.ts'
import type { ForkedNetwork } from '../upstream/forkedNetwork.ts'
import { whenThere } from '../work/maybePromise.ts'
import { Work } from '../work/work.ts'
import { answerOnFork, isOfNoNetwork } from './forked/forwarding.ts'
import { CONNECTION_METHODS, METHODS } from './index.ts'
import { stackTraceOfProblem } from './solidity/solidityStackTrace.ts'

/** The two dispatchers of a devnet. */
export interface Dispatchers {
  /** For clients: planned faults of requests affect it. */
  readonly dispatch: Dispatch
  /** For the test itself: faults of requests do not affect it. */
  readonly faultlessDispatch: Dispatch
}

/** Returns the dispatchers of the devnet of `context`. An observer is given each request. */
export function createDispatchers(context: RpcContext, onDefect: OnDefect): Dispatchers {
  const answer = createAnswering(context, onDefect)
  const answerWithFaults = withRequestFaults(context, answer)
  return {
    dispatch: (request, subscriptions, startWork) =>
      context.observer === undefined
        ? answerWithFaults(request, subscriptions, startWork)
        : context.observer.onRequest(
            request,
            subscriptions,
            working(answerWithFaults, startWork),
            'withFaults',
          ),
    faultlessDispatch: (request, subscriptions, startWork) =>
      context.observer === undefined
        ? answer(request, subscriptions, startWork)
        : context.observer.onRequest(request, subscriptions, working(answer, startWork), 'faultless'),
  }
}

function createAnswering(context: RpcContext, onDefect: OnDefect): Dispatch {
  const fail = (error: unknown, request: Request, own: RpcContext): Answer | Promise<Answer> => {
    const problem = problemOf(error)
    if (problem.kind === 'defect' || problem.kind === 'enginesDiffer') onDefect(error, request)
    const answer: Answer = {
      kind: 'error',
      error: toRpcError(problem, context.options.dialect),
      cause: error,
    }
    const located = error instanceof Problem ? stackTraceOfProblem(own, error) : undefined
    return whenThere(located, (stackTrace) => (stackTrace === undefined ? answer : { ...answer, stackTrace }))
  }
  const unlimited: StartWork = () => new Work({ owner: context })
  const workOf = (startWork: StartWork): Work => {
    const work = startWork()
    return context.sequencer.isObserved ? work.withoutPauses() : work
  }
  const succeed = (result: unknown): Answer => ({ kind: 'result', result })
  /**
   * Answers again, once what was missing of the state of a forked network was fetched: a method that lacks something has
   * changed nothing yet.
   */
  const answerAgain = (lack: NotFetched, method: Answering, own: RpcContext, request: Request) => {
    const work = own === context ? unlimited() : own.work
    return afterFetch(lack, () => method(own, request.params), work).then(succeed, (error) =>
      fail(error, request, own),
    )
  }
  const failOrAgain = (error: unknown, method: Answering, own: RpcContext, request: Request) =>
    error instanceof NotFetched ? answerAgain(error, method, own, request) : fail(error, request, own)
  // Closures are made in functions of their own: a function with one keeps all that it uses in an object of V8's heap.
  const later = (result: Promise<unknown>, method: Answering, own: RpcContext, request: Request) =>
    result.then(succeed, (error) => failOrAgain(error, method, own, request))
  const onNetwork =
    (network: ForkedNetwork, here: Answering, request: Request): Answering =>
    (own) =>
      answerOnFork(own, network, request, (params) => here(own, params))
  return (request, subscriptions, startWork = unlimited) => {
    try {
      const known = METHODS.get(request.method)
      const here = known ?? connectionMethod(request.method, subscriptions)
      const { network } = context
      const method =
        network === undefined || isOfNoNetwork(request) ? here : onNetwork(network, here, request)
      const own = known?.isLong === true ? context.during(workOf(startWork)) : context
      try {
        const result = method(own, request.params)
        return result instanceof Promise ? later(result, method, own, request) : succeed(result)
      } catch (error) {
        return failOrAgain(error, method, own, request)
      }
    } catch (error) {
      return fail(error, request, context)
    }
  }
}

/** Returns a dispatcher that responds like `answer`, unless a planned fault of requests is due. */
function withRequestFaults(context: RpcContext, answer: Dispatch): Dispatch {
  const { requestFaults, chain, options } = context
  return (request, subscriptions, startWork) => {
    if (requestFaults.isEmpty) return answer(request, subscriptions, startWork)
    const { method, params } = request
    const isOnNetwork = context.network !== undefined
    const faulted = { method, params, chain, dialect: options.dialect, isOnNetwork }
    return requestFaults.meet(faulted, () => answer(request, subscriptions, startWork))
  }
}

/** Returns `answer` with the work that each request begins. */
function working(answer: Dispatch, startWork: StartWork | undefined): Dispatch {
  return (request, subscriptions) => answer(request, subscriptions, startWork)
}

const NAMES = [...METHODS.keys(), ...CONNECTION_METHODS.keys()]

function connectionMethod(name: string, subscriptions: Subscriptions | undefined): Answering {
  const method = CONNECTION_METHODS.get(name)
  if (method === undefined) {
    throw new Problem({ kind: 'unknownMethod', method: name, meant: nearest(name, NAMES) })
  }
  if (subscriptions === undefined) throw new Problem({ kind: 'needsWebSocket', method: name })
  return method(subscriptions)
}
