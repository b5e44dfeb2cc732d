/**
 * All sealed blocks as one immutable value, with look-ups by number, hash and transaction. Forks and snapshots hold a
 * pointer to it.
 *
 * All but the newest blocks are kept as bytes (`storedBlock.ts`). Of pruned blocks the hashes are kept, to tell them from
 * blocks that never existed.
 */

import type { Hash } from '../bytes/hex.ts'
import type { Block } from '../model/block/block.ts'
import { HashIndex } from '../model/collections/hashIndex.ts'
import { PersistentVector } from '../model/collections/persistentVector.ts'
import { LogIndex } from './logIndex.ts'
import { hasState, type Inclusion, type Missing, type Moment, type SealedBlock } from './moment.ts'
import { StoredBlock } from './packed/storedBlock.ts'

/** The numbers of blocks to keep. */
export interface Retention {
  /** The number of sealed blocks to keep; `undefined`: all. */
  readonly historyBlocks: number | undefined
  /** The number of sealed blocks whose slices are kept. */
  readonly sliceBlocks: number
}

/** The limit of newest blocks that are kept as objects, which are read most. */
const MAX_UNPACKED = 64
/** The limit of transactions and logs that are kept as objects, unless the newest block alone has more. */
const MAX_UNPACKED_WEIGHT = 500

/** The blocks that are kept as objects. */
interface Unpacked {
  /** The place of the first one. */
  readonly place: number
  /** The number of their transactions and logs. */
  readonly weight: number
}

/** Immutable; each change returns a new history. */
export class History {
  /** The sealed blocks from `first` on, or the hashes of pruned ones, which BLOCKHASH returns. */
  readonly #blocks: PersistentVector<StoredBlock | Hash>
  readonly #numbers: HashIndex
  readonly #positions: HashIndex
  readonly #unpacked: Unpacked
  readonly logIndex: LogIndex
  /** The number of the first block. */
  readonly first: number
  /** The number of the oldest kept block after the first. */
  readonly oldest: number
  readonly #newest: StoredBlock
  /** The first block with its initial state, without later changes by cheat methods. */
  readonly origin: SealedBlock

  private constructor(
    blocks: PersistentVector<StoredBlock | Hash>,
    numbers: HashIndex,
    positions: HashIndex,
    logIndex: LogIndex,
    oldest: number,
    newest: StoredBlock,
    origin: SealedBlock,
    unpacked: Unpacked,
  ) {
    this.#unpacked = unpacked
    this.#blocks = blocks
    this.#numbers = numbers
    this.#positions = positions
    this.logIndex = logIndex
    this.first = Number(origin.block.header.number)
    this.oldest = oldest
    this.#newest = newest
    this.origin = origin
  }

  /** Returns the history of `genesis` alone, a first block of any number. */
  static of(genesis: SealedBlock): History {
    const number = Number(genesis.block.header.number)
    const stored = new StoredBlock(genesis)
    return new History(
      PersistentVector.empty<StoredBlock | Hash>().append(stored),
      HashIndex.empty.add([[genesis.block.hash, { number: 0, index: 0 }]]),
      HashIndex.empty,
      LogIndex.empty.add(genesis.block),
      number,
      stored,
      genesis,
      { place: 0, weight: stored.weight },
    )
  }

  /** Returns the history with `moment` added. Calls `pack` for blocks that are old now. */
  with(
    moment: SealedBlock,
    { historyBlocks, sliceBlocks }: Retention,
    pack: (stored: StoredBlock) => void,
  ): History {
    const { block } = moment
    const number = Number(block.header.number)
    const place = this.#placeOf(number)
    const stored = new StoredBlock(moment)
    const next = new History(
      withoutSlices(this.#blocks, place - sliceBlocks).append(stored),
      this.#numbers.add([[block.hash, { number: place, index: 0 }]]),
      this.#positions.add(
        block.transactions.map(({ hash }, index) => [hash, { number: place, index }] as const),
        this.#placeOf(this.oldest),
      ),
      this.logIndex.add(block).packed(),
      this.oldest,
      stored,
      this.origin,
      this.#packed(place, stored.weight, pack),
    )
    return historyBlocks === undefined ? next : next.prunedTo(number - historyBlocks + 1)
  }

  /** Returns the history with `moment` in place of the newest one: the same block with another state. */
  withLatest(moment: Moment): History {
    const stored = new StoredBlock(moment)
    const blocks = this.#blocks.replace(this.#blocks.length - 1, stored)
    return new History(
      blocks,
      this.#numbers,
      this.#positions,
      this.logIndex,
      this.oldest,
      stored,
      this.origin,
      this.#unpacked,
    )
  }

  /** Returns the history with a pruned block added, which must follow the first block or another pruned one. */
  withPruned(hash: Hash): History {
    const number = this.end
    return new History(
      this.#blocks.append(hash),
      this.#numbers.add([[hash, { number: this.#placeOf(number), index: 0 }]]),
      this.#positions,
      this.logIndex,
      number + 1,
      this.#newest,
      this.origin,
      this.#unpacked,
    )
  }

  /** The newest sealed block, as an object. */
  get newest(): SealedBlock {
    return this.#newest.kept
  }

  /** The newest sealed moment. Its state is unknown only while a history is rebuilt from a file. */
  get latest(): Moment {
    const { newest } = this
    if (!hasState(newest)) throw new Error('the state after the newest block is unknown')
    return newest
  }

  /** The number of the next block. */
  get end(): number {
    return this.first + this.#blocks.length
  }

  get genesis(): SealedBlock {
    return this.held(this.first)!
  }

  /** Returns the moment of a sealed block, or why it is missing. The first block is always kept. */
  atNumber(number: bigint): Moment | Missing {
    const latest = this.newest.block.header.number
    if (number < this.first || number > latest) return { kind: 'unknownNumber', number }
    const moment = this.held(Number(number))
    if (moment === undefined) return { kind: 'prunedHistory', number, oldest: BigInt(this.oldest) }
    return moment
  }

  atHash(hash: Hash): Moment | Missing {
    const place = this.#numbers.find(hash, ({ number }) => this.#hashAt(number) === hash)
    return place === undefined
      ? { kind: 'unknownHash', hash }
      : this.atNumber(BigInt(this.first + place.number))
  }

  /** Returns the block and index of a sealed transaction. */
  find(hash: Hash): Inclusion | undefined {
    const place = this.#positions.find(hash, ({ number, index }) => {
      const stored = this.#blocks.get(number)
      return stored instanceof StoredBlock && stored.hasTransaction(hash, index)
    })
    return place && { block: this.block(this.first + place.number)!, index: place.index }
  }

  block(number: number): Block | undefined {
    const stored = this.#blocks.get(this.#placeOf(number))
    return stored instanceof StoredBlock ? stored.block : undefined
  }

  /** Returns the hash of the block with this number, pruned or not. */
  hash(number: number): Hash | undefined {
    return this.#hashAt(this.#placeOf(number))
  }

  /** Returns the block with this number and, if known, its state; `undefined` if it is not kept. */
  held(number: number): SealedBlock | undefined {
    const stored = this.#blocks.get(this.#placeOf(number))
    return stored instanceof StoredBlock ? stored.sealed : undefined
  }

  /** Packs the oldest blocks that are kept as objects, to make room for one at `place`. */
  #packed(place: number, added: number, pack: (stored: StoredBlock) => void): Unpacked {
    let { place: first, weight } = this.#unpacked
    for (
      ;
      first < place && (place - first >= MAX_UNPACKED || weight + added > MAX_UNPACKED_WEIGHT);
      first++
    ) {
      const stored = this.#blocks.get(first)
      if (!(stored instanceof StoredBlock)) continue
      pack(stored)
      weight -= stored.weight
    }
    return { place: first, weight: weight + added }
  }

  #placeOf(number: number): number {
    return number - this.first
  }

  #hashAt(place: number): Hash | undefined {
    const stored = this.#blocks.get(place)
    return stored instanceof StoredBlock ? stored.hash : stored
  }

  /** Returns the newest `count` moments, oldest first. Their states must be known. */
  newestMoments(count: number): readonly Moment[] {
    return Array.from({ length: count }, (_, i) => {
      const sealed = this.held(this.end - count + i)
      if (sealed === undefined || !hasState(sealed)) throw new Error('the state after a block is unknown')
      return sealed
    })
  }

  /** Returns the history without its newest `count` blocks; at least one that is kept must remain. */
  without(count: number): History {
    const length = this.#blocks.length - count
    const blocks = this.#blocks.take(length)
    // The hash indexes keep the places of the removed blocks: look-ups compare the hash at the place.
    const place = Math.min(this.#unpacked.place, length - 1)
    let weight = 0
    for (let at = place; at < length; at++) {
      const stored = blocks.get(at)
      if (stored instanceof StoredBlock) weight += stored.weight
    }
    return new History(
      blocks,
      this.#numbers,
      this.#positions,
      this.logIndex.before(this.first + length),
      this.oldest,
      blocks.last() as StoredBlock,
      this.origin,
      { place, weight },
    )
  }

  /** Returns the history without the blocks before `oldest`, except the first. */
  prunedTo(oldest: number): History {
    let blocks = this.#blocks
    for (let number = Math.max(this.first + 1, this.oldest); number < oldest; number++) {
      blocks = blocks.replace(this.#placeOf(number), this.hash(number)!)
    }
    if (blocks === this.#blocks) return this
    const logIndex = this.logIndex.prune(oldest)
    return new History(
      blocks,
      this.#numbers,
      this.#positions,
      logIndex,
      oldest,
      this.#newest,
      this.origin,
      this.#unpacked,
    )
  }
}

type StoredBlocks = PersistentVector<StoredBlock | Hash>

/** Returns the blocks with the slices of the block at `place` removed. */
function withoutSlices(blocks: StoredBlocks, place: number): StoredBlocks {
  const stored = blocks.get(place)
  if (!(stored instanceof StoredBlock)) return blocks
  const without = stored.withoutSlices()
  return without === stored ? blocks : blocks.replace(place, without)
}
