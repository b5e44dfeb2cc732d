/** The devnet's clock and pace: its time as the page sees it, and how often it makes slices and blocks. */
import type { Requester } from '../source/source.ts'
import type { PresealEvent } from './events.ts'

/** Differences of so many milliseconds come from the way of a message, and are smoothed. */
const JITTER_MS = 500
/** Blocks of a manual clock, or mined at once, would all be at one place. */
const ROOM_MS = 50

export class DevnetClock {
  #offsetMs = 0
  #last: { readonly devnetMs: number; readonly pageMs: number } | undefined
  #isRunning = true
  #addedMs = 0
  #sealedMs = Number.NEGATIVE_INFINITY

  /** Returns `event` at its place on the line; to be called with all events, in their order. */
  placed<E extends PresealEvent>(event: E): E {
    if (event.kind === 'restored') this.#sealedMs = Number.NEGATIVE_INFINITY
    if (event.kind === 'sealed') {
      this.#addedMs += Math.max(0, this.#sealedMs + ROOM_MS - (event.time + this.#addedMs))
      this.#sealedMs = event.time + this.#addedMs
    }
    return this.#addedMs === 0 ? event : { ...event, time: event.time + this.#addedMs }
  }

  /** Takes in that at `pageMs` of the page's clock an event of `devnetMs` was told. */
  note(devnetMs: number, pageMs: number): void {
    const offset = devnetMs - pageMs
    const last = this.#last
    if (last === undefined || Math.abs(offset - this.#offsetMs) > JITTER_MS) this.#offsetMs = offset
    else this.#offsetMs += 0.1 * (offset - this.#offsetMs)
    this.#last = { devnetMs, pageMs }
  }

  /** Sets what the devnet says of its clock: its time, and whether it goes on by itself. */
  set({ nowMs, isRunning }: { readonly nowMs: number; readonly isRunning: boolean }, pageMs: number): void {
    this.#isRunning = isRunning
    this.note(nowMs, pageMs)
  }

  /** Returns what time it is on the line at `pageMs`; `undefined` if nothing was told. */
  nowMs(pageMs: number): number | undefined {
    const time = this.timeMs(pageMs)
    return time === undefined ? undefined : time + this.#addedMs
  }

  /** Returns what time it is on the devnet at `pageMs`, as its blocks have it; `undefined` if nothing was told. */
  timeMs(pageMs: number): number | undefined {
    if (this.#last === undefined) return undefined
    return this.#isRunning ? pageMs + this.#offsetMs : this.#last.devnetMs
  }
}

/** What makes slices and blocks. */
export interface Pace {
  readonly rhythm: 'interval' | 'manual' | 'instant'
  readonly tickMs: number
  /** 0: there are no slices, each tick seals a block. */
  readonly ticksPerBlock: number
  readonly blockMs: number
}

/** Resolves with the pace of the devnet and its clock: its time in milliseconds, and whether it goes on by itself. */
export async function paceOf(
  from: Requester,
): Promise<{ readonly pace: Pace; readonly nowMs: number; readonly isRunning: boolean }> {
  const pace = await from.request<Pace & { time: number }>('preseal_getRhythm')
  return { pace, nowMs: pace.time, isRunning: pace.rhythm !== 'manual' }
}
