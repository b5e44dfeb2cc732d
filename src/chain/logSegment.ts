/**
 * An immutable part of the log index in typed arrays. Takes about four bytes for each address and topic of a log.
 *
 * The logs of a segment are numbered from 0. A key is an address, or a topic with its position. Keys are stored as
 * hashes, which may collide, so callers compare each match with the criteria.
 */

import { textHash } from '../model/collections/persistentMap.ts'

export type Numbers = ArrayLike<number>

/** A key of the log index: an address, or a topic with its position. */
export interface LogKey {
  readonly text: string
  /** `textHash` of the text. */
  readonly hash: number
}

export function logKey(text: string): LogKey {
  return { text, hash: textHash(text) }
}

/** Logs of consecutive blocks, numbered from 0, with an index by key. */
export interface Logs {
  /** The numbers of the blocks that contain logs, ascending. */
  readonly blocks: Numbers
  /** For each block in `blocks`, the number of its first log. */
  readonly firsts: Numbers
  readonly size: number
  /** Returns the numbers in [`from`, `end`) of the logs that have a key of each list; `undefined` if no log does. */
  numbersOf(alternatives: readonly (readonly LogKey[])[], from: number, end: number): Numbers | undefined
}

export class LogSegment implements Logs {
  readonly blocks: Float64Array
  readonly firsts: Uint32Array
  readonly size: number
  readonly #keys: Uint32Array
  /** For each key, the position in `#numbers` at which its list begins. The list ends where the next list begins. */
  readonly #starts: Uint32Array
  readonly #numbers: Uint32Array

  private constructor(
    { blocks, firsts, size }: Pick<LogSegment, 'blocks' | 'firsts' | 'size'>,
    keys: Uint32Array,
    starts: Uint32Array,
    numbers: Uint32Array,
  ) {
    this.blocks = blocks
    this.firsts = firsts
    this.size = size
    this.#keys = keys
    this.#starts = starts
    this.#numbers = numbers
  }

  /** Returns a segment. `entries` has each key with the numbers of its logs. */
  static of(logs: Omit<Logs, 'numbersOf'>, entries: Iterable<readonly [string, Numbers]>): LogSegment {
    const lists = Array.from(entries, ([key, numbers]) => ({ key: textHash(key) >>> 0, numbers }))
    lists.sort((a, b) => a.key - b.key)
    const total = lists.reduce((sum, { numbers }) => sum + numbers.length, 0)
    const out = new Columns(lists.length, total)
    for (let i = 0; i < lists.length; ) {
      const { key } = lists[i]!
      // Keys with equal hashes share a list.
      let end = i + 1
      while (end < lists.length && lists[end]!.key === key) end++
      out.add(
        key,
        end === i + 1 ? lists[i]!.numbers : united(lists.slice(i, end).map(({ numbers }) => numbers)),
      )
      i = end
    }
    const { size } = logs
    const blocks = Float64Array.from(logs.blocks)
    return new LogSegment({ blocks, firsts: Uint32Array.from(logs.firsts), size }, ...out.finish())
  }

  numbersOf(
    alternatives: readonly (readonly LogKey[])[],
    from: number,
    end: number,
  ): Uint32Array | undefined {
    const lists: Uint32Array[] = []
    for (const keys of alternatives) {
      const list = this.#anyOf(keys)
      if (list === undefined) return undefined
      lists.push(list)
    }
    return common(lists, from, end)
  }

  #anyOf(keys: readonly LogKey[]): Uint32Array | undefined {
    const lists = keys.map((key) => this.#under(key)).filter((list) => list !== undefined)
    return lists.length > 1 ? united(lists) : lists[0]
  }

  #under({ hash }: LogKey): Uint32Array | undefined {
    const key = hash >>> 0
    const at = placeOf(this.#keys, key)
    return this.#keys[at] === key ? this.#listAt(at) : undefined
  }

  followedBy(next: LogSegment): LogSegment {
    const size = this.size + next.size
    const blocks = new Float64Array(this.blocks.length + next.blocks.length)
    blocks.set(this.blocks)
    blocks.set(next.blocks, this.blocks.length)
    const firsts = new Uint32Array(blocks.length)
    firsts.set(this.firsts)
    firsts.set(shifted(next.firsts, this.size), this.firsts.length)
    const out = new Columns(
      this.#keys.length + next.#keys.length,
      this.#numbers.length + next.#numbers.length,
    )
    for (let a = 0, b = 0; a < this.#keys.length || b < next.#keys.length; ) {
      const ours = this.#keys[a] ?? Number.POSITIVE_INFINITY
      const theirs = next.#keys[b] ?? Number.POSITIVE_INFINITY
      out.begin(Math.min(ours, theirs))
      if (ours <= theirs) out.append(this.#listAt(a++))
      if (theirs <= ours) out.append(shifted(next.#listAt(b++), this.size))
    }
    return new LogSegment({ blocks, firsts, size }, ...out.finish())
  }

  before(number: number): LogSegment {
    const length = placeOf(this.blocks, number)
    if (length === this.blocks.length) return this
    const size = this.firsts[length]!
    const out = new Columns(this.#keys.length, this.#numbers.length)
    for (const [at, key] of this.#keys.entries()) {
      const list = this.#listAt(at)
      const end = placeOf(list, size)
      if (end > 0) out.add(key, list.subarray(0, end))
    }
    const blocks = this.blocks.slice(0, length)
    return new LogSegment({ blocks, firsts: this.firsts.slice(0, length), size }, ...out.finish())
  }

  #listAt(at: number): Uint32Array {
    return this.#numbers.subarray(this.#starts[at], this.#starts[at + 1])
  }
}

class Columns {
  readonly #keys: Uint32Array
  readonly #starts: Uint32Array
  readonly #numbers: Uint32Array
  #length = 0
  #end = 0

  constructor(keys: number, numbers: number) {
    this.#keys = new Uint32Array(keys)
    this.#starts = new Uint32Array(keys + 1)
    this.#numbers = new Uint32Array(numbers)
  }

  begin(key: number): void {
    this.#keys[this.#length] = key
    this.#starts[this.#length++] = this.#end
  }

  append(numbers: Numbers): void {
    this.#numbers.set(numbers, this.#end)
    this.#end += numbers.length
  }

  add(key: number, numbers: Numbers): void {
    this.begin(key)
    this.append(numbers)
  }

  finish(): [keys: Uint32Array, starts: Uint32Array, numbers: Uint32Array] {
    this.#starts[this.#length] = this.#end
    return [
      trimmed(this.#keys, this.#length),
      trimmed(this.#starts, this.#length + 1),
      trimmed(this.#numbers, this.#end),
    ]
  }
}

function trimmed(numbers: Uint32Array, length: number): Uint32Array {
  return numbers.length === length ? numbers : numbers.slice(0, length)
}

function shifted(numbers: Uint32Array, by: number): Uint32Array {
  const moved = new Uint32Array(numbers.length)
  for (let i = 0; i < numbers.length; i++) moved[i] = numbers[i]! + by
  return moved
}

function united(lists: readonly Numbers[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const list of lists) {
    all.set(list, end)
    end += list.length
  }
  all.sort()
  let size = 0
  for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[i - 1]) all[size++] = all[i]!
  return trimmed(all, size)
}

/** Returns the index of the first number that is at least `value`. */
export function placeOf(numbers: Numbers, value: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

function common(lists: readonly Uint32Array[], from: number, end: number): Uint32Array {
  const [shortest, ...others] = lists
    .map((list) => list.subarray(seek(list, from, 0), seek(list, end, 0)))
    .sort((a, b) => a.length - b.length) as [Uint32Array, ...Uint32Array[]]
  return others.reduce(intersection, shortest)
}

/** Returns the numbers in both lists. `seek` skips runs of numbers that only one list contains, so they cost little. */
function intersection(numbers: Uint32Array, others: Uint32Array): Uint32Array {
  const both: number[] = []
  let at = 0
  let other = 0
  while (at < numbers.length && other < others.length) {
    const number = numbers[at]!
    other = seek(others, number, other)
    if (others[other] === number) {
      both.push(number)
      at++
    } else if (other < others.length) at = seek(numbers, others[other]!, at)
  }
  return Uint32Array.from(both)
}

/** Returns the index, from `start` on, of the first number of at least `value`, by exponential and binary search. */
function seek(numbers: Uint32Array, value: number, start: number): number {
  let low = start
  let high = start
  for (let leap = 1; high < numbers.length && numbers[high]! < value; leap *= 2) {
    low = high + 1
    high += leap
  }
  if (high > numbers.length) high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
