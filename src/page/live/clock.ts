/** The devnet's clock as estimated by the page, and the rhythm of slices and blocks. */
import type { PresealEvent } from './events.ts'

/** Smaller differences are network jitter, which is smoothed. */
const JITTER_MS = 500
/** Least distance of blocks on the timeline: with a manual clock, blocks may have the same time. */
const ROOM_MS = 50

export class DevnetClock {
  #offsetMs = 0
  #last: { readonly devnetMs: number; readonly pageMs: number } | undefined
  #isRunning = true
  #addedMs = 0
  #sealedMs = Number.NEGATIVE_INFINITY

  /** Returns `event` with its time on the timeline. Callers pass all events, in order. */
  placed<E extends PresealEvent>(event: E): E {
    if (event.kind === 'restored') this.#sealedMs = Number.NEGATIVE_INFINITY
    if (event.kind === 'sealed') {
      this.#addedMs += Math.max(0, this.#sealedMs + ROOM_MS - (event.time + this.#addedMs))
      this.#sealedMs = event.time + this.#addedMs
    }
    return this.#addedMs === 0 ? event : { ...event, time: event.time + this.#addedMs }
  }

  /** Notes that an event of `devnetMs` arrived at `pageMs` of the page's clock. */
  note(devnetMs: number, pageMs: number): void {
    const offset = devnetMs - pageMs
    const last = this.#last
    if (last === undefined || Math.abs(offset - this.#offsetMs) > JITTER_MS) this.#offsetMs = offset
    else this.#offsetMs += 0.1 * (offset - this.#offsetMs)
    this.#last = { devnetMs, pageMs }
  }

  set({ nowMs, isRunning }: { readonly nowMs: number; readonly isRunning: boolean }, pageMs: number): void {
    this.#isRunning = isRunning
    this.note(nowMs, pageMs)
  }

  /** Returns the current time on the timeline; `undefined` before the first event. `pageMs`: time of the page's clock. */
  nowMs(pageMs: number): number | undefined {
    const time = this.timeMs(pageMs)
    return time === undefined ? undefined : time + this.#addedMs
  }

  /** Returns the current time of the devnet, as in block timestamps; `undefined` before the first event. */
  timeMs(pageMs: number): number | undefined {
    if (this.#last === undefined) return undefined
    return this.#isRunning ? pageMs + this.#offsetMs : this.#last.devnetMs
  }
}

/** The answer of `preseal_getRhythm`. */
export interface Pace {
  readonly rhythm: 'interval' | 'manual' | 'instant'
  readonly tickMs: number
  /** 0 for a chain without slices, where each tick seals a block. */
  readonly ticksPerBlock: number
  readonly blockMs: number
}
