/** Dispatch: runs the method of a request and returns the result, or the error in the dialect of the devnet. */
import { nearest } from '../model/api/text.ts'
import { NotFetched } from '../state/remoteState.ts'
import { afterFetch, whenFetched } from '../state/whenFetched.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import { Work } from '../work/work.ts'
import type { RpcContext } from './context.ts'
import { toRpcError } from './errors/errors.ts'
import { Problem, problemOf } from './errors/problem.ts'
import type { Answering, ConnectionMethod, Method } from './method.ts'
import type { Answer, Dispatch, OnDefect, Refused, Request, StartWork } from './request.ts'
import type { Subscriptions } from './subscriptions.ts'

export interface MethodTable {
  readonly methods: ReadonlyMap<string, Method>
  /** Methods that need a connection, such as `eth_subscribe`, and do not exist over HTTP. */
  readonly connectionMethods: ReadonlyMap<string, ConnectionMethod>
}

/** Completes an error response. Not called for successful responses. */
export type CompleteError = (refused: Refused, context: RpcContext) => Answer | Promise<Answer>

export function createDispatch(
  context: RpcContext,
  table: MethodTable,
  onDefect: OnDefect,
  complete: CompleteError = (refused) => refused,
): Dispatch {
  const fail = (error: unknown, request: Request, own: RpcContext): Answer | Promise<Answer> => {
    const problem = problemOf(error)
    if (problem.kind === 'defect' || problem.kind === 'enginesDiffer') onDefect(error, request)
    const refused: Refused = { kind: 'error', error: toRpcError(problem, own.options.dialect), cause: error }
    return complete(refused, own)
  }
  const unlimited: StartWork = () => new Work({ owner: context })
  const succeed = (result: unknown): Answer => ({ kind: 'result', result })
  // A method that lacks values of a forked network has changed nothing, so it runs again after the fetch.
  const failOrAgain = (error: unknown, method: Answering, own: RpcContext, request: Request) => {
    if (!(error instanceof NotFetched)) return fail(error, request, own)
    const work = own === context ? unlimited() : own.work
    return afterFetch(error, () => method(own, request.params), work).then(succeed, (last) =>
      fail(last, request, own),
    )
  }
  // Closures are created outside the returned function: V8 would allocate the variables they use on the heap each time.
  const later = (result: Promise<unknown>, method: Answering, own: RpcContext, request: Request) =>
    result.then(succeed, (error) => failOrAgain(error, method, own, request))
  return (request, subscriptions, startWork = unlimited) => {
    try {
      const known = table.methods.get(request.method)
      const method = known ?? connectionMethod(table, request.method, subscriptions)
      const own = known?.isLong === true ? context.withWork(startWork()) : context
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

/** Runs `answer` outside a request, and returns its result. Runs `answer` again after each fetch of values. */
export function inProcess<T>(work: Work, answer: () => MaybePromise<T>): MaybePromise<T> {
  return whenFetched(answer, work)
}

function connectionMethod(
  { methods, connectionMethods }: MethodTable,
  name: string,
  subscriptions: Subscriptions | undefined,
): Answering {
  const method = connectionMethods.get(name)
  if (method === undefined) {
    const names = [...methods.keys(), ...connectionMethods.keys()]
    throw new Problem({ kind: 'unknownMethod', method: name, meant: nearest(name, names) })
  }
  if (subscriptions === undefined) throw new Problem({ kind: 'needsWebSocket', method: name })
  return method(subscriptions)
}
