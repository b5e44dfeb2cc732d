/**
 * Plays random sequences in rounds, over all threads. The threads learn after each round what it found, so the result
 * does not depend on their number.
 */
import { processMs } from '../work/eventLoop.ts'
import { type Play, Pool } from './pool.ts'
import type { Batch, Kept, PlayedBatch } from './randomSequences.ts'
import type { ToldViolation } from './story.ts'

/** The numbers of sequences in the first round, and in the longest ones. */
const FIRST_ROUND = 16
const LONGEST_ROUND = 512
/** Batches of a round for each thread, so that no thread waits long for the others. */
const BATCHES = 4
const MOST_KEPT = 5_000

type Sequences = Pick<Batch, 'first' | 'count' | 'known'>

export class RandomRounds {
  calls = 0
  sequences = 0
  /** The signs of everything that sequences have done. */
  readonly signs: string[] = []
  readonly #seen = new Set<string>()
  readonly #kept: Kept[] = []
  readonly #pool = new Pool<Sequences, PlayedBatch>()
  readonly #length: number
  readonly #endMs: number

  /** `length`: the maximum number of actions of a sequence. */
  constructor(length: number, endMs: number) {
    this.#length = length
    this.#endMs = endMs
  }

  /** Adds a thread. */
  join(play: Play<Batch, PlayedBatch>): void {
    let [kept, signs] = [0, 0]
    this.#pool.add((sequences) => {
      const batch = {
        ...sequences,
        leftMs: this.#endMs - processMs(),
        kept: this.#kept.slice(kept),
        signs: this.signs.slice(signs),
      }
      kept = this.#kept.length
      signs = this.signs.length
      return play(batch)
    })
  }

  /** Plays rounds until a violation or until the time is over. Returns the violation of the first sequence. */
  async run(): Promise<ToldViolation | undefined> {
    for (let first = 1, size = FIRST_ROUND; ; ) {
      const known = this.#kept.length
      const batches = this.#batches(first, size, known)
      const played = await Promise.all(batches.map((batch) => this.#pool.run(batch)))
      for (const batch of played) {
        this.#add(batch, known)
        if (batch.violation !== undefined) return batch.violation
      }
      if (played.some(({ isOver }) => isOver)) return undefined
      first += size
      size = Math.min(2 * size, LONGEST_ROUND)
    }
  }

  #batches(first: number, size: number, known: number): readonly Sequences[] {
    const threads = this.#pool.size
    const count = threads <= 1 ? size : Math.ceil(size / (BATCHES * threads))
    return Array.from({ length: Math.ceil(size / count) }, (_, i) => ({
      first: first + i * count,
      count: Math.min(count, size - i * count),
      known,
    }))
  }

  #add({ calls, finds }: PlayedBatch, known: number): void {
    this.sequences += calls.length
    for (const count of calls) this.calls += count
    for (const { sequence, length, signs } of finds) {
      const news = signs.filter((sign) => !this.#seen.has(sign))
      if (news.length === 0) continue
      for (const sign of news) this.#seen.add(sign)
      this.signs.push(...news)
      if (length < this.#length && this.#kept.length < MOST_KEPT) {
        this.#kept.push({ sequence, length, known })
      }
    }
  }
}
