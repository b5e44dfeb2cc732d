/**
 * A sealed block as a history holds it: as the objects that it was published as while it is new, later as bytes.
 *
 * Packing changes neither a block nor a moment that somebody has: readers that ask again get an equal block. All
 * histories that share the block share its bytes.
 */

import type { SharedMemory } from '../../bytes/bytes.ts'
import type { Hash } from '../../bytes/hex.ts'
import type { Block } from '../../model/block/block.ts'
import type { State } from '../../state/state.ts'
import { hasState, type Moment, type SealedBlock, type SliceMoment } from '../moment.ts'
import { hashIn, type PackedBlock, packBlock, UnpackedBlock } from './packedBlock.ts'

/** A slice as bytes, and the state after it. */
interface PackedSlice {
  readonly packed: PackedBlock
  readonly state: State
  readonly slices: number
  readonly previous: PackedSlice | undefined
}

/**
 * The limits of packed blocks whose decoded parts are kept, and of the transactions and logs in them: as objects these
 * take two kilobytes at most, so that all take less than four megabytes in a process. Data are not copied.
 */
const MOST_REMEMBERED = 64
const MOST_REMEMBERED_WEIGHT = 2_000

/** A packed block that was read, with what was decoded of it. Apart from its chain, which it must not hold. */
interface Read {
  block: UnpackedBlock | undefined
  readonly weight: number
}

/** These blocks, of all chains: a ring, in which the oldest is at `oldest`. */
const remembered: (Read | undefined)[] = new Array(MOST_REMEMBERED).fill(undefined)
let oldest = 0
let rememberedWeight = 0

/** Keeps what is decoded of a block; others are forgotten for it. */
function remember(read: Read): void {
  forgetOldest()
  remembered[(oldest + MOST_REMEMBERED - 1) % MOST_REMEMBERED] = read
  rememberedWeight += read.weight
  for (let i = 0; i < MOST_REMEMBERED && rememberedWeight > MOST_REMEMBERED_WEIGHT; i++) forgetOldest()
}

function forgetOldest(): void {
  const read = remembered[oldest]
  remembered[oldest] = undefined
  oldest = (oldest + 1) % MOST_REMEMBERED
  if (read === undefined) return
  read.block = undefined
  rememberedWeight -= read.weight
}

export class StoredBlock {
  /** Absent once it is packed. */
  #sealed: SealedBlock | undefined
  #packed: PackedBlock | undefined
  /** The packed block as it was last read. */
  #read: Read | undefined
  readonly #state: State | undefined
  #lastSlice: PackedSlice | undefined
  /** The number of transactions and logs: what the block takes as objects grows with it. */
  readonly weight: number

  /** `sealed`: a block, or one that is packed, whose slices are left out. */
  constructor(sealed: SealedBlock | StoredBlock) {
    if (sealed instanceof StoredBlock) {
      this.#packed = sealed.#packed
      this.#state = sealed.#state
      this.weight = sealed.weight
      return
    }
    this.#sealed = sealed
    this.#state = hasState(sealed) ? sealed.state : undefined
    const last = sealed.block.receipts.at(-1)
    this.weight =
      last === undefined ? 0 : sealed.block.receipts.length + last.firstLogIndex + last.logs.length
  }

  /** Returns the block with its state, if known. */
  get sealed(): SealedBlock {
    if (this.#sealed !== undefined) return this.#sealed
    const block = this.#unpacked()
    const state = this.#state
    if (state === undefined) return { kind: 'unknownState', block }
    return this.#lastSlice === undefined ? { block, state } : new SlicedMoment(block, state, this.#lastSlice)
  }

  /** Returns the block without its state and its slices. */
  get block(): Block {
    return this.#sealed === undefined ? this.#unpacked() : this.#sealed.block
  }

  /** Returns the packed block, with what was decoded of it lately. */
  #unpacked(): UnpackedBlock {
    const known = this.#read?.block
    if (known !== undefined) return known
    const block = new UnpackedBlock(this.#packed!)
    this.#read = { block, weight: this.weight }
    remember(this.#read)
    return block
  }

  get hash(): Hash {
    return this.#packed === undefined ? this.#sealed!.block.hash : hashIn(this.#packed)
  }

  /** Returns whether the block has the transaction with this hash at this index. */
  hasTransaction(hash: Hash, index: number): boolean {
    if (this.#packed !== undefined)
      return index < this.#packed.length && this.#unpacked().transactionHashAt(index) === hash
    return this.#sealed!.block.transactions[index]?.hash === hash
  }

  /** Returns the block as `sealed` does, and from now on the same object each time, until it is packed again. */
  get kept(): SealedBlock {
    this.#sealed ??= this.sealed
    return this.#sealed
  }

  /** Replaces the block's objects by bytes in `memory`, if that has not been done. */
  pack(memory: SharedMemory): void {
    const sealed = this.#sealed
    this.#sealed = undefined
    if (sealed === undefined || this.#packed !== undefined) return
    this.#packed = packBlock(sealed.block, memory)
    if (hasState(sealed) && sealed.lastSlice !== undefined) {
      this.#lastSlice = packSlice(sealed.lastSlice, sealed, this.#packed, memory)
    }
  }

  /** Returns the same block without its slices. */
  withoutSlices(): StoredBlock {
    const sealed = this.#sealed
    if (sealed !== undefined && this.#packed === undefined) {
      if (!hasState(sealed) || sealed.lastSlice === undefined) return this
      return new StoredBlock({ block: sealed.block, state: sealed.state })
    }
    if (this.#lastSlice === undefined) return this
    return new StoredBlock(this)
  }
}

/** A moment whose slices are unpacked when they are asked for. */
class SlicedMoment implements Moment {
  readonly block: Block
  readonly state: State
  readonly #lastSlice: PackedSlice

  constructor(block: Block, state: State, lastSlice: PackedSlice) {
    this.block = block
    this.state = state
    this.#lastSlice = lastSlice
  }

  get lastSlice(): SliceMoment {
    return unpackedSlice(this.#lastSlice)
  }
}

function packSlice(
  { block, state, slices, previous }: SliceMoment,
  sealed: Moment,
  whole: PackedBlock,
  memory: SharedMemory,
): PackedSlice {
  const packed = packBlock(block, memory, beginsWith(sealed.block, block) ? whole.body : undefined)
  return { packed, state, slices, previous: previous && packSlice(previous, sealed, whole, memory) }
}

/** Returns whether the transactions of `slice` are the first of `block`, with the same receipts. */
function beginsWith(block: Block, slice: Block): boolean {
  const last = slice.transactions.length - 1
  return (
    last < 0 ||
    (block.transactions[last] === slice.transactions[last] &&
      slice.transactions.every((transaction, i) => transaction === block.transactions[i]) &&
      slice.receipts.every((receipt, i) => receipt === block.receipts[i]))
  )
}

function unpackedSlice({ packed, state, slices, previous }: PackedSlice): SliceMoment {
  return {
    block: new UnpackedBlock(packed),
    state,
    slices,
    previous: previous && unpackedSlice(previous),
  }
}
