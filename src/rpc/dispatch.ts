/** From a request to its answer: finds the method, runs it, and says what went wrong in the dialect of the devnet. */
import type { RpcContext } from './context.ts'
import { type RpcError, toRpcError } from './errors.ts'
import type { Answering } from './method.ts'
import { CONNECTION_METHODS, METHODS } from './methods/index.ts'
import { Problem, type ProblemKind } from './problem.ts'
import type { HttpWord } from './requestFate.ts'
import type { Subscriptions } from './subscriptions.ts'

/** A method and its positional parameters. */
export interface Request {
  readonly method: string
  readonly params: readonly unknown[]
}

export type Answer =
  | { readonly kind: 'result'; readonly result: unknown }
  | {
      readonly kind: 'error'
      readonly error: RpcError
      readonly cause: unknown
      /** What HTTP says of it besides, where a fault asks for that. */
      readonly http?: HttpWord
    }
  /** A fault: whoever asks waits, until it gives up or all is closed. */
  | { readonly kind: 'never' }

/**
 * Answers requests. Reads of state and subscriptions answer at once; what runs code answers with a promise. Never throws.
 * `subscriptions` are those of the connection that asks, where it can have any.
 */
export type Dispatch = (request: Request, subscriptions?: Subscriptions) => Answer | Promise<Answer>

/** Learns of errors that are preseal's own fault. */
export type OnDefect = (error: unknown, request: Request) => void

/** The dispatcher over `context`: requests meet what was planned to go wrong with them. */
export function createDispatch(context: RpcContext, onDefect: OnDefect): Dispatch {
  return withTrouble(context, createCalmDispatch(context, onDefect))
}

/** The dispatcher over `context` that no request fault comes near: for those who are no client under test. */
export function createCalmDispatch(context: RpcContext, onDefect: OnDefect): Dispatch {
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

/** `answer`, unless something else was planned for a request. */
export function withTrouble(context: RpcContext, answer: Dispatch): Dispatch {
  const { trouble } = context
  return (request, subscriptions) =>
    trouble.isCalm
      ? answer(request, subscriptions)
      : trouble.meet(context, request, () => answer(request, subscriptions))
}

function connectionMethod(name: string, subscriptions: Subscriptions | undefined): Answering {
  const method = CONNECTION_METHODS.get(name)
  if (method === undefined) throw new Problem({ kind: 'unknownMethod', method: name })
  if (subscriptions === undefined) throw new Problem({ kind: 'needsWebSocket', method: name })
  return method(subscriptions)
}
