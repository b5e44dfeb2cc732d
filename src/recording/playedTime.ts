/**
 * The machine on which a recording is played: time as it was then, and nothing comes of it that did not then. Commands are held
 * before their steps, so that what came between two of them comes there again, however long that takes.
 */
import { after, type TimeSource } from '../sequencer/clock.ts'
import { HeldTime } from './heldTime.ts'

export class PlayedTime extends HeldTime implements TimeSource {
  readonly onStep: () => void
  readonly #onChange: () => void
  readonly #timers = new Map<number, () => void>()
  #lastTimer = 0
  /** Requests that have come to their turns. */
  readonly #turns = new Map<number, () => void>()
  #lastTurn = 0
  #isStrict = false
  /** Lets the command go on that is held. */
  #held: (() => void) | undefined
  #isReleased = false

  /** `onChange` learns that somebody waits for a time or for its turn, or that a command is held. */
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

  /** Whether somebody waits for that time. */
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

  /** Whether the request has come to its turn that has this one. */
  hasTurn(turn: number): boolean {
    return this.#turns.has(turn)
  }

  /** Lets a request do what it came for. */
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

  /** Whether a command waits for `goOn`. */
  get isHolding(): boolean {
    return this.#held !== undefined
  }

  /** Lets the command do its next step. */
  goOn(): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    this.catchUp()
    held()
  }

  /** From now on commands are held before each step. */
  hold(): void {
    this.#isStrict = true
  }

  /** From now on they go on as they like. */
  letGo(): void {
    this.#isStrict = false
    this.goOn()
  }

  /** From now on nobody waits for the recording, though time stands. */
  release(): void {
    this.#isReleased = true
    this.letGo()
    for (const turn of [...this.#turns.keys()]) this.take(turn)
  }
}
