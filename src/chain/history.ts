/**
 * All sealed blocks as one immutable value, with look-ups by number, hash and transaction, and of logs.
 *
 * A fork, a snapshot and a restore hold one pointer to it. Each block adds to memory. With a limit, blocks beyond it
 * are pruned; their hashes are kept, to tell a pruned block from one that never existed.
 */
import type { Block } from '../model/block/block.ts'
import type { Hash } from '../model/bytes/hex.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import { PersistentVector } from '../model/collections/persistentVector.ts'
import { LogIndex } from './logIndex.ts'
import { hasState, type Inclusion, type Missing, type Moment, type SealedBlock } from './moment.ts'

/** The numbers of blocks to keep. */
export interface Kept {
  /** The number of sealed blocks to keep; `undefined`: all. */
  readonly historyBlocks: number | undefined
  /** The number of sealed blocks whose slices are kept. */
  readonly sliceBlocks: number
}

interface TransactionPosition {
  readonly number: number
  readonly index: number
}

/** The sealed blocks of a chain. Immutable; each change returns a new history. */
export class History {
  /** The sealed blocks, from block `first` on. Of a pruned block the hash is kept, which BLOCKHASH still returns. */
  readonly #moments: PersistentVector<SealedBlock | Hash>
  readonly #numbers: PersistentMap<number>
  readonly #positions: PersistentMap<TransactionPosition>
  /** The index of the logs. */
  readonly logIndex: LogIndex
  /** The number of the first block. */
  readonly first: number
  /** The number of the oldest kept block after the first. */
  readonly oldest: number
  /** The newest sealed block. */
  readonly newest: SealedBlock
  /** The first block with its initial state, without later changes by cheat methods. */
  readonly origin: SealedBlock

  private constructor(
    moments: PersistentVector<SealedBlock | Hash>,
    numbers: PersistentMap<number>,
    positions: PersistentMap<TransactionPosition>,
    logIndex: LogIndex,
    oldest: number,
    newest: SealedBlock,
    origin: SealedBlock,
  ) {
    this.#moments = moments
    this.#numbers = numbers
    this.#positions = positions
    this.logIndex = logIndex
    this.first = Number(origin.block.header.number)
    this.oldest = oldest
    this.newest = newest
    this.origin = origin
  }

  /** Returns the history that consists of `genesis`, the first block, whatever its number. */
  static of(genesis: SealedBlock): History {
    const number = Number(genesis.block.header.number)
    return new History(
      PersistentVector.empty<SealedBlock | Hash>().append(genesis),
      PersistentMap.empty<number>().set(genesis.block.hash, number),
      PersistentMap.empty(),
      LogIndex.empty.add(genesis.block),
      number,
      genesis,
      genesis,
    )
  }

  /** Returns the history with `moment` added as its newest. */
  with(moment: SealedBlock, { historyBlocks, sliceBlocks }: Kept): History {
    const { block } = moment
    const number = Number(block.header.number)
    let positions = this.#positions
    for (const [index, { hash }] of block.transactions.entries())
      positions = positions.set(hash, { number, index })
    const next = new History(
      withoutSlices(this.#moments, this.#placeOf(number - sliceBlocks)).append(moment),
      this.#numbers.set(block.hash, number),
      positions,
      this.logIndex.add(block),
      this.oldest,
      moment,
      this.origin,
    )
    return historyBlocks === undefined ? next : next.prunedTo(number - historyBlocks + 1)
  }

  /** Returns the history with `moment` in place of its newest, which has the same block and another state. */
  withLatest(moment: Moment): History {
    const moments = this.#moments.replace(this.#moments.length - 1, moment)
    return new History(
      moments,
      this.#numbers,
      this.#positions,
      this.logIndex,
      this.oldest,
      moment,
      this.origin,
    )
  }

  /**
   * Returns the history with a pruned block added, of which only the hash is known. The blocks before it must be the
   * first and pruned ones.
   */
  withPruned(hash: Hash): History {
    const number = this.end
    return new History(
      this.#moments.append(hash),
      this.#numbers.set(hash, number),
      this.#positions,
      this.logIndex,
      number + 1,
      this.newest,
      this.origin,
    )
  }

  /**
   * The newest sealed moment. While a history is rebuilt from a file its state may be unknown, but no reader sees it
   * then.
   */
  get latest(): Moment {
    if (!hasState(this.newest)) throw new Error('the state after the newest block is not known')
    return this.newest
  }

  /** The number of the block that comes next. */
  get end(): number {
    return this.first + this.#moments.length
  }

  get genesis(): SealedBlock {
    return this.held(this.first)!
  }

  /** Returns the moment of a sealed block, or why there is none. Block 0 is always kept. */
  atNumber(number: bigint): Moment | Missing {
    const latest = this.newest.block.header.number
    if (number < this.first || number > latest) return { kind: 'unknownNumber', number }
    const moment = this.held(Number(number))
    if (moment === undefined) return { kind: 'prunedHistory', number, oldest: BigInt(this.oldest) }
    return moment
  }

  atHash(hash: Hash): Moment | Missing {
    const number = this.#numbers.get(hash)
    return number === undefined ? { kind: 'unknownHash', hash } : this.atNumber(BigInt(number))
  }

  /** Returns the block and index of a sealed transaction. */
  find(hash: Hash): Inclusion | undefined {
    const position = this.#positions.get(hash)
    const moment = position && this.held(position.number)
    return moment && { block: moment.block, index: position.index }
  }

  /** Returns the block with this number, if it is kept. */
  block(number: number): Block | undefined {
    return this.held(number)?.block
  }

  /** Returns the hash of the block with this number, pruned or not. */
  hash(number: number): Hash | undefined {
    const moment = this.#moments.get(this.#placeOf(number))
    return typeof moment === 'string' ? moment : moment?.block.hash
  }

  /** Returns the block with this number and, if known, its state; `undefined` if it is not kept. */
  held(number: number): SealedBlock | undefined {
    const moment = this.#moments.get(this.#placeOf(number))
    return typeof moment === 'string' ? undefined : moment
  }

  /** Where the block with this number stands in the list. */
  #placeOf(number: number): number {
    return number - this.first
  }

  /** Returns the history without the blocks before `oldest`, except the first. */
  prunedTo(oldest: number): History {
    let moments = this.#moments
    let positions = this.#positions
    for (let number = Math.max(this.first + 1, this.oldest); number < oldest; number++) {
      const { hash, transactions } = this.held(number)!.block
      for (const transaction of transactions) positions = positions.delete(transaction.hash)
      moments = moments.replace(this.#placeOf(number), hash)
    }
    if (moments === this.#moments) return this
    const logIndex = this.logIndex.prune(oldest)
    return new History(moments, this.#numbers, positions, logIndex, oldest, this.newest, this.origin)
  }
}

type Moments = PersistentVector<SealedBlock | Hash>

/** Returns the moments with the slices of the block at `place` removed. */
function withoutSlices(moments: Moments, place: number): Moments {
  const moment = moments.get(place)
  if (moment === undefined || typeof moment === 'string') return moments
  if (!hasState(moment) || moment.lastSlice === undefined) return moments
  return moments.replace(place, { block: moment.block, state: moment.state })
}
