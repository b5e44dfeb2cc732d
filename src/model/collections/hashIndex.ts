/**
 * An index of block and transaction hashes that takes about 12 bytes per hash. Only the first 32 bits of older hashes
 * are stored, so callers compare the full hash at each place found.
 *
 * The newest entries are in a persistent map, older ones in sorted runs, each at least twice as long as the next.
 */
import type { Hash } from '../../bytes/hex.ts'
import { PersistentMap } from './persistentMap.ts'

/** The number of a block and an index in the block, both below 2^32. */
export interface Place {
  readonly number: number
  readonly index: number
}

/** Entries sorted by key, then by time of addition. */
interface Run {
  readonly keys: Uint32Array
  readonly numbers: Uint32Array
  readonly indexes: Uint32Array
}

const RECENT = 256

export class HashIndex {
  static readonly empty = new HashIndex(PersistentMap.empty(), [])

  readonly #recent: PersistentMap<Place>
  /** The longest and oldest run comes first. The array and the runs are immutable. */
  readonly #runs: readonly Run[]

  private constructor(recent: PersistentMap<Place>, runs: readonly Run[]) {
    this.#recent = recent
    this.#runs = runs
  }

  /** Returns the index with `entries` added. Entries for blocks before `oldest` may be dropped. */
  add(entries: Iterable<readonly [Hash, Place]>, oldest = 0): HashIndex {
    const recent = this.#recent.setAll(entries)
    if (recent.size < RECENT) return recent === this.#recent ? this : new HashIndex(recent, this.#runs)
    const runs = [...this.#runs, sorted(recent)]
    for (
      let last = runs.length - 1;
      last > 0 && runs[last - 1]!.keys.length < 2 * runs[last]!.keys.length;
    ) {
      runs.splice(last - 1, 2, merged(runs[last - 1]!, runs[last]!, oldest))
      last--
    }
    return new HashIndex(PersistentMap.empty(), runs)
  }

  /** Returns the newest place of `hash` for which `isThere` returns true. `isThere` compares the full hash. */
  find(hash: Hash, isThere: (place: Place) => boolean): Place | undefined {
    const recent = this.#recent.get(hash)
    if (recent !== undefined && isThere(recent)) return recent
    const key = keyOf(hash)
    for (let i = this.#runs.length - 1; i >= 0; i--) {
      const { keys, numbers, indexes } = this.#runs[i]!
      for (let at = after(keys, key) - 1; keys[at] === key; at--) {
        const place = { number: numbers[at]!, index: indexes[at]! }
        if (isThere(place)) return place
      }
    }
    return undefined
  }

  /** Yields the places of hashes that may begin with `start`, newest first. The caller compares the full hashes. */
  *startingWith(start: string): Generator<Place> {
    for (const [hash, place] of this.#recent.entries()) if (hash.startsWith(start)) yield place
    const low = keyOf(start.padEnd(10, '0'))
    const high = keyOf(start.padEnd(10, 'f'))
    for (const { keys, numbers, indexes } of this.#runs.toReversed()) {
      const end = after(keys, high)
      for (let at = low === 0 ? 0 : after(keys, low - 1); at < end; at++)
        yield { number: numbers[at]!, index: indexes[at]! }
    }
  }
}

function keyOf(hash: string): number {
  let key = 0
  for (let i = 2; i < 10; i++) {
    const code = hash.charCodeAt(i)
    key = (key << 4) | (code <= 57 ? code - 48 : code - 87) // 0-9, a-f
  }
  return key >>> 0
}

function after(keys: Uint32Array, key: number): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keys[middle]! <= key) low = middle + 1
    else high = middle
  }
  return low
}

function sorted(recent: PersistentMap<Place>): Run {
  const entries = Array.from(recent.entries(), ([hash, { number, index }]) => ({
    key: keyOf(hash),
    number,
    index,
  }))
  entries.sort((a, b) => a.key - b.key || a.number - b.number || a.index - b.index)
  return {
    keys: Uint32Array.from(entries, ({ key }) => key),
    numbers: Uint32Array.from(entries, ({ number }) => number),
    indexes: Uint32Array.from(entries, ({ index }) => index),
  }
}

/** Returns the entries of both runs, except entries for blocks before `oldest`. `newer` was added after `older`. */
function merged(older: Run, newer: Run, oldest: number): Run {
  const length = older.keys.length + newer.keys.length
  const keys = new Uint32Array(length)
  const numbers = new Uint32Array(length)
  const indexes = new Uint32Array(length)
  let size = 0
  for (let a = 0, b = 0; a < older.keys.length || b < newer.keys.length; ) {
    const isOlder = b === newer.keys.length || (a < older.keys.length && older.keys[a]! <= newer.keys[b]!)
    const from = isOlder ? older : newer
    const at = isOlder ? a++ : b++
    if (from.numbers[at]! < oldest) continue
    keys[size] = from.keys[at]!
    numbers[size] = from.numbers[at]!
    indexes[size] = from.indexes[at]!
    size++
  }
  if (size === length) return { keys, numbers, indexes }
  return { keys: keys.slice(0, size), numbers: numbers.slice(0, size), indexes: indexes.slice(0, size) }
}
