/** Pseudorandom numbers from a seed, the same on every machine. */
import { nextSeed, numberOfSeed } from '../model/pseudorandom.ts'

/** The members of fast-check's `Random` that its arbitraries use. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** Returns a whole number of at least 0 and below 2^32. */
  next32(): number {
    this.#state = nextSeed(this.#state)
    return numberOfSeed(this.#state)
  }

  /** Returns a whole number of at least 0 and below `end`. */
  below(end: number): number {
    return Math.floor((this.next32() / 0x1_0000_0000) * end)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  /** Whether something happens that has this chance, such as 0.1. */
  isLucky(chance: number): boolean {
    return this.next32() < chance * 0x1_0000_0000
  }

  clone(): Random {
    return new Random(this.#state)
  }

  /** Continues after the numbers that `other` has drawn. */
  follow(other: Random): void {
    this.#state = other.#state
  }

  next(bits: number): number {
    return this.next32() >>> (32 - bits)
  }

  nextBoolean(): boolean {
    return this.next32() % 2 === 1
  }

  nextInt(min = -0x8000_0000, max = 0x7fff_ffff): number {
    return min + this.below(max - min + 1)
  }

  nextBigInt(min: bigint, max: bigint): bigint {
    const size = max - min + 1n
    let value = 0n
    for (let bits = 0n; 1n << bits < size << 32n; bits += 32n) value = (value << 32n) | BigInt(this.next32())
    return min + (value % size)
  }

  nextDouble(): number {
    return (this.next32() * 0x20_0000 + this.next(21)) / 2 ** 53
  }

  getState(): readonly number[] {
    return [this.#state]
  }
}
