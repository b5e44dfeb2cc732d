/** A request, its answer, and what answers it: the nouns that everything between a connection and a method speaks of. */
import type { HttpWord } from '../faults/requestOutcome.ts'
import type { Work } from '../model/work/work.ts'
import type { RpcError } from './errors.ts'
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

/** Begins the work that a request is; called only for methods that may take long. */
export type StartWork = () => Work

/**
 * Answers requests. Reads of state and subscriptions answer at once; what runs code answers with a promise. Never throws.
 * `subscriptions` are those of the connection that asks, where it can have any. Without `startWork` a request has no time limit.
 */
export type Dispatch = (
  request: Request,
  subscriptions?: Subscriptions,
  startWork?: StartWork,
) => Answer | Promise<Answer>

/** Learns of errors that are preseal's own fault. */
export type OnDefect = (error: unknown, request: Request) => void
