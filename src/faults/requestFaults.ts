/** Faults of requests and connections. If no fault is planned, a request costs one comparison. */

import type { Chain } from '../chain/chain.ts'
import { blockNumberOf, type LogAnswer, queryLogs, rangeTooLarge } from '../chain/logs.ts'
import { isPending, LATEST } from '../model/block/selector.ts'
import { Listeners } from '../model/collections/listeners.ts'
import type { LogFilter } from '../model/receipt/log.ts'
import type { RpcContext } from '../rpc/context.ts'
import type { Answer, Dispatch, Request } from '../rpc/request.ts'
import type { Dialect } from '../wire/dialect.ts'
import { parseFilter } from '../wire/filter.ts'
import { InvalidValue } from '../wire/parser.ts'
import { type Occasion, select } from './dueFaults.ts'
import type { CutFault, Fault, Planned, RequestFault } from './fault.ts'
import { type LogRefusal, logRefusal, usualLimit } from './logRefusals.ts'
import { dueContextLag, requestOutcome } from './requestOutcome.ts'

export interface FaultEvents {
  /** A fault of the chain has happened in this block and slice. */
  fault: (fault: Fault, block: bigint, slice: number | undefined) => void
  /** A fault of a request, or of connections, has happened. */
  requestFault: (fault: RequestFault | CutFault, method: string | undefined) => void
}

/** Closes the WebSocket connections of a port, with `code` or without a close frame. Returns how many were closed. */
export type CloseConnections = (code: number | undefined) => number

export interface RequestFaultOptions {
  /** Calls `then` after `ms` milliseconds. Returns a function that cancels the call. */
  startTimer(ms: number, then: () => void): () => void
  /** Adds a listener for slices, and for blocks sealed without slices. Returns a function that removes the listener. */
  onSlice(listener: (occasion: Occasion) => void): () => void
}

type FaultAnswer = Exclude<Answer, { readonly kind: 'result' }>

export interface FaultedRequest {
  readonly method: string
  readonly params: readonly unknown[]
  readonly chain: Chain
  readonly dialect: Dialect
  readonly isOnNetwork: boolean
}

/** Answers a request in place of `usual`, or with its answer. */
export type Intercept = (request: Request, usual: () => ReturnType<Dispatch>) => ReturnType<Dispatch>

export class RequestFaults {
  /** Answers each request while it is set. Set by explorations (`explore/stories/`). */
  intercept: Intercept | undefined
  readonly listeners = new Listeners<FaultEvents>()
  readonly #options: RequestFaultOptions
  #requests: readonly Planned<RequestFault>[] = []
  #cuts: readonly Planned<CutFault>[] = []
  readonly #connections = new Set<CloseConnections>()
  #stopWatching: (() => void) | undefined
  readonly #late = new Set<() => void>()

  constructor(options: RequestFaultOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#requests.length === 0
  }

  /** The number of open ports. */
  get ports(): number {
    return this.#connections.size
  }

  get planned(): readonly Planned<RequestFault | CutFault>[] {
    return [...this.#requests, ...this.#cuts]
  }

  planRequest(fault: Planned<RequestFault>): void {
    this.#requests = [...this.#requests, fault]
  }

  planCut(fault: Planned<CutFault>): void {
    this.#setCuts([...this.#cuts, fault])
  }

  remove(id: number): boolean {
    const before = this.planned.length
    this.#requests = this.#requests.filter((one) => one.id !== id)
    this.#setCuts(this.#cuts.filter((one) => one.id !== id))
    return this.planned.length < before
  }

  clear(): void {
    this.#requests = []
    this.#setCuts([])
  }

  /** Returns a dispatch function that applies the faults of requests to `dispatch`. */
  wrap(dispatch: Dispatch, context: RpcContext): Dispatch {
    const { chain, options } = context
    const faulty: Dispatch = (request, subscriptions, startWork) => {
      if (this.isEmpty) return dispatch(request, subscriptions, startWork)
      const { method, params } = request
      const isOnNetwork = context.network !== undefined
      const faulted = { method, params, chain, dialect: options.dialect, isOnNetwork }
      return this.applyFaults(faulted, () => dispatch(request, subscriptions, startWork))
    }
    return (request, subscriptions, startWork) => {
      if (this.intercept === undefined) return faulty(request, subscriptions, startWork)
      return this.intercept(request, () => faulty(request, subscriptions, startWork))
    }
  }

  applyFaults<A>(
    request: FaultedRequest,
    answer: () => A | Promise<A>,
  ): A | FaultAnswer | Promise<A | FaultAnswer> {
    const { method } = request
    const { ending, lateMs, due, planned } = requestOutcome(this.#requests, method, (fault) =>
      refusedLogs(request, fault),
    )
    this.#requests = planned
    for (const fault of due) this.listeners.emit('requestFault', fault, method)
    switch (ending.kind) {
      case 'answered':
        return this.#later(lateMs, answer())
      case 'refused': {
        const { error, http } = ending
        const refusal: FaultAnswer = { kind: 'error', error, cause: undefined }
        return this.#later(lateMs, http === undefined ? refusal : { ...refusal, http })
      }
      case 'lost':
        // Subscriptions are not created: without the subscription id, the client could never end the subscription.
        if (ending.what === 'answer' && method !== 'eth_subscribe') void answer()
        return { kind: 'never' }
    }
  }

  /** Returns how many blocks the block context of a call on `pending` is behind. Without a fault, returns `usual`. */
  contextLag(usual: number): number {
    if (this.isEmpty) return usual
    const { lag, due, planned } = dueContextLag(this.#requests)
    this.#requests = planned
    for (const fault of due) this.listeners.emit('requestFault', fault, undefined)
    return lag ?? usual
  }

  /** Registers `close`, which closes the connections of a port. Returns a function that removes `close`. */
  onCut(close: CloseConnections): () => void {
    this.#connections.add(close)
    return () => {
      this.#connections.delete(close)
    }
  }

  cut(code: number | undefined): number {
    let count = 0
    for (const close of this.#connections) count += close(code)
    return count
  }

  /** Sends all delayed responses immediately, and removes all faults. */
  close(): void {
    this.clear()
    for (const end of [...this.#late]) end()
  }

  #later<A>(ms: number, answer: A | Promise<A>): A | Promise<A> {
    if (ms === 0) return answer
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        this.#late.delete(end)
        resolve(answer)
      }
      const cancel = this.#options.startTimer(ms, end)
      this.#late.add(end)
    })
  }

  /** Sets the planned cuts. Listens to the sequencer only while cuts are planned. */
  #setCuts(cuts: readonly Planned<CutFault>[]): void {
    this.#cuts = cuts
    if (cuts.length === 0) {
      this.#stopWatching?.()
      this.#stopWatching = undefined
      return
    }
    if (this.#stopWatching !== undefined) return
    this.#stopWatching = this.#options.onSlice((occasion) => this.#cutAt(occasion))
  }

  #cutAt(occasion: Occasion): void {
    const { due, planned } = select(
      this.#cuts,
      occasion,
      (fault): fault is CutFault => fault.kind === 'cutWebSockets',
    )
    this.#setCuts(planned)
    for (const { fault } of due) {
      this.listeners.emit('requestFault', fault, undefined)
      // The cut runs in a microtask, after all other listeners have handled the slice.
      queueMicrotask(() => this.cut(fault.code))
    }
  }
}

/** Returns the refusal of an eth_getLogs request that exceeds the limits of `fault`. */
function refusedLogs(
  { chain, dialect, params: [filter], isOnNetwork }: FaultedRequest,
  { provider, blocks = usualLimit(provider), results = 0 }: Extract<RequestFault, { kind: 'logRange' }>,
): LogRefusal | undefined {
  let wanted: ReturnType<ReturnType<typeof parseFilter>>
  try {
    wanted = parseFilter(dialect)(filter, 'params[0]')
  } catch (error) {
    // The fault does not apply to an invalid filter, which the method itself refuses.
    if (error instanceof InvalidValue) return undefined
    throw error
  }
  const answer =
    (isOnNetwork ? tooLargeOnNetwork(chain, wanted, blocks) : undefined) ??
    queryLogs(chain, wanted, { range: blocks, results }, () => undefined)
  return answer.kind === 'rangeTooLarge' || answer.kind === 'tooManyResults'
    ? logRefusal(provider, answer)
    : undefined
}

/** Returns the refusal of a range of more than `limit` blocks, including blocks of the forked network. */
function tooLargeOnNetwork(chain: Chain, { range }: LogFilter, limit: number): LogAnswer | undefined {
  if (range.kind === 'block') return undefined
  const from = range.from ?? LATEST
  const to = range.to ?? LATEST
  const last = isPending(to) ? LATEST : to
  return rangeTooLarge(limit, blockNumberOf(chain, from), blockNumberOf(chain, last))
}
