/**
 * Time, and who moves it.
 *
 * The devnet's time runs with the machine's, ahead of it by what was steered, except under the `manual` rhythm: there
 * it starts at a fixed moment and stands still until a command moves it, so that the same commands give the same
 * hashes. Which of the two it is stays, though the rhythm may change: time that ran goes on, time that stood then moves
 * by whole ticks. No other file reads the machine's clock, or sets a timer but for connections (server/webSocket.ts) and for
 * files (cli/stateFiles.ts).
 */

export type Rhythm = 'interval' | 'manual' | 'instant'

/** Where a clock stands, as a value. */
export interface ClockMark {
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** When the last tick was due. */
  readonly lastTickMs: number
  /** By how much time was shifted in all; absent: not at all. */
  readonly shiftedMs?: number
}

/** The machine that a clock runs on. While a devnet is recorded, or plays a recording, time stands between two happenings. */
export interface TimeSource {
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** For a request that may wait for time: to be called when it comes. What it answers is `after`. */
  timer(): typeof after
  /**
   * For a request that finds something out before it does something: to be called when it comes. What it answers is called
   * when the finding out is done, and waited for where there is something to wait for.
   */
  turn(): () => Promise<void> | undefined
  /** What a command waits for before its next step, if there is anything. */
  pause(): Promise<void> | undefined
  /** A command has done a step: readers may see something else from now on. */
  onStep(): void
}

/** All that a clock is: what another needs to tell the same times on a machine where it is the same time. */
export interface ClockStanding extends ClockMark {
  readonly rhythm: Rhythm
  readonly tickMs: number
  /** Devnet time less machine time at the beginning. */
  readonly firstOffsetMs: number
}

/** 2025-01-01T00:00:00Z: where manual time begins. */
export const MANUAL_START_MS = Date.UTC(2025, 0, 1)

/** How much too early a timer may come: both it and the machine's time are rounded to milliseconds. */
const TIMER_EARLY_MS = 2

export class Clock {
  #rhythm: Rhythm
  #tickMs: number
  /** Time moves with commands and ticks alone. */
  readonly #isStill: boolean
  /** Devnet time less machine time; where time stands still, the devnet time itself. */
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
    this.#isStill = rhythm === 'manual'
    const nowMs = mark?.nowMs ?? (this.#isStill ? MANUAL_START_MS : Date.now())
    this.#offsetMs = nowMs - this.#machineMs()
    this.#firstOffsetMs = this.#offsetMs
    this.#lastTickMs = mark?.lastTickMs ?? nowMs
    this.#shiftedMs = mark?.shiftedMs ?? 0
  }

  get timeSource(): TimeSource {
    return this.#timeSource
  }

  /** Reads the time from `timeSource` from now on, which must tell the time that it is. */
  runOn(timeSource: TimeSource): void {
    this.#timeSource = timeSource
  }

  get rhythm(): Rhythm {
    return this.#rhythm
  }

  get tickMs(): number {
    return this.#tickMs
  }

  /** From now on another rhythm makes the blocks; the first tick falls due a tick from now. */
  setRhythm(rhythm: Rhythm, tickMs: number = this.#tickMs): void {
    this.#rhythm = rhythm
    this.#tickMs = tickMs
    this.#lastTickMs = this.nowMs
    this.#schedule()
  }

  get nowMs(): number {
    return this.#machineMs() + this.#offsetMs
  }

  /** Devnet time in whole seconds, as blocks have it. */
  get seconds(): bigint {
    return BigInt(Math.floor(this.nowMs / 1000))
  }

  get mark(): ClockMark {
    const mark = { nowMs: this.nowMs, lastTickMs: this.#lastTickMs }
    return this.#shiftedMs === 0 ? mark : { ...mark, shiftedMs: this.#shiftedMs }
  }

  /** Goes (back) to where `mark` was taken. */
  restore({ nowMs, lastTickMs, shiftedMs = 0 }: ClockMark): void {
    this.#offsetMs = nowMs - this.#machineMs()
    this.#lastTickMs = lastTickMs
    this.#shiftedMs = shiftedMs
    this.#schedule()
  }

  /**
   * Where this clock stands once it goes on from `other`, another clock's mark: time that stands is what it was there, time
   * that runs goes on, but is not behind that, nor behind `earliestMs`.
   */
  continuing(other: ClockMark, earliestMs: number): ClockMark {
    if (this.#isStill) return other
    const nowMs = Math.max(this.nowMs, other.nowMs, earliestMs)
    return { ...other, nowMs, lastTickMs: nowMs }
  }

  get standing(): ClockStanding {
    const { rhythm, tickMs, mark } = this
    return { ...mark, rhythm, tickMs, firstOffsetMs: this.#firstOffsetMs }
  }

  /** Becomes what `standing` was taken from, on a machine where it is the time that it was there. */
  stand(standing: ClockStanding): void {
    this.#rhythm = standing.rhythm
    this.#tickMs = standing.tickMs
    this.#firstOffsetMs = standing.firstOffsetMs
    this.restore(standing)
  }

  /** As at the beginning: time that runs is as far from the machine's as it was then, time that stands is `startMs`. */
  rewind(startMs: number): void {
    const nowMs = this.#isStill ? startMs : this.#machineMs() + this.#firstOffsetMs
    this.restore({ nowMs, lastTickMs: nowMs })
  }

  /** Calls `onTick` whenever a tick falls due, from now on and while the rhythm is `interval`. */
  start(onTick: () => void): void {
    this.#onTick = onTick
    this.#schedule()
  }

  stop(): void {
    this.#onTick = undefined
    clearTimeout(this.#timer)
  }

  /** When the next tick falls due. */
  get nextTickMs(): number {
    return this.#lastTickMs + this.tickMs
  }

  /**
   * Notes that a tick is made now. Time is moved to when it falls due, if that is ahead. A tick that comes late by
   * more than a tick starts the count anew: what was missed is not made up for.
   */
  tick(): void {
    const earlyMs = this.nextTickMs - this.nowMs
    // Moving time for a timer that is a moment early would, tick by tick, let it run away from the machine's.
    if (this.rhythm !== 'interval' || earlyMs > TIMER_EARLY_MS) this.moveTo(this.nextTickMs)
    const lateMs = this.nowMs - this.nextTickMs
    this.#lastTickMs = lateMs < this.tickMs ? this.nextTickMs : this.nowMs
    this.#schedule()
  }

  /** Moves time forward to `ms`; never back. The next tick comes that much sooner. */
  moveTo(ms: number): void {
    if (ms <= this.nowMs) return
    this.#offsetMs = ms - this.#machineMs()
    this.#schedule()
  }

  /** Moves time, forward or back, without bringing the next tick any nearer. */
  shift(ms: number): void {
    this.#shiftedMs += ms
    this.skip(ms)
  }

  /** Moves time past ticks that are left out: the next one falls due that much later. */
  skip(ms: number): void {
    this.#offsetMs += ms
    this.#lastTickMs += ms
    this.#schedule()
  }

  /**
   * For a request that finds something out before it does something: `act` is done as soon as that is found, in a turn of its own
   * that a recording knows.
   */
  async inTurn<F, R>(find: () => Promise<F>, act: (found: F) => R | Promise<R>): Promise<R> {
    const turn = this.#timeSource.turn()
    const found = await find()
    const pause = turn()
    if (pause !== undefined) await pause
    return act(found)
  }

  /** A step of a command: what `change` does may be seen, and a recording knows what came before it, and what after it. */
  async step(change: () => void): Promise<void> {
    const pause = this.#timeSource.pause()
    if (pause !== undefined) await pause
    change()
    this.#timeSource.onStep()
  }

  /** By how much time was shifted in all. */
  get shiftedMs(): number {
    return this.#shiftedMs
  }

  /** Sets the timer for the next tick, which may have run out while a tick could not be made. */
  wake(): void {
    this.#schedule()
  }

  #machineMs(): number {
    return this.#isStill ? 0 : this.#timeSource.nowMs
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#onTick === undefined || this.#rhythm !== 'interval') return
    // Where time stands between happenings, timers do not.
    const nowMs = (this.#isStill ? 0 : Date.now()) + this.#offsetMs
    this.#timer = setTimeout(this.#onTick, Math.max(0, this.nextTickMs - nowMs))
  }
}

/** The machine's time, for what has nothing to do with that of the chain. */
export function machineMs(): number {
  return Date.now()
}

/** Calls `then` after so many milliseconds of the machine's time, until the answered function is called. */
export function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

const SYSTEM_TIME: TimeSource = {
  get nowMs() {
    return Date.now()
  },
  timer: () => after,
  turn: () => () => undefined,
  pause: () => undefined,
  onStep: () => {},
}

/** Node's own, whatever a test that fakes its timers puts in place of the global function later; a browser has none. */
const soon: (next: () => void) => unknown = globalThis.setImmediate ?? setTimeout

/** Lets everything else that waits in this process have its turn. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => soon(resolve))
}

/** For work of many pieces: what to await before each, which lets everything else have its turn every `ms`. */
export function breathingEvery(ms: number): () => Promise<void> | undefined {
  let lastMs = machineMs()
  return () => {
    if (machineMs() - lastMs < ms) return undefined
    return breathe().then(() => {
      lastMs = machineMs()
    })
  }
}
