/** Estimates the devnet's clock from its events. */
import type { PresealEvent } from './events.ts'

/** Differences up to this limit are smoothed as network jitter. After a larger one, the devnet's clock was set. */
const JITTER_MS = 500
/** Minimum distance between blocks on the timeline, because blocks may have the same time with a manual clock. */
const ROOM_MS = 50

export class DevnetClock {
  #offsetMs = 0
  #last: { readonly devnetMs: number; readonly pageMs: number } | undefined
  #isRunning = true
  #addedMs = 0
  #sealedMs = Number.NEGATIVE_INFINITY

  /** Returns `event` with its time on the timeline. Must be called with all events, in order. */
  placed<E extends PresealEvent>(event: E): E {
    if (event.kind === 'restored') this.#sealedMs = Number.NEGATIVE_INFINITY
    if (event.kind === 'sealed') {
      this.#addedMs += Math.max(0, this.#sealedMs + ROOM_MS - (event.time + this.#addedMs))
      this.#sealedMs = event.time + this.#addedMs
    }
    return this.#addedMs === 0 ? event : { ...event, time: event.time + this.#addedMs }
  }

  /** Records that an event of time `devnetMs` arrived when the page's clock showed `pageMs`. */
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

  /** Converts a time of the page's clock to a time on the timeline. Returns `undefined` before the first event. */
  nowMs(pageMs: number): number | undefined {
    const time = this.timeMs(pageMs)
    return time === undefined ? undefined : time + this.#addedMs
  }

  /** Converts the page's time to the devnet's time, which block timestamps use; `undefined` before the first event. */
  timeMs(pageMs: number): number | undefined {
    if (this.#last === undefined) return undefined
    return this.#isRunning ? pageMs + this.#offsetMs : this.#last.devnetMs
  }
}

/** The result of `preseal_getRhythm`. */
export interface Pace {
  readonly rhythm: 'interval' | 'manual' | 'instant'
  readonly tickMs: number
  /** 0 if each tick seals a block, so that blocks have no slices. */
  readonly ticksPerBlock: number
  readonly blockMs: number
}
