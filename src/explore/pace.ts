/** The time of a search: its limit, and turns of the event loop for others. */
import { nextTurn, processMs } from '../work/eventLoop.ts'
import type { MaybePromise } from '../work/maybePromise.ts'

/** Milliseconds for which a search holds the event loop. */
const TURN_MS = 20

export class Pace {
  readonly #endMs: number
  readonly #stepsBetween: number
  readonly #onTurn: () => void
  #steps: number
  #turnEndMs = processMs() + TURN_MS

  /** `stepsBetween`: the number of steps between two looks at the clock. `onTurn` is called before others run. */
  constructor(endMs: number, stepsBetween: number, onTurn: () => void) {
    this.#endMs = endMs
    this.#stepsBetween = stepsBetween
    this.#onTurn = onTurn
    this.#steps = stepsBetween
  }

  /** Counts a step. Returns whether the time is over; a promise if others run first. */
  isOver(): MaybePromise<boolean> {
    if (--this.#steps > 0) return false
    this.#steps = this.#stepsBetween
    const nowMs = processMs()
    if (nowMs >= this.#endMs) return true
    if (nowMs < this.#turnEndMs) return false
    this.#onTurn()
    return new Promise((resolve) =>
      nextTurn(() => {
        this.#turnEndMs = processMs() + TURN_MS
        resolve(false)
      }),
    )
  }
}
