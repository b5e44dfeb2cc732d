/**
 * Which blocks have a log of this address, or this topic at this position?
 *
 * For each 256 blocks one persistent map from address or topic to the numbers of the blocks that have it. A question
 * reads the shortest list of those that its criteria allow, so it costs what it finds and not how long the chain is; a
 * segment as a whole is dropped with its blocks when history is pruned.
 */
import type { Block } from '../model/block.ts'
import { logsOf } from '../model/block.ts'
import type { LogCriteria } from '../model/filter.ts'
import { PersistentMap } from '../model/persistentMap.ts'
import { PersistentVector } from '../model/persistentVector.ts'

const SEGMENT = 256

type Segment = PersistentMap<readonly number[]>

/** An immutable index; `add` answers the next. */
export class LogIndex {
  static readonly empty = new LogIndex(PersistentVector.empty())

  readonly #segments: PersistentVector<Segment | undefined>

  private constructor(segments: PersistentVector<Segment | undefined>) {
    this.#segments = segments
  }

  /** The index with `block`, whose number is the one after the last that was added (or any, for the first). */
  add(block: Block): LogIndex {
    const number = Number(block.header.number)
    const at = Math.floor(number / SEGMENT)
    let segments = this.#segments
    while (segments.length <= at) segments = segments.append(undefined)
    const before = segments.get(at)
    let segment = before ?? PersistentMap.empty<readonly number[]>()
    for (const { log } of logsOf(block)) {
      segment = posted(segment, log.address, number)
      for (const [position, topic] of log.topics.entries())
        segment = posted(segment, position + topic, number)
    }
    if (segment !== before && segment.size > 0) segments = segments.replace(at, segment)
    return segments === this.#segments ? this : new LogIndex(segments)
  }

  /** The index without what lies wholly before block `oldest`. */
  prune(oldest: number): LogIndex {
    const gone = Math.floor(oldest / SEGMENT) - 1
    if (gone < 0 || this.#segments.get(gone) === undefined) return this
    return new LogIndex(this.#segments.replace(gone, undefined))
  }

  /**
   * The numbers from `from` to `to` of blocks that may have a matching log, rising. With criteria that name nothing
   * it is each of them.
   */
  *candidates(criteria: LogCriteria, from: number, to: number): Generator<number> {
    const alternatives = keysOf(criteria)
    if (alternatives.length === 0) {
      for (let number = from; number <= to; number++) yield number
      return
    }
    for (let at = Math.floor(from / SEGMENT); at <= Math.floor(to / SEGMENT); at++) {
      const segment = this.#segments.get(at)
      if (segment === undefined) continue
      for (const number of shortest(segment, alternatives)) {
        if (number >= from && number <= to) yield number
      }
    }
  }
}

function posted(segment: Segment, key: string, number: number): Segment {
  const numbers = segment.get(key)
  if (numbers?.at(-1) === number) return segment
  return segment.set(key, numbers === undefined ? [number] : [...numbers, number])
}

/** For each criterion that names something, the keys of which a log must have one. */
function keysOf({ addresses, topics }: LogCriteria): string[][] {
  const keys: string[][] = []
  if (addresses.length > 0) keys.push([...addresses])
  for (const [position, wanted] of topics.entries()) {
    if (wanted.length > 0) keys.push(wanted.map((topic) => position + topic))
  }
  return keys
}

/** The numbers under the criterion that has the fewest of them. */
function shortest(segment: Segment, alternatives: readonly (readonly string[])[]): readonly number[] {
  let best: readonly (readonly number[])[] = []
  let least = Number.POSITIVE_INFINITY
  for (const keys of alternatives) {
    const lists = keys.map((key) => segment.get(key)).filter((list) => list !== undefined)
    const length = lists.reduce((sum, list) => sum + list.length, 0)
    if (length < least) {
      best = lists
      least = length
    }
  }
  if (best.length <= 1) return best[0] ?? []
  return [...new Set(best.flat())].sort((a, b) => a - b)
}
