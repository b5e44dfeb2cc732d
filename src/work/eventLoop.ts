/**
 * Shares the event loop of this process among long-running pieces of work.
 *
 * JavaScript runs one task at a time: while a call runs for five seconds, no timer fires and no request is read. Long
 * work therefore calls `pause` regularly. After all work in the same turn of the event loop has had a slice of time
 * together, `pause` returns a promise: timers and sockets are served, then the work that has waited longest continues
 * for another slice. Work that ends within a slice never waits.
 */

/** The source of time and of turns of the event loop. */
export interface LoopTime {
  /** Returns milliseconds from any origin. */
  now(): number
  /** Calls `next` after timers and sockets were served. */
  soon(next: () => void): void
}

/**
 * The longest time for which work holds the event loop without a break. A timer waits half of it on average while long
 * work runs.
 */
export const SLICE_MS = 25

/**
 * The most that counts of the time between two looks. Work looks every few milliseconds: where more has passed, the
 * process stood still (in a debugger, a paused container, on a machine that slept or had other things to do).
 */
const MOST_BETWEEN_LOOKS_MS = 1_000

/** Work that is done within this time, together with others, need not know where a turn of the event loop ends. */
const SHORT_MS = 1

/** Divides the time of an event loop into slices for long-running work. */
export class EventLoop {
  readonly #time: LoopTime
  readonly #sliceMs: number
  /** When `pause` was called first, in this turn or, if all work was short, an earlier one; `undefined` if it was not. */
  #beginMs: number | undefined
  /** Whether a slice has begun, at the end of which others have their turn. For short work that would cost more than the work. */
  #isTurning = false
  #endMs = 0
  #lookedMs = Number.POSITIVE_INFINITY
  /** Milliseconds for which the process stood still. */
  #stoodMs = 0
  readonly #urgent: (() => void)[] = []
  readonly #waiting: (() => void)[] = []

  constructor(time: LoopTime, sliceMs: number = SLICE_MS) {
    this.#time = time
    this.#sliceMs = sliceMs
  }

  /** The time without that for which the process stood still: for limits of what it computes. */
  get nowMs(): number {
    const nowMs = this.#time.now()
    const passedMs = nowMs - this.#lookedMs
    this.#lookedMs = nowMs
    if (passedMs > MOST_BETWEEN_LOOKS_MS) this.#stoodMs += passedMs - MOST_BETWEEN_LOOKS_MS
    return nowMs - this.#stoodMs
  }

  /** The number of pieces of work that wait for their turn. */
  get waiting(): number {
    return this.#urgent.length + this.#waiting.length
  }

  /**
   * Returns a promise to await before work continues, or `undefined` if it can continue at once. Urgent work continues
   * before all other waiting work. `nowMs` is the time, if the caller has read it already.
   */
  pause(isUrgent: boolean, nowMs: number = this.nowMs): Promise<void> | undefined {
    if (this.#beginMs === undefined) {
      this.#beginMs = nowMs
      return undefined
    }
    if (!this.#isTurning) {
      const sinceMs = nowMs - this.#beginMs
      // What began longer ago was short work in an earlier turn.
      if (sinceMs >= SHORT_MS) this.#begin(sinceMs < this.#sliceMs ? this.#beginMs : nowMs)
      return undefined
    }
    if (nowMs < this.#endMs) return undefined
    return new Promise((resolve) => (isUrgent ? this.#urgent : this.#waiting).push(resolve))
  }

  /** Begins a slice, from `beginMs` on. */
  #begin(beginMs: number): void {
    this.#beginMs = beginMs
    this.#endMs = beginMs + this.#sliceMs
    this.#isTurning = true
    this.#time.soon(this.#turn)
  }

  /**
   * Begins the next slice with one waiting piece of work. If all continued in one turn, each would have a slice without
   * a turn between them.
   */
  readonly #turn = (): void => {
    this.#beginMs = undefined
    this.#isTurning = false
    const next = this.#urgent.shift() ?? this.#waiting.shift()
    if (next === undefined) return
    this.#begin(this.nowMs)
    next()
  }
}

/** An end of a `MessageChannel`, as far as it is used. */
interface End {
  onmessage?: ((event: never) => unknown) | null
  postMessage(message: unknown): void
}

interface Channel {
  readonly port1: End
  readonly port2: End
}

/** What an environment has for it. */
export interface Turns {
  readonly setImmediate?: ((next: () => void) => unknown) | undefined
  readonly MessageChannel?: (new () => Channel) | undefined
  readonly setTimeout: (next: () => void) => unknown
}

/**
 * Returns a function that calls `next` after timers and sockets were served, in the order of its calls. Node has `setImmediate`. A browser
 * gets a message of its own: its timers within timers wait for 4 ms or longer (HTML, "timer initialization steps"), which was four fifths of a
 * replay.
 */
export function turnsOf({ setImmediate, MessageChannel, setTimeout }: Turns): (next: () => void) => unknown {
  if (setImmediate !== undefined) return setImmediate
  if (MessageChannel === undefined) return (next) => setTimeout(next)
  const waiting: (() => void)[] = []
  let end: End | undefined
  return (next) => {
    waiting.push(next)
    end ??= endOf(new MessageChannel(), () => waiting.shift()!())
    end.postMessage(undefined)
  }
}

/** Returns the end of a channel at which a message calls `then`. */
function endOf({ port1, port2 }: Channel, then: () => void): End {
  port1.onmessage = then
  return port2
}

/** Calls its argument in the next turn; by the environment's own functions, which fake timers of a test that are installed later do not replace. */
export const nextTurn: (next: () => void) => unknown = turnsOf(globalThis)

/** Returns milliseconds from any origin, also where a test has replaced the time of its process. */
export const processMs: () => number = performance.now.bind(performance)

/** The event loop of this process. */
export const processLoop: EventLoop = new EventLoop({ now: processMs, soon: nextTurn })
