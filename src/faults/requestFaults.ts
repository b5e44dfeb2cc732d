/**
 * What goes wrong, on purpose, between a client and the chain: requests that are late, refused or never answered, calls
 * that see an older block, connections that are cut. While nothing is planned, this costs each request one look.
 */
import type { Chain } from '../chain/chain.ts'
import { queryLogs } from '../chain/logs.ts'
import { Listeners } from '../model/collections/listeners.ts'
import type { CutFault, Planned, RequestFault } from '../model/fault.ts'
import { type FilterDialect, parseFilter } from '../wire/filter.ts'
import { InvalidValue } from '../wire/parser.ts'
import { type Occasion, pull } from './dueFaults.ts'
import { type LogRefusal, logRefusal, type RefusedError, usualLimit } from './logRefusals.ts'
import { dueContextLag, type HttpWord, requestOutcome } from './requestOutcome.ts'

export interface RequestFaultEvents {
  /** A request, or all connections, met a fault that was asked for. */
  requestFault: (fault: RequestFault | CutFault, method: string | undefined) => void
}

/** Closes all WebSocket connections of one listening port with `code`, or without a close frame. Returns how many there were. */
export type CloseConnections = (code: number | undefined) => number

/** What the faults of requests need of the devnet around them. */
export interface RequestFaultOptions {
  /** Calls `then` after `ms` milliseconds, unless the returned function is called before. */
  startTimer(ms: number, then: () => void): () => void
  /** Calls `listener` at each slice, and at each block that is sealed without one, until the returned function is called. */
  onSlice(listener: (occasion: Occasion) => void): () => void
}

/** What a request gets in place of its answer. */
export type FaultAnswer =
  | {
      readonly kind: 'error'
      readonly error: RefusedError
      readonly cause: undefined
      readonly http?: HttpWord
    }
  /** Nothing: whoever asks waits until it gives up, or the devnet is closed. */
  | { readonly kind: 'never' }

/** A request, and what a fault that refuses it may look at. */
export interface FaultedRequest {
  readonly method: string
  readonly params: readonly unknown[]
  readonly chain: Chain
  readonly dialect: FilterDialect
}

export class RequestFaults {
  readonly listeners = new Listeners<RequestFaultEvents>()
  readonly #options: RequestFaultOptions
  #requests: readonly Planned<RequestFault>[] = []
  #cuts: readonly Planned<CutFault>[] = []
  readonly #connections = new Set<CloseConnections>()
  #stopWatching: (() => void) | undefined
  /** What ends the waiting of those that are answered late. */
  readonly #late = new Set<() => void>()

  constructor(options: RequestFaultOptions) {
    this.#options = options
  }

  /** Whether no fault of requests is planned. */
  get isEmpty(): boolean {
    return this.#requests.length === 0
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

  /** Answers whether there was such a fault. */
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

  /** Returns the answer of `answer`, or what the faults that are due now put in its place. */
  meet<A>(request: FaultedRequest, answer: () => A | Promise<A>): A | FaultAnswer | Promise<A | FaultAnswer> {
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
        // A subscription that nobody knows of would be told of things for ever.
        if (ending.what === 'answer' && method !== 'eth_subscribe') void answer()
        return { kind: 'never' }
    }
  }

  /** How many blocks the context of a call on `pending` stays behind, where `usual` is what it does otherwise. */
  contextLag(usual: number): number {
    if (this.isEmpty) return usual
    const { lag, due, planned } = dueContextLag(this.#requests)
    this.#requests = planned
    for (const fault of due) this.listeners.emit('requestFault', fault, undefined)
    return lag ?? usual
  }

  /** Adds the connections of a port to those that `cut` closes, until the returned function is called. */
  onCut(close: CloseConnections): () => void {
    this.#connections.add(close)
    return () => {
      this.#connections.delete(close)
    }
  }

  /** Cuts all WebSocket connections now. Answers how many there were. */
  cut(code: number | undefined): number {
    let count = 0
    for (const close of this.#connections) count += close(code)
    return count
  }

  /** Answers those who wait at once, and watches nothing any more. */
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

  /** The sequencer is listened to only while a cut waits for a slice. */
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
    const left: Planned<CutFault>[] = []
    const due: CutFault[] = []
    for (const one of this.#cuts) {
      const { happens, next } = pull(one, occasion)
      if (happens) due.push(one.fault)
      if (next !== undefined) left.push(next)
    }
    this.#setCuts(left)
    for (const fault of due) {
      this.listeners.emit('requestFault', fault, undefined)
      // Whoever else listens has told of the slice by then: what is cut comes after it.
      queueMicrotask(() => this.cut(fault.code))
    }
  }
}

/** How the question for the logs that match `filter` is refused, if it is too large. */
function refusedLogs(
  { chain, dialect, params: [filter] }: FaultedRequest,
  { provider, blocks = usualLimit(provider), results = 0 }: Extract<RequestFault, { kind: 'logRange' }>,
): LogRefusal | undefined {
  let wanted: ReturnType<ReturnType<typeof parseFilter>>
  try {
    wanted = parseFilter(dialect)(filter, 'params[0]')
  } catch (error) {
    // It is refused for what is wrong with it.
    if (error instanceof InvalidValue) return undefined
    throw error
  }
  const answer = queryLogs(chain, wanted, { range: blocks, results })
  return answer.kind === 'rangeTooLarge' || answer.kind === 'tooManyResults'
    ? logRefusal(provider, answer)
    : undefined
}
