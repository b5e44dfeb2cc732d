/**
 * Readiness for the next request of a fast client. A process that sleeps until a request arrives takes 30 µs and more to wake,
 * about half of the time of a short request. So while requests arrive in quick succession, the event loop polls for the next one.
 * If one is soon late, other processes probably need the processor. Then the process sleeps as usual for a while.
 */
import { availableParallelism } from 'node:os'
import { type LoopTime, nextTurn, processMs } from '../work/eventLoop.ts'

/** Milliseconds between responses in quick succession, and of polling after such a response. Slower clients cost no polling. */
export const QUICK_MS = 0.2
/** Requests that polling must find before one is late. On a free processor it finds hundreds, on a shared one about ten. */
export const ENOUGH = 32
/** Milliseconds without polling after it has found too few requests. */
export const REST_MS = 20

export class Readiness {
  readonly #time: LoopTime
  #respondedMs = Number.NEGATIVE_INFINITY
  #restUntilMs = Number.NEGATIVE_INFINITY
  #isPolling = false
  /** Requests since polling began. */
  #found = 0

  constructor(time: LoopTime) {
    this.#time = time
  }

  /** Takes note of a response, and polls for the next request if the response before was sent less than `QUICK_MS` ago. */
  responded(): void {
    const nowMs = this.#time.now()
    const isQuick = nowMs - this.#respondedMs < QUICK_MS
    this.#respondedMs = nowMs
    this.#found++
    if (this.#isPolling || !isQuick || nowMs < this.#restUntilMs) return
    this.#isPolling = true
    this.#found = 0
    this.#time.soon(this.#poll)
  }

  /** Schedules the next turn of the event loop, which therefore serves its sockets without sleeping. */
  readonly #poll = (): void => {
    const nowMs = this.#time.now()
    this.#isPolling = nowMs - this.#respondedMs < QUICK_MS
    if (this.#isPolling) this.#time.soon(this.#poll)
    else if (this.#found < ENOUGH) this.#restUntilMs = nowMs + REST_MS
  }
}

/** The readiness of this process. `undefined` on a single processor, where polling would take the time of the clients. */
export const readiness =
  availableParallelism() > 1 ? new Readiness({ now: processMs, soon: nextTurn }) : undefined
