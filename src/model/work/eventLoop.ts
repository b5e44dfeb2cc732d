/**
 * Shares the event loop of this process among pieces of work that take long.
 *
 * JavaScript runs one thing at a time: while a call runs for five seconds, no timer fires and no request is read. So work that
 * may take long asks `pause` every now and then. When it, and all others in the same turn of the event loop, have had a slice of
 * time, `pause` returns a promise: timers and sockets have their turn, then the work that has waited longest goes on, for
 * another slice. Work that is done within a slice never waits.
 */

/** Where time and turns of the event loop come from. */
export interface LoopTime {
  /** Milliseconds from any beginning. */
  now(): number
  /** Calls `next` after timers and sockets have had a turn. */
  soon(next: () => void): void
}

/** How long work holds the event loop at a stretch. Half of it is what a timer waits on average while something long runs. */
export const SLICE_MS = 40

export class EventLoop {
  readonly #time: LoopTime
  readonly #sliceMs: number
  /** When the slice of this turn ends; `undefined`: nobody has asked in this turn. */
  #endMs: number | undefined
  readonly #urgent: (() => void)[] = []
  readonly #waiting: (() => void)[] = []

  constructor(time: LoopTime, sliceMs: number = SLICE_MS) {
    this.#time = time
    this.#sliceMs = sliceMs
  }

  get nowMs(): number {
    return this.#time.now()
  }

  /** How much work waits for its turn. */
  get waiting(): number {
    return this.#urgent.length + this.#waiting.length
  }

  /**
   * Returns what to await before work goes on, or `undefined` where it can go on at once. Urgent work goes on before all other
   * that waits. `nowMs` is the time, where the caller has read it already.
   */
  pause(isUrgent: boolean, nowMs: number = this.#time.now()): Promise<void> | undefined {
    if (this.#endMs === undefined) {
      this.#begin(nowMs)
      return undefined
    }
    if (nowMs < this.#endMs) return undefined
    return new Promise((resolve) => (isUrgent ? this.#urgent : this.#waiting).push(resolve))
  }

  #begin(nowMs: number): void {
    this.#endMs = nowMs + this.#sliceMs
    this.#time.soon(this.#turn)
  }

  /** A turn of the event loop later: one of those that wait goes on. All at once would have a slice each, and no turn between. */
  readonly #turn = (): void => {
    this.#endMs = undefined
    const next = this.#urgent.shift() ?? this.#waiting.shift()
    if (next === undefined) return
    this.#begin(this.#time.now())
    next()
  }
}

/** Node's own, whatever a test that fakes its timers puts in place of the global functions later. */
const { setImmediate: immediate, setTimeout: timeout } = globalThis
const performanceNow = performance.now.bind(performance)

/** That of this process. A browser has no `setImmediate`, and rounds a timer of zero up to some milliseconds. */
export const processLoop: EventLoop = new EventLoop({
  now: performanceNow,
  soon: (next) => {
    if (immediate === undefined) timeout(next)
    else immediate(next)
  },
})
