/** Collects hits of all code that runs, by its text. */

import { type Hex, toHex } from '../../../src/bytes/hex.ts'
import { type HitCollector, type HitCounts, hitsOf } from '../../../src/engine/hits.ts'

interface Collected {
  readonly code: Uint8Array
  readonly isCreation: boolean
  readonly counts: HitCounts
}

/** The collected hits. */
export class CollectedHits implements HitCollector {
  readonly #codes = new Map<string, Collected>()

  countsOf(code: Uint8Array, isCreation: boolean): HitCounts {
    const key = `${isCreation} ${toHex(code)}`
    const known = this.#codes.get(key)
    if (known !== undefined) return known.counts
    const counts = new Float64Array(code.length)
    this.#codes.set(key, { code: code.slice(), isCreation, counts })
    return counts
  }

  /** Returns the hits of `code` by position, only those that are not 0. */
  of(code: Uint8Array, isCreation = false): Record<number, number> {
    const known = this.#codes.get(`${isCreation} ${toHex(code)}`)
    return known === undefined ? {} : nonZero(hitsOf(known.code, known.counts))
  }

  /** Returns the codes that ran. */
  get codes(): Hex[] {
    return [...this.#codes.values()].map(({ code }) => toHex(code))
  }

  /** Returns how often each opcode was begun at each position, over all codes: keys such as `12 PUSH1`. */
  totals(): Map<string, number> {
    const totals = new Map<string, number>()
    for (const { code, counts } of this.#codes.values()) {
      for (const [pc, count] of hitsOf(code, counts).entries()) {
        if (count === 0) continue
        const key = `${pc} ${code[pc]}`
        totals.set(key, (totals.get(key) ?? 0) + count)
      }
    }
    return totals
  }
}

function nonZero(hits: Float64Array): Record<number, number> {
  return Object.fromEntries([...hits.entries()].filter(([, count]) => count !== 0))
}
