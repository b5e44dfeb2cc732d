/**
 * Time while a devnet records or replays. A replay runs on the recorded time, and timers fire at their recorded places. Commands are
 * paused before each step, so that an input that arrived between two steps arrives between the same steps again.
 */
import { after, type TimeSource } from '../sequencer/clock.ts'

/** The time while a devnet records or replays: only an input or a step of a command changes it. */
export class HeldTime {
  /** Milliseconds since 1970. */
  nowMs: number
  #latestMs: number

  constructor(nowMs: number) {
    this.nowMs = nowMs
    this.#latestMs = nowMs
  }

  /** Calls `input`, which arrived from outside at the time `ms`. A running command does not see this time before its next step. */
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

  /** Sets the time to that of the newest input, when a command begins or does its next step. */
  catchUp(): void {
    this.nowMs = this.#latestMs
  }
}

/** Callbacks, by number, that wait for their recorded place. */
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
  /** Prepared requests that wait for the recorded place of their command. */
  readonly prepared = new Waiting()
  #lastPreparation = 0
  #pausesSteps = false
  /** Resumes the paused command. */
  #paused: (() => void) | undefined
  #isReleased = false

  /** `onChange` is called when a timer or a request begins to wait, or a command is paused. */
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

  /** Lets the paused command do its next step. */
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

  /** Ends the replay: timers and requests no longer wait for recorded places. The time stands still. */
  release(): void {
    this.#isReleased = true
    this.runFreely()
    for (const preparation of [...this.prepared.keys()]) this.prepared.release(preparation)
  }
}

/** The time source of a recording, which notes timers and prepared requests. */
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
