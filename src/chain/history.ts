/**
 * All sealed blocks as one immutable value: by number, by hash, by transaction, by log.
 *
 * A fork, a snapshot and a restore hold one pointer to it. Memory grows by what each block adds; with a limit, what
 * falls behind it is let go, but for the hashes, by which a pruned block is told from one that never was.
 */
import type { Block } from '../model/block/block.ts'
import type { Hash } from '../model/bytes/hex.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import { PersistentVector } from '../model/collections/persistentVector.ts'
import { LogIndex } from './logIndex.ts'
import { hasState, type Inclusion, type Missing, type Moment, type SealedBlock } from './moment.ts'

/** How much is kept. */
export interface Kept {
  /** Sealed blocks; `undefined`: all. */
  readonly historyBlocks: number | undefined
  /** Of how many of them it is remembered how they grew. */
  readonly sliceBlocks: number
}

interface TransactionPosition {
  readonly number: number
  readonly index: number
}

export class History {
  /** By number; of a pruned block its hash is left, which BLOCKHASH still answers. */
  readonly #moments: PersistentVector<SealedBlock | Hash>
  readonly #numbers: PersistentMap<number>
  readonly #positions: PersistentMap<TransactionPosition>
  /** Where logs are found. */
  readonly logIndex: LogIndex
  /** The number of the oldest block after genesis that is still held. */
  readonly oldest: number
  /** The newest sealed block. */
  readonly newest: SealedBlock
  /** Block 0 and its own state, whatever was done to that since. */
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
    this.oldest = oldest
    this.newest = newest
    this.origin = origin
  }

  /** The history that begins and ends with `genesis`, whose number is 0. */
  static of(genesis: SealedBlock): History {
    return new History(
      PersistentVector.empty<SealedBlock | Hash>().append(genesis),
      PersistentMap.empty<number>().set(genesis.block.hash, 0),
      PersistentMap.empty(),
      LogIndex.empty.add(genesis.block),
      0,
      genesis,
      genesis,
    )
  }

  /** The history with `moment` as its newest. */
  with(moment: SealedBlock, { historyBlocks, sliceBlocks }: Kept): History {
    const { block } = moment
    const number = Number(block.header.number)
    let positions = this.#positions
    for (const [index, { hash }] of block.transactions.entries())
      positions = positions.set(hash, { number, index })
    const next = new History(
      withoutSlices(this.#moments, number - sliceBlocks).append(moment),
      this.#numbers.set(block.hash, number),
      positions,
      this.logIndex.add(block),
      this.oldest,
      moment,
      this.origin,
    )
    return historyBlocks === undefined ? next : next.prunedTo(number - historyBlocks + 1)
  }

  /** The history with `moment` in place of its newest, which has the same block: another state after it. */
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

  /** The history with a block after its newest, block 0, or after others like it: one of which nothing is kept but its hash. */
  withPruned(hash: Hash): History {
    const number = this.#moments.length
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

  /** The newest sealed moment. A history that is being made of a file is shown to nobody before its newest state is known. */
  get latest(): Moment {
    if (!hasState(this.newest)) throw new Error('the state after the newest block is not known')
    return this.newest
  }

  /** How many blocks there are, block 0 and the pruned ones included. */
  get length(): number {
    return this.#moments.length
  }

  get genesis(): SealedBlock {
    return this.held(0)!
  }

  /** The moment of a sealed block, if its state is known. Genesis is always held. */
  atNumber(number: bigint): Moment | Missing {
    const latest = this.newest.block.header.number
    if (number < 0n || number > latest) return { kind: 'unknownNumber', number }
    const moment = this.held(Number(number))
    if (moment === undefined) return { kind: 'prunedHistory', number, oldest: BigInt(this.oldest) }
    return moment
  }

  atHash(hash: Hash): Moment | Missing {
    const number = this.#numbers.get(hash)
    return number === undefined ? { kind: 'unknownHash', hash } : this.atNumber(BigInt(number))
  }

  /** Where a sealed transaction stands. */
  find(hash: Hash): Inclusion | undefined {
    const position = this.#positions.get(hash)
    const moment = position && this.held(position.number)
    return moment && { block: moment.block, index: position.index }
  }

  /** The block with this number, if it is held. */
  block(number: number): Block | undefined {
    return this.held(number)?.block
  }

  /** The hash of the block with this number, pruned or not. */
  hash(number: number): Hash | undefined {
    const moment = this.#moments.get(number)
    return typeof moment === 'string' ? moment : moment?.block.hash
  }

  /** The block with this number, if it is held. */
  held(number: number): SealedBlock | undefined {
    const moment = this.#moments.get(number)
    return typeof moment === 'string' ? undefined : moment
  }

  /** The history without what is before the block `oldest`, but for block 0. */
  prunedTo(oldest: number): History {
    let moments = this.#moments
    let positions = this.#positions
    for (let number = Math.max(1, this.oldest); number < oldest; number++) {
      const { hash, transactions } = this.held(number)!.block
      for (const transaction of transactions) positions = positions.delete(transaction.hash)
      moments = moments.replace(number, hash)
    }
    if (moments === this.#moments) return this
    const logIndex = this.logIndex.prune(oldest)
    return new History(moments, this.#numbers, positions, logIndex, oldest, this.newest, this.origin)
  }
}

type Moments = PersistentVector<SealedBlock | Hash>

/** The moments, of which that of the block `number` forgets how it grew. */
function withoutSlices(moments: Moments, number: number): Moments {
  const moment = moments.get(number)
  if (moment === undefined || typeof moment === 'string') return moments
  if (!hasState(moment) || moment.lastSlice === undefined) return moments
  return moments.replace(number, { block: moment.block, state: moment.state })
}
