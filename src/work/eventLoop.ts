/**
 * Shares the event loop of this process among long-running work, which must call `pause` regularly. At the end of a
 * time slice, `pause` returns a promise: timers and sockets are served, then the longest-waiting work gets the next
 * slice. Work that ends within a slice never waits.
 */

/** The clock and the scheduler that an `EventLoop` uses. */
export interface LoopTime {
  /** Returns milliseconds since an arbitrary origin. */
  now(): number
  /** Calls `next` after timers and sockets have been served. */
  soon(next: () => void): void
}

/** Maximum time in milliseconds that work holds the event loop. Timers wait half as long on average. */
export const SLICE_MS = 25

/** Maximum time counted between two reads of the clock. A longer gap means that the process was suspended. */
const MAX_GAP_MS = 1_000

/** Work of up to this many milliseconds needs no slice: the callback at the end of a slice would cost more. */
const SHORT_MS = 1

export class EventLoop {
  readonly #time: LoopTime
  readonly #sliceMs: number
  /** The time of the first `pause` in this turn, or in an earlier turn that had only short work. */
  #beginMs: number | undefined
  /** Whether a slice has begun in this turn. Work of up to `SHORT_MS` needs no slice. */
  #hasSlice = false
  #endMs = 0
  #readMs = Number.POSITIVE_INFINITY
  #suspendedMs = 0
  readonly #urgent: (() => void)[] = []
  readonly #waiting: (() => void)[] = []

  constructor(time: LoopTime, sliceMs: number = SLICE_MS) {
    this.#time = time
    this.#sliceMs = sliceMs
  }

  /** Milliseconds since the clock's origin, without the time that the process was suspended; for time limits. */
  get nowMs(): number {
    const nowMs = this.#time.now()
    const passedMs = nowMs - this.#readMs
    this.#readMs = nowMs
    if (passedMs > MAX_GAP_MS) this.#suspendedMs += passedMs - MAX_GAP_MS
    return nowMs - this.#suspendedMs
  }

  get waiting(): number {
    return this.#urgent.length + this.#waiting.length
  }

  /** Returns a promise to await; `undefined` if the work may continue at once. Urgent work continues first. */
  pause(isUrgent: boolean, nowMs: number = this.nowMs): Promise<void> | undefined {
    if (this.#beginMs === undefined) {
      this.#beginMs = nowMs
      return undefined
    }
    if (!this.#hasSlice) {
      const sinceMs = nowMs - this.#beginMs
      // If more than a slice has passed, the first pause belonged to short work in an earlier turn.
      if (sinceMs >= SHORT_MS) this.#begin(sinceMs < this.#sliceMs ? this.#beginMs : nowMs)
      return undefined
    }
    if (nowMs < this.#endMs) return undefined
    return new Promise((resolve) => (isUrgent ? this.#urgent : this.#waiting).push(resolve))
  }

  #begin(beginMs: number): void {
    this.#beginMs = beginMs
    this.#endMs = beginMs + this.#sliceMs
    this.#hasSlice = true
    this.#time.soon(this.#turn)
  }

  /** Lets one waiting piece of work continue per turn, so that timers and sockets are served between slices. */
  readonly #turn = (): void => {
    this.#beginMs = undefined
    this.#hasSlice = false
    const next = this.#urgent.shift() ?? this.#waiting.shift()
    if (next === undefined) return
    this.#begin(this.nowMs)
    next()
  }
}

interface Port {
  onmessage?: ((event: never) => unknown) | null
  postMessage(message: unknown): void
}

interface Channel {
  readonly port1: Port
  readonly port2: Port
}

/** The functions of the environment that can schedule a turn of the event loop. */
export interface Turns {
  readonly setImmediate?: ((next: () => void) => unknown) | undefined
  readonly MessageChannel?: (new () => Channel) | undefined
  readonly setTimeout: (next: () => void) => unknown
}

/**
 * Returns a function that calls its arguments, in the order given, after timers and sockets have been served.
 * Browsers need a `MessageChannel`, because nested timers wait at least 4 ms (HTML, "timer initialization steps").
 */
export function createScheduler({
  setImmediate,
  MessageChannel,
  setTimeout,
}: Turns): (next: () => void) => unknown {
  if (setImmediate !== undefined) return setImmediate
  if (MessageChannel === undefined) return (next) => setTimeout(next)
  const waiting: (() => void)[] = []
  let port: Port | undefined
  return (next) => {
    waiting.push(next)
    if (port === undefined) {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => waiting.shift()!()
      port = port2
    }
    port.postMessage(undefined)
  }
}

/** Calls its argument in the next turn of the event loop. Fake timers that a test installs later do not affect it. */
export const nextTurn: (next: () => void) => unknown = createScheduler(globalThis)

/** Returns milliseconds since an arbitrary origin. Fake timers that a test installs later do not affect it. */
export const processMs: () => number = performance.now.bind(performance)

export const processLoop: EventLoop = new EventLoop({ now: processMs, soon: nextTurn })
