/**
 * Which logs have this address, or this topic at this position?
 *
 * For each 256 blocks, a segment, one persistent map from address or topic to the places of the logs that have it; and for
 * all of them one that says in which segments to look. A question follows the shortest of the lists that its criteria
 * name and keeps what is in all of them, so it costs what it finds and not how long the chain is, or how busy one contract
 * on it; a segment as a whole is dropped with its blocks when history is pruned.
 */
import type { Block } from '../model/block/block.ts'
import { logsOf } from '../model/block/block.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import { PersistentVector } from '../model/collections/persistentVector.ts'
import type { LogCriteria } from '../model/receipt/filter.ts'

const SEGMENT = 256
/** More logs than a block can have. */
const LOGS = 2 ** 32

/** Rising numbers, each a log's: its block's place in the segment, times `LOGS`, and its index in the block. */
type Places = readonly number[]
type Segment = PersistentMap<Places>
/** Rising numbers of segments. */
type SegmentNumbers = readonly number[]

/** A block and which of its logs may be wanted. */
export interface Candidates {
  readonly number: number
  /** Log indexes, rising. */
  readonly logs: readonly number[] | 'all'
}

/** An immutable index; `add` answers the next. */
export class LogIndex {
  static readonly empty = new LogIndex(PersistentVector.empty(), PersistentMap.empty())

  readonly #segments: PersistentVector<Segment | undefined>
  /** In which segments an address or topic occurs. */
  readonly #occurrences: PersistentMap<SegmentNumbers>

  private constructor(
    segments: PersistentVector<Segment | undefined>,
    occurrences: PersistentMap<SegmentNumbers>,
  ) {
    this.#segments = segments
    this.#occurrences = occurrences
  }

  /**
   * The index with `block`, whose number is the one after the last that was added (or any, for the first); or with what
   * was added to the last block: its transactions from `firstTransaction` on.
   */
  add(block: Block, firstTransaction = 0): LogIndex {
    const number = Number(block.header.number)
    const added = placesIn(block, firstTransaction, (number % SEGMENT) * LOGS)
    if (added.size === 0) return this
    const at = Math.floor(number / SEGMENT)
    let segments = this.#segments
    while (segments.length <= at) segments = segments.append(undefined)
    const segment: Segment = segments.get(at) ?? PersistentMap.empty()
    const changes: [string, Places][] = []
    const firsts: [string, SegmentNumbers][] = []
    // Shared, for most of what is rare occurs in one segment alone.
    const here: SegmentNumbers = [at]
    for (const [key, places] of added) {
      const known = segment.get(key)
      changes.push([key, known?.concat(places) ?? places])
      if (known === undefined) firsts.push([key, this.#occurrences.get(key)?.concat(at) ?? here])
    }
    return new LogIndex(segments.replace(at, segment.setAll(changes)), this.#occurrences.setAll(firsts))
  }

  /** The index without what lies wholly before block `oldest`. */
  prune(oldest: number): LogIndex {
    const gone = Math.floor(oldest / SEGMENT) - 1
    const segment = gone < 0 ? undefined : this.#segments.get(gone)
    if (segment === undefined) return this
    let occurrences = this.#occurrences
    for (const [key] of segment.entries()) {
      const left = occurrences.get(key)!.filter((at) => at !== gone)
      occurrences = left.length === 0 ? occurrences.delete(key) : occurrences.set(key, left)
    }
    return new LogIndex(this.#segments.replace(gone, undefined), occurrences)
  }

  /**
   * The blocks from `from` to `to`, rising, that have logs with all that `criteria` name, and which logs these are. With
   * criteria that name nothing it is each block with all of its logs.
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
      const segment = this.#segments.get(at)!
      const first = at * SEGMENT
      const lists = alternatives.map((keys) => placesUnder(segment, keys))
      yield* byBlock(common(lists, (from - first) * LOGS, (to + 1 - first) * LOGS), first)
    }
  }
}

/** For each address, and each topic at its position, the places of the logs that have it; the block's first is `first`. */
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

/** For each criterion that names something, the keys of which a log must have one. */
function keysOf({ addresses, topics }: LogCriteria): string[][] {
  const keys: string[][] = []
  if (addresses.length > 0) keys.push([...new Set(addresses)])
  for (const [position, wanted] of topics.entries()) {
    if (wanted.length > 0) keys.push([...new Set(wanted)].map((topic) => position + topic))
  }
  return keys
}

/** The segments in which any of the keys occurs. */
function segmentsWith(occurrences: PersistentMap<SegmentNumbers>, keys: readonly string[]): SegmentNumbers {
  const lists = keys.map((key) => occurrences.get(key)).filter((numbers) => numbers !== undefined)
  return lists.length === 1 ? lists[0]! : [...new Set(lists.flat())].sort((a, b) => a - b)
}

/**
 * Where the first number of at least `value` stands. Apart from `seek`, whose numbers are larger than the machine's small
 * integers: code that meets both kinds is twice as slow with either.
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

/** The places under any of the keys. No two keys of one criterion have a place in common. */
function placesUnder(segment: Segment, keys: readonly string[]): Places {
  const lists = keys.map((key) => segment.get(key)).filter((places) => places !== undefined)
  return lists.length === 1 ? lists[0]! : lists.flat().sort((a, b) => a - b)
}

/** The places from `from` to before `end` that are in all of `lists`. */
function common(lists: readonly Places[], from: number, end: number): Places {
  const [shortest, ...others] = lists.toSorted((a, b) => a.length - b.length)
  let places: Places = shortest!.slice(seek(shortest!, from, 0), seek(shortest!, end, 0))
  for (const other of others) places = intersection(places, other)
  return places
}

/** By turns each list leaps to where the other is: what two busy contracts emitted apart is passed over in runs. */
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

/** Where from `start` on the first number of at least `value` stands: in leaps that double, then by halves. */
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
