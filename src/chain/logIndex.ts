/**
 * The index of logs by address and by topic at each position.
 *
 * The newest logs are in a persistent map from address or topic to the numbers of the logs that have it; the others in
 * segments of typed arrays (`logSegment.ts`), each at least twice as long as the next, up to a limit. A query follows
 * the shortest of the lists of its criteria and keeps the logs that are in all of them: its cost depends on what it
 * finds, not on the length of the chain or on how many logs a contract emitted. A segment is dropped as a whole when
 * its blocks are pruned.
 */
import { type Block, logsOf } from '../model/block/block.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import type { LogCriteria } from '../model/receipt/filter.ts'
import { type LogKey, LogSegment, type Logs, logKey, placeOf, united } from './logSegment.ts'

/** From this number of logs on, the newest are made a segment. */
const RECENT = 1_024
/** Segments of more logs are not joined: that would take milliseconds while a block is sealed. */
const LONG = 65_536

/** A block, and those of its logs that may match. */
export interface Candidates {
  readonly number: number
  /** Log indexes, ascending. */
  readonly logs: readonly number[] | 'all'
}

/** The newest logs, which are not in a segment. */
class RecentLogs implements Logs {
  static readonly none = new RecentLogs([], [], 0, PersistentMap.empty())

  readonly blocks: readonly number[]
  readonly firsts: readonly number[]
  readonly size: number
  readonly keys: PersistentMap<readonly number[]>

  constructor(
    blocks: readonly number[],
    firsts: readonly number[],
    size: number,
    keys: PersistentMap<readonly number[]>,
  ) {
    this.blocks = blocks
    this.firsts = firsts
    this.size = size
    this.keys = keys
  }

  under({ text }: LogKey): Uint32Array | undefined {
    const numbers = this.keys.get(text)
    // Code that handles arrays of both kinds is twice as slow with either.
    return numbers && new Uint32Array(numbers)
  }

  /** Returns these logs and those of `block` from the transaction with the index `firstTransaction` on. */
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
    for (const [key, numbers] of added) changes.push([key, this.keys.get(key)?.concat(numbers) ?? numbers])
    return new RecentLogs(
      isKnown ? this.blocks : [...this.blocks, number],
      isKnown ? this.firsts : [...this.firsts, first],
      size,
      this.keys.setAll(changes),
    )
  }

  /** Returns these logs without those of block `number` and of the blocks after it. */
  before(number: number): RecentLogs {
    const length = placeOf(this.blocks, number)
    if (length === this.blocks.length) return this
    const size = this.firsts[length]!
    const kept: [string, readonly number[]][] = []
    for (const [key, numbers] of this.keys.entries()) {
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

/** An immutable index. `add` returns a new one. */
export class LogIndex {
  static readonly empty = new LogIndex([], RecentLogs.none, 0)

  /** The oldest first. */
  readonly #segments: readonly LogSegment[]
  readonly #recent: RecentLogs
  /** The number of the oldest block that is not pruned. */
  readonly #oldest: number

  private constructor(segments: readonly LogSegment[], recent: RecentLogs, oldest: number) {
    this.#segments = segments
    this.#recent = recent
    this.#oldest = oldest
  }

  /**
   * Returns the index with `block` added. Its number must follow the last block's (any number for the first). If it is
   * the last block again, with transactions added, `firstTransaction` is the index of the first new one.
   */
  add(block: Block, firstTransaction = 0): LogIndex {
    const recent = this.#recent.with(block, firstTransaction)
    return recent === this.#recent ? this : new LogIndex(this.#segments, recent, this.#oldest)
  }

  /** Returns the same index in less memory, if it is worth while. No transactions are added to its last block after that. */
  packed(): LogIndex {
    const { size, keys } = this.#recent
    if (size < RECENT) return this
    const entries = keys.entries()
    const segments = [...this.#segments, LogSegment.of(this.#recent, entries)]
    for (let last = segments.length - 1; last > 0; last--) {
      const [older, newer] = segments.slice(last - 1) as [LogSegment, LogSegment]
      if (older.size >= 2 * newer.size || older.size + newer.size > LONG) break
      segments.splice(last - 1, 2, older.followedBy(newer))
    }
    return new LogIndex(segments, RecentLogs.none, this.#oldest)
  }

  /** Returns the index without the logs of block `number` and those after it. */
  before(number: number): LogIndex {
    const segments = this.#segments.filter(({ blocks }) => blocks[0]! < number)
    const last = segments.at(-1)
    if (last !== undefined && last.blocks.at(-1)! >= number) segments.splice(-1, 1, last.before(number))
    return new LogIndex(segments, this.#recent.before(number), this.#oldest)
  }

  /** Returns the index without the logs of blocks before `oldest`. */
  prune(oldest: number): LogIndex {
    const segments = this.#segments.filter(({ blocks }) => blocks[blocks.length - 1]! >= oldest)
    return new LogIndex(
      segments.length === this.#segments.length ? this.#segments : segments,
      this.#recent,
      oldest,
    )
  }

  /**
   * Yields the blocks from `from` to `to`, ascending, that have logs with all keys of `criteria`, and the indexes of
   * these logs; few others may be among them. Without keys it yields each block with all its logs.
   */
  *candidates(criteria: LogCriteria, from: number, to: number): Generator<Candidates> {
    const alternatives = keysOf(criteria)
    if (alternatives.length === 0) {
      for (let number = from; number <= to; number++) yield { number, logs: 'all' }
      return
    }
    const first = Math.max(from, this.#oldest)
    for (const logs of [...this.#segments, this.#recent]) yield* candidatesIn(logs, alternatives, first, to)
  }
}

/** Returns, for each criterion that is not empty, the keys of which a log must have one. */
function keysOf({ addresses, topics }: LogCriteria): LogKey[][] {
  const keys: LogKey[][] = []
  if (addresses.length > 0) keys.push(Array.from(new Set(addresses), logKey))
  for (const [position, wanted] of topics.entries()) {
    if (wanted.length > 0) keys.push(Array.from(new Set(wanted), (topic) => logKey(position + topic)))
  }
  return keys
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
  const lists: Uint32Array[] = []
  for (const keys of alternatives) {
    const list = anyOf(logs, keys)
    if (list === undefined) return
    lists.push(list)
  }
  const numbers = common(lists, firsts[start]!, end === blocks.length ? size : firsts[end]!)
  for (let at = 0; at < numbers.length; ) {
    const block = placeOf(firsts, numbers[at]! + 1) - 1
    const next = block + 1 === firsts.length ? size : firsts[block + 1]!
    const indexes: number[] = []
    for (; at < numbers.length && numbers[at]! < next; at++) indexes.push(numbers[at]! - firsts[block]!)
    yield { number: blocks[block]!, logs: indexes }
  }
}

/** Returns the numbers of the logs with any of the keys; `undefined`: none. */
function anyOf(logs: Logs, keys: readonly LogKey[]): Uint32Array | undefined {
  const lists = keys.map((key) => logs.under(key)).filter((list) => list !== undefined)
  return lists.length > 1 ? united(lists) : lists[0]
}

/** Returns the numbers from `from` to before `end` that are in all of `lists`. */
function common(lists: readonly Uint32Array[], from: number, end: number): Uint32Array {
  const [shortest, ...others] = lists
    .map((list) => list.subarray(seek(list, from, 0), seek(list, end, 0)))
    .sort((a, b) => a.length - b.length) as [Uint32Array, ...Uint32Array[]]
  return others.reduce(intersection, shortest)
}

/**
 * Returns the numbers that are in both lists. Each list in turn skips to the position of the other, so runs of numbers
 * in only one list cost little.
 */
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

/** Returns the index, from `start` on, of the first number of at least `value`: by exponential, then binary search. */
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
