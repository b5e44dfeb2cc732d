/**
 * The clock of a devnet: the machine's time plus an offset. If the devnet starts with the rhythm `manual`, the clock
 * stays a manual clock: it starts at a fixed date and only commands move it, so that the same commands give the same
 * hashes. No other file may let the machine's time affect the chain.
 */

import { nextTurn } from '../work/eventLoop.ts'

export type Rhythm = 'interval' | 'manual' | 'instant'

export interface ClockMark {
  readonly nowMs: number
  /** The time at which the last tick was due. */
  readonly lastTickMs: number
  /** Milliseconds by which commands have shifted time; 0 if absent. */
  readonly shiftedMs?: number
}

/** The time source of a clock. While a recording is made or played, the time changes only when an input arrives. */
export interface TimeSource {
  readonly nowMs: number
  /** Returns a function like `after`, for a request that may wait. Must be called when the request arrives. */
  timer(): typeof after
  /** Returns a function to call and await after a request's preparation. Must be called when the request arrives. */
  preparation(): () => Promise<void> | undefined
  /** Returns a promise that the next step of a command must await; `undefined` if it need not wait. */
  pause(): Promise<void> | undefined
  /** Called after each step of a command. The step may have changed the state that readers see. */
  onStep(): void
}

/** The complete state of a clock, from which an equal clock can be made. */
export interface ClockState extends ClockMark {
  readonly rhythm: Rhythm
  readonly tickMs: number
  /** Devnet time minus machine time when the clock was created. */
  readonly firstOffsetMs: number
}

/** 2025-01-01T00:00:00Z: the initial time under `manual`. */
export const MANUAL_START_MS = Date.UTC(2025, 0, 1)

/** Milliseconds by which a timer may fire early, because timers and the machine's time are rounded. */
const TIMER_EARLY_MS = 2

export class Clock {
  #rhythm: Rhythm
  #tickMs: number
  /** Whether only commands and ticks move time. */
  readonly #isManual: boolean
  /** Devnet time minus machine time; the devnet time itself if `#isManual`. */
  #offsetMs: number
  #firstOffsetMs: number
  #lastTickMs: number
  #shiftedMs: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #onTick: (() => void) | undefined
  #timeSource: TimeSource = SYSTEM_TIME

  constructor(rhythm: Rhythm, tickMs: number, mark?: ClockMark) {
    this.#rhythm = rhythm
    this.#tickMs = tickMs
    this.#isManual = rhythm === 'manual'
    const nowMs = mark?.nowMs ?? (this.#isManual ? MANUAL_START_MS : Date.now())
    this.#offsetMs = nowMs - this.#machineMs()
    this.#firstOffsetMs = this.#offsetMs
    this.#lastTickMs = mark?.lastTickMs ?? nowMs
    this.#shiftedMs = mark?.shiftedMs ?? 0
  }

  get timeSource(): TimeSource {
    return this.#timeSource
  }

  /** Reads the time from `timeSource` from now on. The time of `timeSource` must equal the present time. */
  setTimeSource(timeSource: TimeSource): void {
    this.#timeSource = timeSource
  }

  get rhythm(): Rhythm {
    return this.#rhythm
  }

  get tickMs(): number {
    return this.#tickMs
  }

  /** Changes the rhythm. The first tick is due `tickMs` from now. */
  setRhythm(rhythm: Rhythm, tickMs: number = this.#tickMs): void {
    this.#rhythm = rhythm
    this.#tickMs = tickMs
    this.#lastTickMs = this.nowMs
    this.#schedule()
  }

  get nowMs(): number {
    return this.#machineMs() + this.#offsetMs
  }

  /** Devnet time in whole seconds, as in block timestamps. */
  get seconds(): bigint {
    return BigInt(Math.floor(this.nowMs / 1000))
  }

  get mark(): ClockMark {
    const mark = { nowMs: this.nowMs, lastTickMs: this.#lastTickMs }
    return this.#shiftedMs === 0 ? mark : { ...mark, shiftedMs: this.#shiftedMs }
  }

  restore({ nowMs, lastTickMs, shiftedMs = 0 }: ClockMark): void {
    this.#offsetMs = nowMs - this.#machineMs()
    this.#lastTickMs = lastTickMs
    this.#shiftedMs = shiftedMs
    this.#schedule()
  }

  /** Returns the mark of this clock after it takes over the time of `other`. Only a manual clock can go back. */
  continuing(other: ClockMark, earliestMs: number): ClockMark {
    if (this.#isManual) return other
    const nowMs = Math.max(this.nowMs, other.nowMs, earliestMs)
    return { ...other, nowMs, lastTickMs: nowMs }
  }

  get state(): ClockState {
    const { rhythm, tickMs, mark } = this
    return { ...mark, rhythm, tickMs, firstOffsetMs: this.#firstOffsetMs }
  }

  /** Takes over the complete state of another clock. Both clocks must have the same machine time. */
  restoreState(state: ClockState): void {
    this.#rhythm = state.rhythm
    this.#tickMs = state.tickMs
    this.#firstOffsetMs = state.firstOffsetMs
    this.restore(state)
  }

  /** Resets a manual clock to `startMs`, any other clock to the machine's time plus the initial offset. */
  rewind(startMs: number): void {
    const nowMs = this.#isManual ? startMs : this.#machineMs() + this.#firstOffsetMs
    this.restore({ nowMs, lastTickMs: nowMs })
  }

  /** Calls `onTick` whenever a tick is due, as long as the rhythm is `interval`. */
  start(onTick: () => void): void {
    this.#onTick = onTick
    this.#schedule()
  }

  stop(): void {
    this.#onTick = undefined
    clearTimeout(this.#timer)
  }

  get nextTickMs(): number {
    return this.#lastTickMs + this.tickMs
  }

  /** Makes a tick, and moves the clock to the time at which the tick was due. Missed ticks are skipped. */
  tick(): void {
    const earlyMs = this.nextTickMs - this.nowMs
    // A tick at most `TIMER_EARLY_MS` early does not move time. Otherwise the small errors would add up.
    if (this.rhythm !== 'interval' || earlyMs > TIMER_EARLY_MS) this.moveTo(this.nextTickMs)
    const lateMs = this.nowMs - this.nextTickMs
    this.#lastTickMs = lateMs < this.tickMs ? this.nextTickMs : this.nowMs
    this.#schedule()
  }

  /** Moves time forward to `ms`, never back. The time at which the next tick is due does not change. */
  moveTo(ms: number): void {
    if (ms <= this.nowMs) return
    this.#offsetMs = ms - this.#machineMs()
    this.#schedule()
  }

  /** Shifts time forward or back. The time left until the next tick does not change. */
  shift(ms: number): void {
    this.#shiftedMs += ms
    this.skip(ms)
  }

  /** Moves time past skipped ticks. The time left until the next tick does not change. */
  skip(ms: number): void {
    this.#offsetMs += ms
    this.#lastTickMs += ms
    this.#schedule()
  }

  /**
   * Prepares a command with `find`, then calls `act`. A recording stores when `act` is called. `find` must
   * fetch missing values itself (`CommandQueue.prepare`): a repeated call of `prepare` would be recorded twice.
   */
  async prepare<F, R>(find: () => F | Promise<F>, act: (found: F) => R | Promise<R>): Promise<R> {
    const prepared = this.#timeSource.preparation()
    const found = await find()
    const pause = prepared()
    if (pause !== undefined) await pause
    return act(found)
  }

  /** Runs a step of a command. A recording stores when it runs, because readers may see another state after it. */
  async step(change: () => void): Promise<void> {
    const pause = this.#timeSource.pause()
    if (pause !== undefined) await pause
    change()
    this.#timeSource.onStep()
  }

  get shiftedMs(): number {
    return this.#shiftedMs
  }

  /** Sets the timer of the next tick again, because the timer may have fired while ticks were stopped. */
  wake(): void {
    this.#schedule()
  }

  #machineMs(): number {
    return this.#isManual ? 0 : this.#timeSource.nowMs
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#onTick === undefined || this.#rhythm !== 'interval') return
    // `#machineMs` is not used here, because it is constant between the inputs of a recording.
    const nowMs = (this.#isManual ? 0 : Date.now()) + this.#offsetMs
    this.#timer = setTimeout(this.#onTick, Math.max(0, this.nextTickMs - nowMs))
  }
}

/** Returns the machine's time, for uses that do not affect the chain. */
export function machineMs(): number {
  return Date.now()
}

/** Calls `then` after `ms` milliseconds of the machine's time. Returns a function that cancels the call. */
export function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

const TURN_MS = 50

/**
 * Does the same as `after`, but counts each turn of the event loop as at most 50 ms, so that time in which the process
 * was suspended or busy hardly counts. Other timers due in that time fire first. `start` sets each turn's timer.
 */
export function afterTurns(ms: number, then: () => void, start = after): () => void {
  let leftMs = ms
  let cancel = () => {}
  const turn = (): void => {
    const turnMs = Math.min(leftMs, TURN_MS)
    leftMs -= turnMs
    cancel = start(turnMs, leftMs > 0 ? turn : then)
  }
  turn()
  return () => cancel()
}

const SYSTEM_TIME: TimeSource = {
  get nowMs() {
    return Date.now()
  },
  timer: () => after,
  preparation: () => () => undefined,
  pause: () => undefined,
  onStep: () => {},
}

/** Resolves after one turn of the event loop. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve))
}

/** Returns a function to await before each piece of work. It yields to the event loop every `ms` milliseconds. */
export function yieldingEvery(ms: number): () => Promise<void> | undefined {
  let lastMs = machineMs()
  return () => {
    if (machineMs() - lastMs < ms) return undefined
    return yieldToEventLoop().then(() => {
      lastMs = machineMs()
    })
  }
}
