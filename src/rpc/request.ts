/** Requests, answers and dispatchers: the types shared by all code between a connection and a method. */
import type { LateStackTrace } from '../solidity/stackTrace/format.ts'
import type { Work } from '../work/work.ts'
import type { RpcError } from './errors/errors.ts'
import type { Subscriptions } from './subscriptions.ts'

export interface Request {
  readonly method: string
  readonly params: readonly unknown[]
}

/** Status, `Retry-After` header and body of an HTTP response. */
export interface HttpPart {
  readonly status: number
  readonly retryAfterSeconds?: number
  /** The body to send instead of the JSON-RPC response. */
  readonly body?: string
}

export type Answer = AnswerByKind & {
  /** Whether another devnet answered. Recordings do not contain such answers. */
  readonly isOfReplica?: true
}

type AnswerByKind =
  | { readonly kind: 'result'; readonly result: unknown }
  | {
      readonly kind: 'error'
      readonly error: RpcError
      readonly cause: unknown
      /** The Solidity stack trace of failed code, if artifacts have the code. */
      readonly stackTrace?: LateStackTrace
      /** The differences between the HTTP response and a usual response, which has status 200. */
      readonly http?: HttpPart
    }
  /** No response: the request stays open until the client gives up or the devnet is closed. */
  | { readonly kind: 'never' }

export type Refused = Extract<Answer, { readonly kind: 'error' }>

/** Begins the work of a request; called only for methods that may take long. */
export type StartWork = () => Work

/** Answers a request and never throws. Local reads return no promise. Without `startWork` there is no time limit. */
export type Dispatch = (
  request: Request,
  subscriptions?: Subscriptions,
  startWork?: StartWork,
) => Answer | Promise<Answer>

export type OnDefect = (error: unknown, request: Request) => void
