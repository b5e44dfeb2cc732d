/** Keys whose hashes begin with given nibbles, found by trial. */
import { keccak256 } from '../crypto/keccak.ts'
import { Work } from '../work/work.ts'

/** The nibbles of a hash by which keys are remembered: 4 MB for a million of them. */
const REMEMBERED_NIBBLES = 5
/** The most nibbles that are looked for: 17 million trials on average, some ten seconds. */
export const MOST_NIBBLES = 6
const KEYS_BETWEEN_PAUSES = 512

/** Numbers, as keys of `length` bytes, by the first nibbles of their hashes. */
class HashedNumbers {
  readonly #key: Uint8Array
  /** The smallest number by the first nibbles of its hash, plus 1; 0 for none. */
  readonly #smallest = new Uint32Array(16 ** REMEMBERED_NIBBLES)
  /** All numbers below were tried. */
  #next = 0

  constructor(length: number) {
    this.#key = new Uint8Array(length)
  }

  /**
   * Returns the smallest number whose hash begins with the nibbles of `prefix`: the same one in each run, so that what is
   * asked with it is found in caches.
   */
  async smallest(prefix: number, nibbles: number): Promise<number> {
    const work = new Work()
    const more = 4 * (REMEMBERED_NIBBLES - nibbles)
    if (more < 0) return this.#smallestOfMany(prefix, nibbles, work)
    const range = this.#smallest.subarray(prefix << more, (prefix + 1) << more)
    for (;;) {
      let least = 0
      for (const number of range) if (number !== 0 && (least === 0 || number < least)) least = number
      if (least !== 0) return least - 1
      for (let tried = 0; tried < KEYS_BETWEEN_PAUSES; tried++) this.#remember(this.#next++)
      const pause = work.pause()
      if (pause !== undefined) await pause
    }
  }

  async #smallestOfMany(prefix: number, nibbles: number, work: Work): Promise<number> {
    for (let number = 0; ; number++) {
      if (this.#firstOf(number, nibbles) === prefix) return number
      if (number % KEYS_BETWEEN_PAUSES === 0) {
        const pause = work.pause()
        if (pause !== undefined) await pause
      }
    }
  }

  #remember(number: number): void {
    const place = this.#firstOf(number, REMEMBERED_NIBBLES)
    if (this.#smallest[place] === 0) this.#smallest[place] = number + 1
  }

  /** Returns the first nibbles, at most six, of the hash of a number. */
  #firstOf(number: number, nibbles: number): number {
    const key = this.#key
    for (let at = 1, rest = number; at <= 5; at++, rest = Math.floor(rest / 256)) key[key.length - at] = rest
    const hash = keccak256(key)
    return ((hash[0]! << 16) | (hash[1]! << 8) | hash[2]!) >>> (4 * (6 - nibbles))
  }
}

const numbers = new Map<number, HashedNumbers>()

/** Returns the smallest number that, as a key of `length` bytes, has a hash with the first `nibbles` nibbles of `hash`. */
export async function numberUnder(hash: string, nibbles: number, length: number): Promise<bigint> {
  let known = numbers.get(length)
  if (known === undefined) {
    known = new HashedNumbers(length)
    numbers.set(length, known)
  }
  let prefix = 0
  for (let at = 0; at < nibbles; at++) {
    const byte = hash.charCodeAt(at >> 1)
    prefix = prefix * 16 + ((at & 1) === 0 ? byte >> 4 : byte & 15)
  }
  return BigInt(await known.smallest(prefix, nibbles))
}
