/**
 * The index of logs by address and by topic at each position.
 *
 * Each segment of 256 blocks has a persistent map from address or topic to the places of the logs that have it; a map
 * over all segments has the segments in which each key occurs. A query follows the shortest of the lists of its
 * criteria and keeps the places that are in all of them: its cost depends on what it finds, not on the length of the
 * chain or on how many logs a contract emitted. A segment is dropped as a whole when its blocks are pruned.
 */
import type { Block } from '../model/block/block.ts'
import { logsOf } from '../model/block/block.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import type { LogCriteria } from '../model/receipt/filter.ts'

const SEGMENT = 256
/** More logs than a block can have. */
const LOGS = 2 ** 32

/** Ascending numbers, one for each log: its block's place in the segment, times `LOGS`, plus its index in the block. */
type Places = readonly number[]
type Segment = PersistentMap<Places>
/** Ascending numbers of segments. */
type SegmentNumbers = readonly number[]

/** A block, and those of its logs that may match. */
export interface Candidates {
  readonly number: number
  /** Log indexes, ascending. */
  readonly logs: readonly number[] | 'all'
}

/** An immutable index. `add` returns a new one. */
export class LogIndex {
  static readonly empty = new LogIndex(PersistentMap.empty(), PersistentMap.empty())

  /** By number, as text. */
  readonly #segments: PersistentMap<Segment>
  /** The segments in which each address or topic occurs. */
  readonly #occurrences: PersistentMap<SegmentNumbers>

  private constructor(segments: PersistentMap<Segment>, occurrences: PersistentMap<SegmentNumbers>) {
    this.#segments = segments
    this.#occurrences = occurrences
  }

  /**
   * Returns the index with `block` added. Its number must follow the last block's (any number for the first). If it is
   * the last block again, with transactions added, `firstTransaction` is the index of the first new one.
   */
  add(block: Block, firstTransaction = 0): LogIndex {
    const number = Number(block.header.number)
    const added = placesIn(block, firstTransaction, (number % SEGMENT) * LOGS)
    if (added.size === 0) return this
    const at = Math.floor(number / SEGMENT)
    const name = String(at)
    const segment: Segment = this.#segments.get(name) ?? PersistentMap.empty()
    const changes: [string, Places][] = []
    const firsts: [string, SegmentNumbers][] = []
    // One shared array, because most rare keys occur in one segment only.
    const here: SegmentNumbers = [at]
    for (const [key, places] of added) {
      const known = segment.get(key)
      changes.push([key, known?.concat(places) ?? places])
      if (known === undefined) firsts.push([key, this.#occurrences.get(key)?.concat(at) ?? here])
    }
    const segments = this.#segments.set(name, segment.setAll(changes))
    return new LogIndex(segments, this.#occurrences.setAll(firsts))
  }

  /** Returns the index without the segments that lie entirely before block `oldest`. */
  prune(oldest: number): LogIndex {
    const gone = Math.floor(oldest / SEGMENT) - 1
    const name = String(gone)
    const segment = this.#segments.get(name)
    if (segment === undefined) return this
    let occurrences = this.#occurrences
    for (const [key] of segment.entries()) {
      const left = occurrences.get(key)!.filter((at) => at !== gone)
      occurrences = left.length === 0 ? occurrences.delete(key) : occurrences.set(key, left)
    }
    return new LogIndex(this.#segments.delete(name), occurrences)
  }

  /**
   * Yields the blocks from `from` to `to`, ascending, that have logs with all keys of `criteria`, and the indexes of
   * these logs. Without keys it yields each block with all its logs.
   */
  *candidates(criteria: LogCriteria, from: number, to: number): Generator<Candidates> {
    const alternatives = keysOf(criteria)
    if (alternatives.length === 0) {
      for (let number = from; number <= to; number++) yield { number, logs: 'all' }
      return
    }
    const [some, ...others] = alternatives.map((keys) => segmentsWith(this.#occurrences, keys))
    const last = Math.floor(to / SEGMENT)
    for (let i = placeOf(some!, Math.floor(from / SEGMENT)); i < some!.length && some![i]! <= last; i++) {
      const at = some![i]!
      if (!others.every((segments) => segments[placeOf(segments, at)] === at)) continue
      const segment = this.#segments.get(String(at))!
      const first = at * SEGMENT
      const lists = alternatives.map((keys) => placesUnder(segment, keys))
      yield* byBlock(common(lists, (from - first) * LOGS, (to + 1 - first) * LOGS), first)
    }
  }
}

/** Returns the places of logs by address and by topic with position; `first` is the place of the block's first log. */
function placesIn(block: Block, firstTransaction: number, first: number): Map<string, number[]> {
  const places = new Map<string, number[]>()
  const note = (key: string, place: number) => {
    const known = places.get(key)
    if (known === undefined) places.set(key, [place])
    else known.push(place)
  }
  for (const { log, logIndex } of logsOf(block, firstTransaction)) {
    note(log.address, first + logIndex)
    for (const [position, topic] of log.topics.entries()) note(position + topic, first + logIndex)
  }
  return places
}

/** Returns, for each criterion that is not empty, the keys of which a log must have one. */
function keysOf({ addresses, topics }: LogCriteria): string[][] {
  const keys: string[][] = []
  if (addresses.length > 0) keys.push([...new Set(addresses)])
  for (const [position, wanted] of topics.entries()) {
    if (wanted.length > 0) keys.push([...new Set(wanted)].map((topic) => position + topic))
  }
  return keys
}

/** Returns the segments in which any of the keys occurs. */
function segmentsWith(occurrences: PersistentMap<SegmentNumbers>, keys: readonly string[]): SegmentNumbers {
  const lists = keys.map((key) => occurrences.get(key)).filter((numbers) => numbers !== undefined)
  return lists.length === 1 ? lists[0]! : [...new Set(lists.flat())].sort((a, b) => a - b)
}

/**
 * Returns the index of the first number of at least `value`. Separate from `seek`, whose numbers exceed V8's small
 * integers: code that handles both kinds is twice as slow with either.
 */
function placeOf(numbers: SegmentNumbers, value: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the places of any of the keys. No place has two keys of the same criterion. */
function placesUnder(segment: Segment, keys: readonly string[]): Places {
  const lists = keys.map((key) => segment.get(key)).filter((places) => places !== undefined)
  return lists.length === 1 ? lists[0]! : lists.flat().sort((a, b) => a - b)
}

/** Returns the places from `from` to before `end` that are in all of `lists`. */
function common(lists: readonly Places[], from: number, end: number): Places {
  const [shortest, ...others] = lists.toSorted((a, b) => a.length - b.length)
  let places: Places = shortest!.slice(seek(shortest!, from, 0), seek(shortest!, end, 0))
  for (const other of others) places = intersection(places, other)
  return places
}

/**
 * Returns the places that are in both lists. Each list in turn skips to the position of the other, so runs of places in
 * only one list cost little.
 */
function intersection(places: Places, others: Places): Places {
  const both: number[] = []
  let at = 0
  let other = 0
  while (at < places.length && other < others.length) {
    const place = places[at]!
    other = seek(others, place, other)
    if (others[other] === place) {
      both.push(place)
      at++
    } else if (other < others.length) at = seek(places, others[other]!, at)
  }
  return both
}

/** Returns the index, from `start` on, of the first number of at least `value`: by exponential, then binary search. */
function seek(numbers: Places, value: number, start: number): number {
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

function* byBlock(places: Places, first: number): Generator<Candidates> {
  for (let at = 0; at < places.length; ) {
    const offset = Math.floor(places[at]! / LOGS)
    const logs: number[] = []
    for (const end = (offset + 1) * LOGS; at < places.length && places[at]! < end; at++) {
      logs.push(places[at]! - offset * LOGS)
    }
    yield { number: first + offset, logs }
  }
}
