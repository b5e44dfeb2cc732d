/**
 * The newest logs of an index, which are not in a segment (`logSegment.ts`): a persistent map from address or topic to
 * the numbers of the logs that have it.
 */
import { type Block, logsOf } from '../model/block/block.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import { type LogKey, type Logs, placeOf } from './logSegment.ts'

/** Immutable. `with` returns new ones. */
export class RecentLogs implements Logs {
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

  /** Yields each key with the numbers of its logs. */
  entries(): Iterable<readonly [string, readonly number[]]> {
    return this.#keys.entries()
  }

  /** Looks each number of the shortest list up in the others, so that no list is copied: a block may have very many logs. */
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

  /** Returns the numbers of the logs with any of the keys; `undefined`: none. */
  #anyOf(keys: readonly LogKey[]): readonly number[] | undefined {
    const lists = keys.map(({ text }) => this.#keys.get(text)).filter((list) => list !== undefined)
    return lists.length > 1 ? [...new Set(lists.flat())].sort((a, b) => a - b) : lists[0]
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
    for (const [key, numbers] of added) changes.push([key, this.#keys.get(key)?.concat(numbers) ?? numbers])
    return new RecentLogs(
      isKnown ? this.blocks : [...this.blocks, number],
      isKnown ? this.firsts : [...this.firsts, first],
      size,
      this.#keys.setAll(changes),
    )
  }

  /** Returns these logs without those of block `number` and of the blocks after it. */
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

/** As `placeOf` does. Code that sees arrays of one kind alone is twice as fast as code that sees typed ones too. */
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
