/**
 * The clock of a devnet.
 *
 * Its time runs with the machine's, plus an offset set by commands, except under the rhythm `manual`: there it starts
 * at a fixed time and stands still until a command moves it, so that the same commands give the same hashes. A clock
 * stays of its kind when the rhythm changes: running time continues, standing time moves by whole ticks. No other
 * file reads the machine's clock, or sets a timer except for connections (server/webSocket.ts) and for files
 * (cli/stateFiles.ts).
 */

import { nextTurn } from '../work/eventLoop.ts'

export type Rhythm = 'interval' | 'manual' | 'instant'

export interface ClockMark {
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** The time at which the last tick was due. */
  readonly lastTickMs: number
  /** The total shift of the time by commands; absent: 0. */
  readonly shiftedMs?: number
}

/** The time source of a clock. It stands still between two inputs of a recording, made or played. */
export interface TimeSource {
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** Returns a function like `after`, for a request that may wait. Called when the request arrives. */
  timer(): typeof after
  /**
   * For a request that prepares its command asynchronously. To be called when the request arrives; the returned
   * function is called, and its promise awaited if there is one, when the preparation has ended.
   */
  preparation(): () => Promise<void> | undefined
  /** Returns a promise to await before the next step of a command, if needed. */
  pause(): Promise<void> | undefined
  /** Called after each step of a command: readers may see another state from now on. */
  onStep(): void
}

/** The complete state of a clock, from which another one continues equally. */
export interface ClockState extends ClockMark {
  readonly rhythm: Rhythm
  readonly tickMs: number
  /** Devnet time minus machine time at the beginning. */
  readonly firstOffsetMs: number
}

/** 2025-01-01T00:00:00Z: the start of time under `manual`. */
export const MANUAL_START_MS = Date.UTC(2025, 0, 1)

/** Milliseconds by which a timer may be early: both it and the machine's time are rounded. */
const TIMER_EARLY_MS = 2

export class Clock {
  #rhythm: Rhythm
  #tickMs: number
  /** Whether time moves with commands and ticks only. */
  readonly #isManual: boolean
  /** Devnet time minus machine time; if time stands still, the devnet time itself. */
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

  /** Reads the time from `timeSource` from now on, whose current time must be equal. */
  runOn(timeSource: TimeSource): void {
    this.#timeSource = timeSource
  }

  get rhythm(): Rhythm {
    return this.#rhythm
  }

  get tickMs(): number {
    return this.#tickMs
  }

  /** Changes the rhythm; the first tick falls due one tick from now. */
  setRhythm(rhythm: Rhythm, tickMs: number = this.#tickMs): void {
    this.#rhythm = rhythm
    this.#tickMs = tickMs
    this.#lastTickMs = this.nowMs
    this.#schedule()
  }

  get nowMs(): number {
    return this.#machineMs() + this.#offsetMs
  }

  /** Devnet time in whole seconds, as in blocks. */
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

  /** Returns the mark with which this clock continues from `other`. Running time is not before `earliestMs`. */
  continuing(other: ClockMark, earliestMs: number): ClockMark {
    if (this.#isManual) return other
    const nowMs = Math.max(this.nowMs, other.nowMs, earliestMs)
    return { ...other, nowMs, lastTickMs: nowMs }
  }

  get state(): ClockState {
    const { rhythm, tickMs, mark } = this
    return { ...mark, rhythm, tickMs, firstOffsetMs: this.#firstOffsetMs }
  }

  /** Sets the clock to the complete state of another, at the same machine time. */
  become(state: ClockState): void {
    this.#rhythm = state.rhythm
    this.#tickMs = state.tickMs
    this.#firstOffsetMs = state.firstOffsetMs
    this.restore(state)
  }

  /** Resets the clock: running time gets its first offset from the machine's, standing time is `startMs`. */
  rewind(startMs: number): void {
    const nowMs = this.#isManual ? startMs : this.#machineMs() + this.#firstOffsetMs
    this.restore({ nowMs, lastTickMs: nowMs })
  }

  /** Calls `onTick` whenever a tick falls due, as long as the rhythm is `interval`. */
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

  /** Makes a tick, and moves time to its due time. Missed ticks are not made up for. */
  tick(): void {
    const earlyMs = this.nextTickMs - this.nowMs
    // If a slightly early timer moved time, the error would add up with each tick.
    if (this.rhythm !== 'interval' || earlyMs > TIMER_EARLY_MS) this.moveTo(this.nextTickMs)
    const lateMs = this.nowMs - this.nextTickMs
    this.#lastTickMs = lateMs < this.tickMs ? this.nextTickMs : this.nowMs
    this.#schedule()
  }

  /** Moves time forward to `ms`, never back. The next tick falls due earlier by that much. */
  moveTo(ms: number): void {
    if (ms <= this.nowMs) return
    this.#offsetMs = ms - this.#machineMs()
    this.#schedule()
  }

  /** Shifts time forward or back; the next tick stays as far away as before. */
  shift(ms: number): void {
    this.#shiftedMs += ms
    this.skip(ms)
  }

  /** Moves time past ticks that are left out: the next tick falls due later by that much. */
  skip(ms: number): void {
    this.#offsetMs += ms
    this.#lastTickMs += ms
    this.#schedule()
  }

  /**
   * Prepares a command with `find`, then calls `act` with the result: for a request that prepares its command
   * asynchronously. A recording contains the place of `act` among the commands. `find` fetches itself what it lacks of
   * a forked network (`CommandQueue.prepare`): prepared again from outside, the request would be recorded twice.
   */
  async prepare<F, R>(find: () => F | Promise<F>, act: (found: F) => R | Promise<R>): Promise<R> {
    const prepared = this.#timeSource.preparation()
    const found = await find()
    const pause = prepared()
    if (pause !== undefined) await pause
    return act(found)
  }

  /** Runs a step of a command, after which readers may see another state. A recording keeps its place among inputs. */
  async step(change: () => void): Promise<void> {
    const pause = this.#timeSource.pause()
    if (pause !== undefined) await pause
    change()
    this.#timeSource.onStep()
  }

  get shiftedMs(): number {
    return this.#shiftedMs
  }

  /** Sets the timer of the next tick again, since it may have fired while a tick could not be made. */
  wake(): void {
    this.#schedule()
  }

  #machineMs(): number {
    return this.#isManual ? 0 : this.#timeSource.nowMs
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#onTick === undefined || this.#rhythm !== 'interval') return
    // Timers run even if time is constant between inputs.
    const nowMs = (this.#isManual ? 0 : Date.now()) + this.#offsetMs
    this.#timer = setTimeout(this.#onTick, Math.max(0, this.nextTickMs - nowMs))
  }
}

/** Returns the machine's time, for purposes unrelated to the chain. */
export function machineMs(): number {
  return Date.now()
}

/** Calls `then` after `ms` milliseconds of the machine's time. Returns a function that cancels it. */
export function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

/** The longest timer of `afterTurns`. */
const TURN_MS = 50

/**
 * The same in turns of the event loop of at most 50 ms: a process that gets no processor for seconds, or computes in one
 * piece, counts them as one turn. Timers that fell due meanwhile come first. `start` sets the timer of each turn.
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

/** Resolves after one turn of the event loop, so that other work of the process can run. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve))
}

/** Returns a function to await before each piece of work: every `ms` milliseconds other work runs. */
export function breathingEvery(ms: number): () => Promise<void> | undefined {
  let lastMs = machineMs()
  return () => {
    if (machineMs() - lastMs < ms) return undefined
    return breathe().then(() => {
      lastMs = machineMs()
    })
  }
}
