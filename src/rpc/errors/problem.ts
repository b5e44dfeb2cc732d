/** Problems of requests, independent of the dialect. `errors.ts` converts them to JSON-RPC errors. */

import type { Address, Hash } from '../../bytes/hex.ts'
import type { LogAnswer } from '../../chain/logs.ts'
import type { Missing } from '../../chain/moment.ts'
import { EngineDifference } from '../../engine/both/bothEngines.ts'
import type { Halt, Revert, Watcher } from '../../engine/engine.ts'
import type { CallRefusal } from '../../engine/run/runCall.ts'
import type { Unrepeatable } from '../../engine/trace/traceBlock.ts'
import { TracerFailed, type TraceTooLarge } from '../../engine/trace/tracer.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { PayloadFlaw } from '../../sequencer/block/buildPayload.ts'
import type { DropReason } from '../../sequencer/events.ts'
import type { InclusionRejection } from '../../sequencer/import/flawInHeader.ts'
import type { SimulationFlaw } from '../../sequencer/simulate/simulateBlocks.ts'
import { FetchFailed, PartialState } from '../../state/remoteState.ts'
import { NetworkRefused } from '../../upstream/forkedNetwork.ts'
import { UpstreamFailed, WrongCache } from '../../upstream/upstream.ts'
import type { ConflictingValues } from '../../wire/parser.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'
import {
  type LimitScope,
  MemoryLimitExceeded,
  TimeLimitExceeded,
  type Work,
  WorkCancelled,
} from '../../work/work.ts'

export type ProblemKind =
  | Missing
  | Revert
  | Halt
  | { readonly kind: 'refusedCall'; readonly refusal: CallRefusal }
  | { readonly kind: 'allowanceExceeded'; readonly allowance: bigint }
  | Extract<LogAnswer, { kind: 'reversedRange' | 'beyondHead' | 'rangeTooLarge' | 'tooManyResults' }>
  | { readonly kind: 'unknownLogBlock'; readonly hash: string }
  | { readonly kind: 'beforeFork'; readonly asked: string; readonly fork: bigint }
  | {
      readonly kind: 'rejected'
      readonly rejection: InclusionRejection
      readonly transaction: Transaction
      /** Whether the transaction could have waited for a later block. */
      readonly mayWait: boolean
    }
  | { readonly kind: 'invalidParams'; readonly argument: number; readonly detail: string }
  | {
      readonly kind: 'conflictingValues'
      readonly argument: number
      readonly conflict: ConflictingValues['kind']
      readonly detail: string
    }
  | { readonly kind: 'invalidRequest'; readonly detail: string }
  | { readonly kind: 'parseError'; readonly detail: string }
  /** `meant` is the method with the nearest name, if the name looks like a misspelling. */
  | { readonly kind: 'unknownMethod'; readonly method: string; readonly meant: string | undefined }
  | { readonly kind: 'needsWebSocket'; readonly method: string }
  | { readonly kind: 'batchTooLarge'; readonly size: number; readonly limit: number }
  | { readonly kind: 'lowerNonce'; readonly have: bigint; readonly got: bigint }
  | { readonly kind: 'nonceWhileWaiting' }
  | { readonly kind: 'creationWithoutData' }
  | { readonly kind: 'wrongChainId'; readonly asked: bigint; readonly chainId: bigint }
  | { readonly kind: 'unknownAccount'; readonly address: Address }
  | { readonly kind: 'unknownChain'; readonly asked: bigint; readonly chainId: bigint }
  | { readonly kind: 'unknownFilter'; readonly id: bigint }
  | { readonly kind: 'tooManyFilters' }
  | { readonly kind: 'tooManySubscriptions'; readonly limit: number }
  | { readonly kind: 'unknownTransaction'; readonly hash: Hash }
  | { readonly kind: 'unconfirmed'; readonly hash: Hash; readonly waitMs: number }
  | { readonly kind: 'droppedTransaction'; readonly hash: Hash; readonly reason: DropReason }
  | { readonly kind: 'genesisNotTraceable' }
  | { readonly kind: 'noAccessList'; readonly number: bigint }
  | { readonly kind: 'unknownIndex'; readonly index: number; readonly count: number }
  | { readonly kind: 'simulation'; readonly flaw: SimulationFlaw }
  | { readonly kind: 'payload'; readonly flaw: PayloadFlaw }
  | TraceTooLarge
  | { readonly kind: 'tracerFailed'; readonly detail: string }
  | Unrepeatable
  | { readonly kind: 'unsupported'; readonly detail: string }
  | {
      readonly kind: 'timedOut'
      readonly limited: LimitScope
      readonly limitMs: number
      readonly done?: string | undefined
    }
  | { readonly kind: 'outOfMemory'; readonly limitBytes: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'enginesDiffer'; readonly detail: string }
  | { readonly kind: 'networkFailed'; readonly detail: string }
  | { readonly kind: 'networkRefused'; readonly error: NetworkRefused['error'] }
  | { readonly kind: 'notLoaded'; readonly detail: string }
  | { readonly kind: 'defect' }

/** Repeats a failed run in the same state and block context, by default within the limits of the request's work. */
export type RunAgain = (watcher: Watcher, work?: Work) => MaybePromise<unknown>

/** Thrown by a method to respond with an error. Any other exception is reported to the client as an internal error. */
export class Problem extends Error {
  readonly problem: ProblemKind
  /** Repeats the failed run; `undefined` if the problem is not a failed run. */
  readonly runAgain: RunAgain | undefined

  constructor(problem: ProblemKind, runAgain?: RunAgain) {
    super(problem.kind)
    this.problem = problem
    this.runAgain = runAgain
  }
}

/** Returns the problem of an exception. An unexpected exception becomes an internal error. */
export function problemOf(error: unknown): ProblemKind {
  if (error instanceof FetchFailed) return problemOf(error.cause)
  if (error instanceof Problem) return error.problem
  if (error instanceof TimeLimitExceeded) {
    return { kind: 'timedOut', limited: error.limited, limitMs: error.limitMs, done: error.done }
  }
  if (error instanceof MemoryLimitExceeded) return { kind: 'outOfMemory', limitBytes: error.limitBytes }
  if (error instanceof TracerFailed) return { kind: 'tracerFailed', detail: error.message }
  if (error instanceof PartialState) return { kind: 'unsupported', detail: error.message }
  if (error instanceof UpstreamFailed || error instanceof WrongCache) {
    return { kind: 'networkFailed', detail: error.message }
  }
  if (error instanceof NetworkRefused) return { kind: 'networkRefused', error: error.error }
  if (error instanceof EngineDifference) return { kind: 'enginesDiffer', detail: error.message }
  if (error instanceof WorkCancelled) return { kind: 'closed' }
  const isAbsent = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
  return isAbsent ? { kind: 'notLoaded', detail: notLoadedText(error) } : { kind: 'defect' }
}

/** Returns the message for a failed import, which happens if the package is replaced while a devnet runs. */
export function notLoadedText(error: unknown): string {
  return `a part of preseal could not be loaded, restart it: ${(error as Error).message}`
}
