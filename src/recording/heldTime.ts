/**
 * The time of a devnet that records or replays. A replay uses recorded times, fires timers at their recorded places,
 * and pauses commands before each step, so that each input arrives between the same two steps as in the recording.
 */
import { after, type TimeSource } from '../sequencer/clock.ts'

/** Time that only inputs and steps of commands change. */
export class HeldTime {
  nowMs: number
  #latestMs: number

  constructor(nowMs: number) {
    this.nowMs = nowMs
    this.#latestMs = nowMs
  }

  /** Calls `input` with the time set to `ms`. A running command sees this time only from its next step on. */
  receive<T>(ms: number, isRunning: boolean, input: () => T): T {
    const before = this.nowMs
    this.nowMs = ms
    this.#latestMs = ms
    try {
      return input()
    } finally {
      if (isRunning) this.nowMs = before
    }
  }

  /** Sets the time to the time of the newest input. Called when a command or step begins. */
  catchUp(): void {
    this.nowMs = this.#latestMs
  }
}

/** Callbacks by number. Each waits for its place in the recording. */
class Waiting extends Map<number, () => void> {
  release(number: number): void {
    const then = this.get(number)
    this.delete(number)
    then?.()
  }
}

export class PlayedTime extends HeldTime implements TimeSource {
  readonly onStep: () => void
  readonly #onChange: () => void
  readonly timers = new Waiting()
  #lastTimer = 0
  /** Prepared requests that wait for the place of their command in the recording. */
  readonly prepared = new Waiting()
  #lastPreparation = 0
  #pausesSteps = false
  #paused: (() => void) | undefined
  #isReleased = false

  /** `onChange` is called when a timer or request begins to wait, or a command is paused. */
  constructor(nowMs: number, { onChange, onStep }: { onChange: () => void; onStep: () => void }) {
    super(nowMs)
    this.#onChange = onChange
    this.onStep = onStep
  }

  timer(): typeof after {
    const timer = this.#lastTimer++
    return (ms, then) => {
      if (this.#isReleased) return after(ms, then)
      this.timers.set(timer, then)
      this.#onChange()
      return () => this.timers.delete(timer)
    }
  }

  preparation(): () => Promise<void> | undefined {
    const preparation = this.#lastPreparation++
    return () => {
      if (this.#isReleased) return undefined
      return new Promise((resolve) => {
        this.prepared.set(preparation, resolve)
        this.#onChange()
      })
    }
  }

  pause(): Promise<void> | undefined {
    if (!this.#pausesSteps) {
      this.catchUp()
      return undefined
    }
    return new Promise((resolve) => {
      this.#paused = resolve
      this.#onChange()
    })
  }

  get isPaused(): boolean {
    return this.#paused !== undefined
  }

  continue(): void {
    const paused = this.#paused
    if (paused === undefined) return
    this.#paused = undefined
    this.catchUp()
    paused()
  }

  pauseSteps(): void {
    this.#pausesSteps = true
  }

  /** Lets commands run without pauses from now on. */
  runFreely(): void {
    this.#pausesSteps = false
    this.continue()
  }

  /** Ends the replay: timers and requests no longer wait for their recorded places, and the time stays constant. */
  release(): void {
    this.#isReleased = true
    this.runFreely()
    for (const preparation of [...this.prepared.keys()]) this.prepared.release(preparation)
  }
}

/** The time source of a recording, which records timers and prepared requests. */
export class RecordedTime extends HeldTime implements TimeSource {
  readonly #note: (what: string) => void
  readonly onStep: () => void
  #timers = 0
  #preparations = 0

  constructor(nowMs: number, { note, onStep }: { note: (what: string) => void; onStep: () => void }) {
    super(nowMs)
    this.#note = note
    this.onStep = onStep
  }

  timer(): typeof after {
    const timer = this.#timers++
    return (ms, then) =>
      after(ms, () => {
        this.#note(`"timer":${timer}`)
        then()
      })
  }

  pause(): undefined {
    this.catchUp()
  }

  preparation(): () => undefined {
    const preparation = this.#preparations++
    return () => {
      this.#note(`"prepared":${preparation}`)
    }
  }
}
