/** From a request to its answer: finds the method, runs it, and says what went wrong in the dialect of the devnet. */
import type { RpcContext } from './context.ts'
import { toRpcError } from './errors.ts'
import type { Answering } from './method.ts'
import { CONNECTION_METHODS, METHODS } from './methods/index.ts'
import { Problem, type ProblemKind } from './problem.ts'
import type { Answer, Dispatch, OnDefect, Request } from './request.ts'
import type { Subscriptions } from './subscriptions.ts'

/** The two ways to ask a devnet. */
export interface Dispatchers {
  /** Answers clients, whose requests meet the faults that are planned for requests. */
  readonly dispatch: Dispatch
  /** Answers the test itself, which no fault of requests comes near. */
  readonly faultlessDispatch: Dispatch
}

/** Returns what answers requests to the devnet of `context`. Whoever observes the devnet is given each request. */
export function createDispatchers(context: RpcContext, onDefect: OnDefect): Dispatchers {
  const answer = createAnswering(context, onDefect)
  const answerWithFaults = withRequestFaults(context, answer)
  return {
    dispatch: (request, subscriptions) =>
      context.observer === undefined
        ? answerWithFaults(request, subscriptions)
        : context.observer.onRequest(request, subscriptions, answerWithFaults, 'withFaults'),
    faultlessDispatch: (request, subscriptions) =>
      context.observer === undefined
        ? answer(request, subscriptions)
        : context.observer.onRequest(request, subscriptions, answer, 'faultless'),
  }
}

function createAnswering(context: RpcContext, onDefect: OnDefect): Dispatch {
  const fail = (error: unknown, request: Request): Answer => {
    if (!(error instanceof Problem)) onDefect(error, request)
    const problem: ProblemKind = error instanceof Problem ? error.problem : { kind: 'defect' }
    return { kind: 'error', error: toRpcError(problem, context.options.dialect), cause: error }
  }
  return (request, subscriptions) => {
    try {
      const method = METHODS.get(request.method) ?? connectionMethod(request.method, subscriptions)
      const result = method(context, request.params)
      if (!(result instanceof Promise)) return { kind: 'result', result }
      return result.then(
        (value) => ({ kind: 'result', result: value }),
        (error) => fail(error, request),
      )
    } catch (error) {
      return fail(error, request)
    }
  }
}

/** Returns a dispatcher that answers as `answer` does, unless a fault that is planned for requests is due. */
function withRequestFaults(context: RpcContext, answer: Dispatch): Dispatch {
  const { requestFaults, chain, options } = context
  return (request, subscriptions) => {
    if (requestFaults.isEmpty) return answer(request, subscriptions)
    const { method, params } = request
    const faulted = { method, params, chain, dialect: options.dialect }
    return requestFaults.meet(faulted, () => answer(request, subscriptions))
  }
}

function connectionMethod(name: string, subscriptions: Subscriptions | undefined): Answering {
  const method = CONNECTION_METHODS.get(name)
  if (method === undefined) throw new Problem({ kind: 'unknownMethod', method: name })
  if (subscriptions === undefined) throw new Problem({ kind: 'needsWebSocket', method: name })
  return method(subscriptions)
}
