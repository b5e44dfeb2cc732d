/**
 * Reproducible random input. A failing test names its seed; `PRESEAL_SEED=<seed>` repeats it, `PRESEAL_SEEDS=1000` plays
 * each random test with as many seeds.
 */
import { expect, onTestFinished } from 'vitest'

/** Number of seeds that each random test plays: 1, or `PRESEAL_SEEDS`. */
const SEEDS = Number(process.env.PRESEAL_SEEDS ?? 1)
/** With `PRESEAL_SEEDS`: no further seed of a test begins after these milliseconds. */
const SEEDS_MS = Number(process.env.PRESEAL_SEEDS_MS ?? Number.POSITIVE_INFINITY)

/**
 * Returns a test body that runs `body` with a fresh generator. Errors name the seed. A test that exceeds its time limit
 * prints its seed, and its body ends with the next draw, so that it does not run beside the tests that follow.
 */
export function withRandom(body: (random: Random) => void | Promise<void>): () => Promise<void> {
  return async () => {
    const started = performance.now()
    const { PRESEAL_SEED } = process.env
    const seeds = PRESEAL_SEED === undefined ? SEEDS : 1
    let played = 0
    do {
      await play(body, Number(PRESEAL_SEED ?? Math.floor(Math.random() * 2 ** 32)))
      played++
    } while (played < seeds && performance.now() - started < SEEDS_MS)
    if (seeds > 1) console.log(`${played} seeds: ${expect.getState().currentTestName}`)
  }
}

async function play(body: (random: Random) => void | Promise<void>, seed: number): Promise<void> {
  const random = new Random(seed)
  let isOver = false
  onTestFinished(() => {
    if (!isOver) console.error(`not done with PRESEAL_SEED=${seed}`)
    random.end()
  })
  try {
    await body(random)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`with PRESEAL_SEED=${seed}: ${message}`, { cause })
  } finally {
    isOver = true
  }
}

/** A seeded generator (mulberry32: small, fast, good enough for tests). */
export class Random {
  #state: number
  #hasEnded = false

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Lets every further draw throw. */
  end(): void {
    this.#hasEnded = true
  }

  /** 0 to 1, without 1. */
  fraction(): number {
    if (this.#hasEnded) throw new Error('the test is over')
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** 0 to `end`, without `end`. */
  below(end: number): number {
    return Math.floor(this.fraction() * end)
  }

  /** `first` to `last`, with both. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1)
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }

  list<T>(length: number, make: () => T): T[] {
    return Array.from({ length }, make)
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256))
  }

  /** `length` bytes as `0x` and digits. */
  hex(length: number): `0x${string}` {
    return `0x${Buffer.from(this.bytes(length)).toString('hex')}`
  }

  /** A number of up to `bits` bits; small ones are as likely as large ones. */
  bigint(bits: number): bigint {
    const length = this.below(bits + 1)
    if (length === 0) return 0n
    return BigInt.asUintN(length, BigInt(this.hex(Math.ceil(length / 8))))
  }
}
