/**
 * What goes wrong, on purpose, between a client and the chain: requests that are late, refused or never answered, calls
 * that see an older block, connections that are cut. While nothing is planned, this costs each request one look.
 */
import { queryLogs } from '../chain/logs.ts'
import type { CutFault, Planned, RequestFault } from '../model/fault.ts'
import type { Clock } from '../sequencer/clock.ts'
import { type Events, Listeners } from '../sequencer/events.ts'
import { type Occasion, pull } from '../sequencer/faults.ts'
import { parseFilter } from '../wire/filter.ts'
import { InvalidValue } from '../wire/parser.ts'
import type { RpcContext } from './context.ts'
import type { Answer, Request } from './dispatch.ts'
import { type LogRefusal, logRefusal, usualLimit } from './logRefusals.ts'
import { lagFate, requestFate } from './requestFate.ts'

/** What is told of it. */
export interface TroubleEvents {
  /** A request, or all connections, met a fault that was asked for. */
  trouble: (fault: RequestFault | CutFault, method: string | undefined) => void
}

/** Cuts all connections of a listener; answers how many. */
export type Cutter = (code: number | undefined) => number

export class Trouble {
  readonly listeners = new Listeners<TroubleEvents>()
  readonly #happenings: Listeners<Events>
  readonly #clock: Clock
  #requests: readonly Planned<RequestFault>[] = []
  #cuts: readonly Planned<CutFault>[] = []
  readonly #cutters = new Set<Cutter>()
  #stopWatching: (() => void) | undefined
  /** What ends the waiting of those that are answered late. */
  readonly #late = new Set<() => void>()

  constructor(happenings: Listeners<Events>, clock: Clock) {
    this.#happenings = happenings
    this.#clock = clock
  }

  /** Whether no request can meet anything. */
  get isCalm(): boolean {
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

  /** Answers a request with `answer`, unless something happens to it. */
  meet(
    context: RpcContext,
    { method, params }: Request,
    answer: () => Answer | Promise<Answer>,
  ): Answer | Promise<Answer> {
    const { ending, lateMs, happening, planned } = requestFate(this.#requests, method, (fault) =>
      refusedLogs(context, params[0], fault),
    )
    this.#requests = planned
    for (const fault of happening) this.listeners.emit('trouble', fault, method)
    switch (ending.kind) {
      case 'answered':
        return this.#later(lateMs, answer())
      case 'refused': {
        const { error, http } = ending
        const refusal: Answer = { kind: 'error', error, cause: undefined }
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
    if (this.isCalm) return usual
    const { lag, happening, planned } = lagFate(this.#requests)
    this.#requests = planned
    for (const fault of happening) this.listeners.emit('trouble', fault, undefined)
    return lag ?? usual
  }

  /** Lets `cut` know when connections are to be cut, until the answered function is called. */
  onCut(cut: Cutter): () => void {
    this.#cutters.add(cut)
    return () => {
      this.#cutters.delete(cut)
    }
  }

  /** Cuts all WebSocket connections now. Answers how many there were. */
  cut(code: number | undefined): number {
    let count = 0
    for (const cut of this.#cutters) count += cut(code)
    return count
  }

  /** Answers those who wait at once, and watches nothing any more. */
  close(): void {
    this.clear()
    for (const end of [...this.#late]) end()
  }

  #later(ms: number, answer: Answer | Promise<Answer>): Answer | Promise<Answer> {
    if (ms === 0) return answer
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        this.#late.delete(end)
        resolve(answer)
      }
      const cancel = this.#clock.machine.timer()(ms, end)
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
    const ends = [
      this.#happenings.on('preconfirmed', ({ block, slices }) =>
        this.#cutAt({ block: block.header.number, slice: slices }),
      ),
      // Where there are no slices, blocks are what is told.
      this.#happenings.on('sealed', ({ block, lastSlice }) => {
        if (lastSlice === undefined) this.#cutAt({ block: block.header.number })
      }),
    ]
    this.#stopWatching = () => {
      for (const end of ends) end()
    }
  }

  #cutAt(occasion: Occasion): void {
    const left: Planned<CutFault>[] = []
    const happening: CutFault[] = []
    for (const one of this.#cuts) {
      const { happens, next } = pull(one, occasion)
      if (happens) happening.push(one.fault)
      if (next !== undefined) left.push(next)
    }
    this.#setCuts(left)
    for (const fault of happening) {
      this.listeners.emit('trouble', fault, undefined)
      // Whoever else listens has told of the slice by then: what is cut comes after it.
      queueMicrotask(() => this.cut(fault.code))
    }
  }
}

/** How the question for the logs that match `filter` is refused, if it is too large. */
function refusedLogs(
  { chain, options }: RpcContext,
  filter: unknown,
  { provider, blocks = usualLimit(provider), results = 0 }: Extract<RequestFault, { kind: 'logRange' }>,
): LogRefusal | undefined {
  let wanted: ReturnType<ReturnType<typeof parseFilter>>
  try {
    wanted = parseFilter(options.dialect)(filter, 'params[0]')
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
