/**
 * Readiness for the next request of a fast client. A process that sleeps until a request arrives takes 30 µs and more to wake,
 * about half of the time of a short request. So while requests arrive in quick succession, the event loop polls for the next one.
 */
import { availableParallelism } from 'node:os'
import { type LoopTime, nextTurn, processMs } from '../work/eventLoop.ts'

/** Milliseconds between responses in quick succession, and of polling after such a response. Slower clients cost no polling. */
export const QUICK_MS = 0.2

export class Readiness {
  readonly #time: LoopTime
  #lastMs = Number.NEGATIVE_INFINITY
  #untilMs = this.#lastMs
  #isPolling = false

  constructor(time: LoopTime) {
    this.#time = time
  }

  /** Takes note of a response, and polls for the next request if the response before was sent less than `QUICK_MS` ago. */
  responded(): void {
    const nowMs = this.#time.now()
    const isQuick = nowMs - this.#lastMs < QUICK_MS
    this.#lastMs = nowMs
    if (!isQuick) return
    this.#untilMs = nowMs + QUICK_MS
    if (this.#isPolling) return
    this.#isPolling = true
    this.#time.soon(this.#poll)
  }

  /** Schedules the next turn of the event loop, which therefore serves its sockets without sleeping. */
  readonly #poll = (): void => {
    this.#isPolling = this.#time.now() < this.#untilMs
    if (this.#isPolling) this.#time.soon(this.#poll)
  }
}

/** The readiness of this process. `undefined` on a single processor, where polling would take the time of the clients. */
export const readiness =
  availableParallelism() > 1 ? new Readiness({ now: processMs, soon: nextTurn }) : undefined
