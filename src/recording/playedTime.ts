/**
 * The time source during a replay: the time is the recorded one, and timers fire only where they did in the
 * recording. Commands are paused before each step, so that an input between two of them arrives there again, however
 * long it takes.
 */
import { after, type TimeSource } from '../sequencer/clock.ts'
import { HeldTime } from './heldTime.ts'

export class PlayedTime extends HeldTime implements TimeSource {
  readonly onStep: () => void
  readonly #onChange: () => void
  readonly #timers = new Map<number, () => void>()
  #lastTimer = 0
  /** Requests that wait for their turn. */
  readonly #turns = new Map<number, () => void>()
  #lastTurn = 0
  #isStrict = false
  /** Resumes the paused command. */
  #held: (() => void) | undefined
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
      this.#timers.set(timer, then)
      this.#onChange()
      return () => this.#timers.delete(timer)
    }
  }

  /** Returns whether this timer has been started. */
  hasTimer(timer: number): boolean {
    return this.#timers.has(timer)
  }

  fire(timer: number): void {
    const then = this.#timers.get(timer)
    this.#timers.delete(timer)
    then?.()
  }

  turn(): () => Promise<void> | undefined {
    const turn = this.#lastTurn++
    return () => {
      if (this.#isReleased) return undefined
      return new Promise((resolve) => {
        this.#turns.set(turn, resolve)
        this.#onChange()
      })
    }
  }

  /** Returns whether the request of this turn waits for it. */
  hasTurn(turn: number): boolean {
    return this.#turns.has(turn)
  }

  /** Lets the waiting request continue. */
  take(turn: number): void {
    const resolve = this.#turns.get(turn)
    this.#turns.delete(turn)
    resolve?.()
  }

  pause(): Promise<void> | undefined {
    if (!this.#isStrict) {
      this.catchUp()
      return undefined
    }
    return new Promise((resolve) => {
      this.#held = resolve
      this.#onChange()
    })
  }

  /** Whether a command is paused until `goOn`. */
  get isHolding(): boolean {
    return this.#held !== undefined
  }

  /** Lets the paused command do its next step. */
  goOn(): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    this.catchUp()
    held()
  }

  /** Pauses commands before each step from now on. */
  hold(): void {
    this.#isStrict = true
  }

  /** Lets commands run without pauses from now on. */
  letGo(): void {
    this.#isStrict = false
    this.goOn()
  }

  /**
   * Ends the dependence on the recording: timers and requests continue by themselves, though the time does not run.
   */
  release(): void {
    this.#isReleased = true
    this.letGo()
    for (const turn of [...this.#turns.keys()]) this.take(turn)
  }
}
