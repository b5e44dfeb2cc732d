/** How many transactions a second came into each state, lately. */
import type { PresealEvent } from './presealEvent.ts'

export interface Counts {
  accepted: number
  preconfirmed: number
  sealed: number
  dropped: number
}

/** The seconds over which a rate is taken. */
const SECONDS = 5

export class Rates {
  #seconds: { readonly second: number; readonly counts: Counts }[] = []

  apply(event: PresealEvent, pageMs: number): void {
    switch (event.kind) {
      case 'accepted':
      case 'dropped':
        this.#at(pageMs)[event.kind]++
        break
      case 'preconfirmed':
      case 'sealed':
        this.#at(pageMs)[event.kind] += event.transactions.length
        break
    }
  }

  /** Returns the transactions a second of the last five full ones. */
  at(pageMs: number): Counts {
    const now = Math.floor(pageMs / 1_000)
    const sum = none()
    for (const { second, counts } of this.#seconds) {
      if (second >= now || second < now - SECONDS) continue
      for (const kind of KINDS) sum[kind] += counts[kind]
    }
    for (const kind of KINDS) sum[kind] /= SECONDS
    return sum
  }

  #at(pageMs: number): Counts {
    const second = Math.floor(pageMs / 1_000)
    const last = this.#seconds.at(-1)
    if (last?.second === second) return last.counts
    const counts = none()
    this.#seconds.push({ second, counts })
    if (this.#seconds.length > SECONDS + 1) this.#seconds.shift()
    return counts
  }
}

const KINDS = ['accepted', 'preconfirmed', 'sealed', 'dropped'] as const

function none(): Counts {
  return { accepted: 0, preconfirmed: 0, sealed: 0, dropped: 0 }
}
