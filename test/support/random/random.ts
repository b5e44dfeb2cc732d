/**
 * Random input that can be had again: a test that fails says its seed, and `PRESEAL_SEED=<seed>` plays it once more.
 */
import { onTestFinished } from 'vitest'

/**
 * A test body that draws from a fresh generator; whatever it throws bears the seed. A test that exceeds its time limit
 * says its seed too, and its body ends with the next draw: else it would go on beside the tests that follow, and they
 * would exceed theirs.
 */
export function withRandom(body: (random: Random) => void | Promise<void>): () => Promise<void> {
  return async () => {
    const seed = Number(process.env.PRESEAL_SEED ?? Math.floor(Math.random() * 2 ** 32))
    const random = new Random(seed)
    let isOver = false
    onTestFinished(() => {
      if (!isOver) console.error(`not done with PRESEAL_SEED=${seed}`)
      random.end()
    })
    try {
      await body(random)
      isOver = true
    } catch (cause) {
      isOver = true
      const message = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`with PRESEAL_SEED=${seed}: ${message}`, { cause })
    }
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
