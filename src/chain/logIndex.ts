/**
 * An index of logs by address, and by topic at each position.
 *
 * The newest logs are in a persistent map, older logs in segments of typed arrays (`logSegment.ts`). Each segment is
 * at least twice as long as the next newer one, up to a limit. A query begins with the criterion that has the fewest
 * logs, so the time depends on the number of matches, not on the length of the chain. A segment is dropped when all
 * of its blocks are pruned.
 */
import { type Block, logsOf } from '../model/block/block.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import type { LogCriteria } from '../model/receipt/log.ts'
import { type LogKey, LogSegment, type Logs, logKey, placeOf } from './logSegment.ts'

class RecentLogs implements Logs {
  static readonly none = new RecentLogs([], [], 0, PersistentMap.empty())

  readonly blocks: readonly number[]
  readonly firsts: readonly number[]
  readonly size: number
  readonly #keys: PersistentMap<readonly number[]>

  private constructor(
    blocks: readonly number[],
    firsts: readonly number[],
    size: number,
    keys: PersistentMap<readonly number[]>,
  ) {
    this.blocks = blocks
    this.firsts = firsts
    this.size = size
    this.#keys = keys
  }

  entries(): Iterable<readonly [string, readonly number[]]> {
    return this.#keys.entries()
  }

  numbersOf(
    alternatives: readonly (readonly LogKey[])[],
    from: number,
    end: number,
  ): readonly number[] | undefined {
    const lists: (readonly number[])[] = []
    for (const keys of alternatives) {
      const list = this.#anyOf(keys)
      if (list === undefined) return undefined
      lists.push(list)
    }
    const [shortest, ...others] = lists.sort((a, b) => a.length - b.length) as [readonly number[]]
    return shortest
      .slice(placeAmong(shortest, from), placeAmong(shortest, end))
      .filter((number) => others.every((list) => list[placeAmong(list, number)] === number))
  }

  #anyOf(keys: readonly LogKey[]): readonly number[] | undefined {
    if (keys.length === 1) return this.#keys.get(keys[0]!.text, keys[0]!.hash)
    const lists = keys
      .map(({ text, hash }) => this.#keys.get(text, hash))
      .filter((list) => list !== undefined)
    return lists.length > 1 ? [...new Set(lists.flat())].sort((a, b) => a - b) : lists[0]
  }

  with(block: Block, firstTransaction: number): RecentLogs {
    const number = Number(block.header.number)
    const isKnown = this.blocks.at(-1) === number
    const first = isKnown ? this.firsts.at(-1)! : this.size
    const added = new Map<string, number[]>()
    let { size } = this
    for (const { log, logIndex } of logsOf(block, firstTransaction)) {
      size = first + logIndex + 1
      note(added, log.address, size - 1)
      for (const [position, topic] of log.topics.entries()) note(added, position + topic, size - 1)
    }
    if (added.size === 0) return this
    const changes: [string, readonly number[]][] = []
    for (const [key, numbers] of added) changes.push([key, this.#keys.get(key)?.concat(numbers) ?? numbers])
    return new RecentLogs(
      isKnown ? this.blocks : [...this.blocks, number],
      isKnown ? this.firsts : [...this.firsts, first],
      size,
      this.#keys.setAll(changes),
    )
  }

  before(number: number): RecentLogs {
    const length = placeOf(this.blocks, number)
    if (length === this.blocks.length) return this
    const size = this.firsts[length]!
    const kept: [string, readonly number[]][] = []
    for (const [key, numbers] of this.#keys.entries()) {
      const left = numbers.slice(0, placeOf(numbers, size))
      if (left.length > 0) kept.push([key, left])
    }
    const keys = PersistentMap.empty<readonly number[]>().setAll(kept)
    return new RecentLogs(this.blocks.slice(0, length), this.firsts.slice(0, length), size, keys)
  }
}

function note(lists: Map<string, number[]>, key: string, number: number): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [number])
  else known.push(number)
}

/** Returns the same as `placeOf`, but is twice as fast, because V8 sees only one kind of array here. */
function placeAmong(numbers: readonly number[], value: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The minimum number of recent logs that `packed` moves into a segment. */
const RECENT = 128
/** The maximum number of logs in a merged segment. Longer segments would delay a seal by milliseconds. */
const LONG = 65_536

/** A block with logs that may match. Callers compare each log with the criteria. */
export interface Candidates {
  readonly number: number
  /** The indexes in the block of the logs that may match, ascending; `all` if every log may match. */
  readonly logs: readonly number[] | 'all'
}

export class LogIndex {
  static readonly empty = new LogIndex([], RecentLogs.none, 0)

  /** The oldest segment comes first. */
  readonly #segments: readonly LogSegment[]
  readonly #recent: RecentLogs
  /** The number of the oldest block that is not pruned. */
  readonly #oldest: number

  private constructor(segments: readonly LogSegment[], recent: RecentLogs, oldest: number) {
    this.#segments = segments
    this.#recent = recent
    this.#oldest = oldest
  }

  /** Returns the index with the logs of `block` (the last indexed block or the next) from `firstTransaction` on. */
  add(block: Block, firstTransaction = 0): LogIndex {
    const recent = this.#recent.with(block, firstTransaction)
    return recent === this.#recent ? this : new LogIndex(this.#segments, recent, this.#oldest)
  }

  /** Returns the index, with its recent logs in a segment if there are at least `RECENT`. Requires complete blocks. */
  packed(): LogIndex {
    if (this.#recent.size < RECENT) return this
    const segments = [...this.#segments, LogSegment.of(this.#recent, this.#recent.entries())]
    for (let last = segments.length - 1; last > 0; last--) {
      const [older, newer] = segments.slice(last - 1) as [LogSegment, LogSegment]
      if (older.size >= 2 * newer.size || older.size + newer.size > LONG) break
      segments.splice(last - 1, 2, older.followedBy(newer))
    }
    return new LogIndex(segments, RecentLogs.none, this.#oldest)
  }

  before(number: number): LogIndex {
    const segments = this.#segments.filter(({ blocks }) => blocks[0]! < number)
    const last = segments.at(-1)
    if (last !== undefined && last.blocks.at(-1)! >= number) segments.splice(-1, 1, last.before(number))
    return new LogIndex(segments, this.#recent.before(number), this.#oldest)
  }

  prune(oldest: number): LogIndex {
    const segments = this.#segments.filter(({ blocks }) => blocks[blocks.length - 1]! >= oldest)
    return new LogIndex(
      segments.length === this.#segments.length ? this.#segments : segments,
      this.#recent,
      oldest,
    )
  }

  /** Yields the blocks of a range with logs that may match `criteria`; without criteria, all blocks of the range. */
  *candidates(criteria: LogCriteria, from: number, to: number): Generator<Candidates> {
    const alternatives = keysOf(criteria)
    if (alternatives.length === 0) {
      for (let number = from; number <= to; number++) yield { number, logs: 'all' }
      return
    }
    const first = Math.max(from, this.#oldest)
    for (const segment of this.#segments) yield* candidatesIn(segment, alternatives, first, to)
    yield* candidatesIn(this.#recent, alternatives, first, to)
  }
}

function keysOf({ addresses, topics }: LogCriteria): LogKey[][] {
  const keys: LogKey[][] = []
  if (addresses.length > 0) keys.push(distinct(addresses).map((address) => logKey(address)))
  for (let position = 0; position < topics.length; position++) {
    const wanted = topics[position]!
    if (wanted.length > 0) keys.push(distinct(wanted).map((topic) => logKey(position + topic)))
  }
  return keys
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return values.length === 1 ? values : [...new Set(values)]
}

function* candidatesIn(
  logs: Logs,
  alternatives: readonly (readonly LogKey[])[],
  from: number,
  to: number,
): Generator<Candidates> {
  const { blocks, firsts, size } = logs
  const start = placeOf(blocks, from)
  const end = placeOf(blocks, to + 1)
  if (start === end) return
  const numbers = logs.numbersOf(alternatives, firsts[start]!, end === blocks.length ? size : firsts[end]!)
  if (numbers === undefined) return
  for (let at = 0; at < numbers.length; ) {
    const block = placeOf(firsts, numbers[at]! + 1) - 1
    const next = block + 1 === firsts.length ? size : firsts[block + 1]!
    const indexes: number[] = []
    for (; at < numbers.length && numbers[at]! < next; at++) indexes.push(numbers[at]! - firsts[block]!)
    yield { number: blocks[block]!, logs: indexes }
  }
}
