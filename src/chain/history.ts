/** All sealed blocks as an immutable value. Keeps hashes of pruned blocks, to distinguish them from unknown blocks. */

import type { Hash } from '../bytes/hex.ts'
import { type Block, transactionCount, transactionHashAt } from '../model/block/block.ts'
import { HashIndex } from '../model/collections/hashIndex.ts'
import { PersistentVector } from '../model/collections/persistentVector.ts'
import { LogIndex } from './logIndex.ts'
import { hasState, type Inclusion, type Missing, type Moment, type SealedBlock } from './moment.ts'
import { EmptyBlocks } from './packed/emptyBlocks.ts'
import { StoredBlock } from './packed/storedBlock.ts'
import { type Totals, totalsAfter } from './totals.ts'

export interface Retention {
  /** The number of sealed blocks to keep; `undefined` to keep all. */
  readonly historyBlocks: number | undefined
  /** The number of newest sealed blocks whose slices are kept. */
  readonly sliceBlocks: number
  /** The seed from which headers have their `prevRandao`, which packed empty blocks do not store. */
  readonly randaoSeed: Hash
}

/** The maximum number of blocks kept as objects. Older blocks, which are read less, are packed. */
const MAX_UNPACKED = 64
/** The maximum number of transactions and logs kept as objects. The newest block may exceed the limit. */
const MAX_UNPACKED_WEIGHT = 500

interface Unpacked {
  /** The index in `blocks` of the oldest block that is kept as objects. */
  readonly place: number
  readonly weight: number
}

interface Parts {
  /** The sealed blocks from the block `first` on. A pruned block is represented by its hash, for BLOCKHASH. */
  readonly blocks: StoredBlocks
  readonly numbers: HashIndex
  readonly positions: HashIndex
  readonly logIndex: LogIndex
  /** The number of the oldest block after the last pruned block. The first block is never pruned. */
  readonly oldest: number
  readonly newest: StoredBlock
  /** The first block with its initial state, without later changes by cheat methods. */
  readonly origin: SealedBlock
  readonly unpacked: Unpacked
  /** The totals up to the last pruned block (or the first block), which `count` subtracts from later totals. */
  readonly pruned: Totals
}

type Counted = Exclude<keyof Totals, 'isEmpty'>

export class History {
  readonly #parts: Parts
  readonly first: number
  readonly oldest: number
  readonly logIndex: LogIndex
  readonly origin: SealedBlock

  private constructor(parts: Parts) {
    this.#parts = parts
    this.first = Number(parts.origin.block.header.number)
    this.oldest = parts.oldest
    this.logIndex = parts.logIndex
    this.origin = parts.origin
  }

  static of(genesis: SealedBlock): History {
    const newest = new StoredBlock(genesis, totalsAfter(undefined, genesis.block))
    return new History({
      blocks: PersistentVector.empty<Stored>().append(newest),
      numbers: HashIndex.empty.add([[genesis.block.hash, { number: 0, index: 0 }]]),
      positions: HashIndex.empty,
      logIndex: LogIndex.empty.add(genesis.block),
      oldest: Number(genesis.block.header.number),
      newest,
      origin: genesis,
      unpacked: { place: 0, weight: newest.weight },
      pruned: newest.totals,
    })
  }

  /** Returns the history with `moment` added. Calls `pack` for each block that must be packed. */
  with(
    moment: SealedBlock,
    { historyBlocks, sliceBlocks }: Retention,
    pack: (stored: StoredBlock) => void,
  ): History {
    const { block } = moment
    const number = Number(block.header.number)
    const place = this.#placeOf(number)
    const { blocks, numbers, positions, newest, pruned } = this.#parts
    const stored = new StoredBlock(moment, totalsAfter(newest.totals, block))
    // The parts are not spread, because a spread would take a microsecond for each block.
    const next = new History({
      blocks: withRun(
        withoutSlices(blocks, place - sliceBlocks),
        place - Math.max(sliceBlocks, MAX_UNPACKED) - 1,
      ).append(stored),
      numbers: numbers.add([[block.hash, { number: place, index: 0 }]]),
      positions: positions.add(
        block.transactions.map(({ hash }, index) => [hash, { number: place, index }] as const),
        this.#placeOf(this.oldest),
      ),
      logIndex: this.logIndex.add(block).packed(),
      oldest: this.oldest,
      newest: stored,
      origin: this.origin,
      unpacked: this.#packed(place, stored.weight, pack),
      pruned,
    })
    return historyBlocks === undefined ? next : next.prunedTo(number - historyBlocks + 1)
  }

  /** Returns the history with the newest moment replaced by `moment`: the same block with a different state. */
  withLatest(moment: Moment): History {
    const { blocks, newest: replaced } = this.#parts
    const newest = new StoredBlock(moment, replaced.totals)
    return new History({ ...this.#parts, blocks: blocks.replace(blocks.length - 1, newest), newest })
  }

  /** Returns the history with a pruned block added. All earlier blocks except the first must be pruned, too. */
  withPruned(hash: Hash): History {
    const number = this.end
    const { blocks, numbers } = this.#parts
    return new History({
      ...this.#parts,
      blocks: blocks.append(hash),
      numbers: numbers.add([[hash, { number: this.#placeOf(number), index: 0 }]]),
      oldest: number + 1,
    })
  }

  get newest(): SealedBlock {
    return this.#parts.newest.kept
  }

  /** The newest sealed moment. Throws while a history is rebuilt from a file and the state is unknown. */
  get latest(): Moment {
    const { newest } = this
    if (!hasState(newest)) throw new Error('the state after the newest block is unknown')
    return newest
  }

  get end(): number {
    return this.first + this.#parts.blocks.length
  }

  get genesis(): SealedBlock {
    return this.keptBlock(this.first)!
  }

  /** Returns the moment of a sealed block, or the reason why the moment is missing. The first block is always kept. */
  atNumber(number: bigint): Moment | Missing {
    const latest = this.newest.block.header.number
    if (number < this.first || number > latest) return { kind: 'unknownNumber', number }
    const moment = this.keptBlock(Number(number))
    if (moment === undefined) return { kind: 'prunedHistory', number, oldest: BigInt(this.oldest) }
    return moment
  }

  atHash(hash: Hash): Moment | Missing {
    const place = this.#parts.numbers.find(hash, ({ number }) => this.#hashAt(number) === hash)
    return place === undefined
      ? { kind: 'unknownHash', hash }
      : this.atNumber(BigInt(this.first + place.number))
  }

  find(hash: Hash): Inclusion | undefined {
    const place = this.#parts.positions.find(hash, ({ number, index }) => {
      const stored = this.#parts.blocks.get(number)
      return stored instanceof StoredBlock && stored.hasTransaction(hash, index)
    })
    return place && { block: this.block(this.first + place.number)!, index: place.index }
  }

  block(number: number): Block | undefined {
    const stored = this.#parts.blocks.get(this.#placeOf(number))
    if (stored instanceof EmptyBlocks) return stored.block(number)
    return stored instanceof StoredBlock ? stored.block : undefined
  }

  /** Returns the hash of the block with this number, even if the block is pruned. */
  hash(number: number): Hash | undefined {
    return this.#hashAt(this.#placeOf(number))
  }

  /** Returns the block with this number, with its state if known; `undefined` if the block is pruned or unknown. */
  keptBlock(number: number): SealedBlock | undefined {
    const stored = this.#parts.blocks.get(this.#placeOf(number))
    if (stored instanceof EmptyBlocks) return { block: stored.block(number), state: stored.state }
    return stored instanceof StoredBlock ? stored.sealed : undefined
  }

  totals(number: number): Totals | undefined {
    const stored = this.#parts.blocks.get(this.#placeOf(number))
    return typeof stored === 'object' ? stored.totals : undefined
  }

  /** The number of the oldest block, apart from the first, that is not pruned. */
  get lowest(): number {
    return Math.max(this.first + 1, this.oldest)
  }

  /** Returns the number of transactions, or of failed transactions, in the kept blocks before the block `end`. */
  count(of: Exclude<Counted, 'groups'>, end: number): number {
    if (end <= this.lowest) return end > this.first ? this.totals(this.first)![of] : 0
    return this.totals(end - 1)![of] - this.#parts.pruned[of] + this.totals(this.first)![of]
  }

  /** Returns the number of the block with transaction number `least` (from 1) among those that `count` counts. */
  blockWith(of: Exclude<Counted, 'groups'>, least: number): number {
    const first = this.totals(this.first)![of]
    return least <= first ? this.first : this.#oldestWith(of, least - first + this.#parts.pruned[of])
  }

  /** Returns the index of a block's group (see `Totals`) among those of kept blocks. The first block has index 0. */
  groupOf(number: number): number {
    if (number < this.lowest) return 0
    return this.totals(number)!.groups - this.totals(this.lowest)!.groups + 1
  }

  group(index: number): { readonly oldest: number; readonly newest: number } {
    if (index === 0) return { oldest: this.first, newest: this.first }
    const groups = this.totals(this.lowest)!.groups + index - 1
    return { oldest: this.#oldestWith('groups', groups), newest: this.#oldestWith('groups', groups + 1) - 1 }
  }

  /** Returns the number of the first block from `lowest` on whose total is at least `least`, or `end`. */
  #oldestWith(of: Counted, least: number): number {
    let low = this.lowest
    let high = this.end
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.totals(middle)![of] < least) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Yields the blocks and transactions whose hash begins with `start`. May yield a block or transaction twice. */
  *startingWith(start: Hash): Generator<{ readonly hash: Hash } & (Inclusion | { readonly number: number })> {
    const { numbers, positions } = this.#parts
    for (const { number: place } of numbers.startingWith(start)) {
      const hash = this.#hashAt(place)
      if (hash?.startsWith(start)) yield { hash, number: this.first + place }
    }
    for (const { number: place, index } of positions.startingWith(start)) {
      const block = this.block(this.first + place)
      if (block === undefined || index >= transactionCount(block)) continue
      const hash = transactionHashAt(block, index)
      if (hash.startsWith(start)) yield { hash, block, index }
    }
  }

  /** Packs the oldest unpacked blocks, to make room for a block at `place` with `added` transactions and logs. */
  #packed(place: number, added: number, pack: (stored: StoredBlock) => void): Unpacked {
    let { place: first, weight } = this.#parts.unpacked
    for (
      ;
      first < place && (place - first >= MAX_UNPACKED || weight + added > MAX_UNPACKED_WEIGHT);
      first++
    ) {
      const stored = this.#parts.blocks.get(first)
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
    const stored = this.#parts.blocks.get(place)
    if (stored instanceof EmptyBlocks) return stored.hash(this.first + place)
    return stored instanceof StoredBlock ? stored.hash : stored
  }

  /** Returns the newest `count` moments, oldest first. Throws if one of their states is unknown. */
  newestMoments(count: number): readonly Moment[] {
    return Array.from({ length: count }, (_, i) => {
      const sealed = this.keptBlock(this.end - count + i)
      if (sealed === undefined || !hasState(sealed)) throw new Error('the state after a block is unknown')
      return sealed
    })
  }

  /** Returns the history without its newest `count` blocks. At least one block that is not pruned must remain. */
  without(count: number): History {
    const length = this.#parts.blocks.length - count
    const blocks = this.#parts.blocks.take(length)
    // The indexes still contain removed blocks, so look-ups compare the hash of the block at each place.
    const place = Math.min(this.#parts.unpacked.place, length - 1)
    let weight = 0
    for (let at = place; at < length; at++) {
      const stored = blocks.get(at)
      if (stored instanceof StoredBlock) weight += stored.weight
    }
    const last = blocks.last()!
    const number = this.first + length - 1
    return new History({
      ...this.#parts,
      blocks,
      logIndex: this.logIndex.before(this.first + length),
      newest:
        last instanceof StoredBlock ? last : new StoredBlock(this.keptBlock(number)!, this.totals(number)!),
      unpacked: { place, weight },
    })
  }

  /** Returns the history with the blocks before `oldest` pruned, except the first block. */
  prunedTo(oldest: number): History {
    let { blocks, pruned } = this.#parts
    for (let number = Math.max(this.first + 1, this.oldest); number < oldest; number++) {
      pruned = this.totals(number) ?? pruned
      blocks = blocks.replace(this.#placeOf(number), this.hash(number)!)
    }
    const { numbers, positions, newest, origin, unpacked } = this.#parts
    if (blocks === this.#parts.blocks) return this
    const logIndex = this.logIndex.prune(oldest)
    return new History({ blocks, numbers, positions, logIndex, oldest, newest, origin, unpacked, pruned })
  }
}

/** A block, the run of empty blocks that has the block, or the hash of a pruned block. */
type Stored = StoredBlock | EmptyBlocks | Hash
type StoredBlocks = PersistentVector<Stored>

/** Replaces the block at `place` by its run, if it is in a run, so that the block takes no memory of its own. */
function withRun(blocks: StoredBlocks, place: number): StoredBlocks {
  const stored = blocks.get(place)
  const run = stored instanceof StoredBlock ? stored.run : undefined
  return run === undefined ? blocks : blocks.replace(place, run)
}

function withoutSlices(blocks: StoredBlocks, place: number): StoredBlocks {
  const stored = blocks.get(place)
  if (!(stored instanceof StoredBlock)) return blocks
  const without = stored.withoutSlices()
  return without === stored ? blocks : blocks.replace(place, without)
}
