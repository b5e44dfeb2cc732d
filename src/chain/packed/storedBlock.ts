/** A sealed block of a history: as objects until `pack`, then as bytes. Versions of the history share stored blocks. */

import { type ArenaBytes, ByteArena } from '../../bytes/bytes.ts'
import type { Hash } from '../../bytes/hex.ts'
import { type Block, transactionCount, transactionHashAt } from '../../model/block/block.ts'
import type { State } from '../../state/state.ts'
import { hasState, type Moment, type SealedBlock, type SliceMoment } from '../moment.ts'
import type { Totals } from '../totals.ts'
import { canPrecede, EmptyBlocks } from './emptyBlocks.ts'
import { hashIn, type PackedBlock, packBlock, UnpackedBlock } from './packedBlock.ts'

/** The memory into which a chain packs its blocks. It is freed with the chain. */
export class Packing {
  readonly blocks = new ByteArena()
  /** Slices are dropped before blocks, and so have memory of their own. */
  readonly slices = new ByteArena()
  /** The seed of `prevRandao` in the headers of the chain. */
  readonly seed: Hash
  /** The run that the next block may continue. */
  run: EmptyBlocks | undefined

  constructor(seed: Hash) {
    this.seed = seed
  }
}

interface PlaceInRun {
  readonly run: EmptyBlocks
  readonly number: number
}

interface PackedSlice {
  readonly packed: PackedBlock
  readonly state: State
  readonly slices: number
  readonly previous: PackedSlice | undefined
}

/** Maximum numbers of cached blocks, and of their transactions and logs: together less than four megabytes. */
const MAX_CACHED = 64
const MAX_CACHED_WEIGHT = 2_000

/** A packed block with decoded parts. Does not refer to its chain, so that the cache does not keep the chain. */
interface Cached {
  block: Block | undefined
  readonly weight: number
}

/** The most recently unpacked blocks of all chains, as a ring buffer. The oldest entry is at the index `oldest`. */
const cache: (Cached | undefined)[] = new Array(MAX_CACHED).fill(undefined)
let oldest = 0
let cachedWeight = 0

function addToCache(read: Cached): void {
  dropOldest()
  cache[(oldest + MAX_CACHED - 1) % MAX_CACHED] = read
  cachedWeight += read.weight
  for (let i = 0; i < MAX_CACHED && cachedWeight > MAX_CACHED_WEIGHT; i++) dropOldest()
}

function dropOldest(): void {
  const read = cache[oldest]
  cache[oldest] = undefined
  oldest = (oldest + 1) % MAX_CACHED
  if (read === undefined) return
  read.block = undefined
  cachedWeight -= read.weight
}

export class StoredBlock {
  /** The block as objects; `undefined` after the block was packed. */
  #sealed: SealedBlock | undefined
  #packed: PackedBlock | PlaceInRun | undefined
  #cached: Cached | undefined
  readonly #state: State | undefined
  #lastSlice: PackedSlice | undefined
  /** The number of transactions and logs in the block: a measure of the memory that its objects take. */
  readonly weight: number
  readonly totals: Totals

  /** Stores a block. If `sealed` is a packed `StoredBlock`, copies it without its slices. */
  constructor(sealed: SealedBlock | StoredBlock, totals: Totals) {
    this.totals = totals
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

  get sealed(): SealedBlock {
    if (this.#sealed !== undefined) return this.#sealed
    const block = this.#unpacked()
    const state = this.#state
    if (state === undefined) return { kind: 'unknownState', block }
    return this.#lastSlice === undefined ? { block, state } : new SlicedMoment(block, state, this.#lastSlice)
  }

  get block(): Block {
    return this.#sealed === undefined ? this.#unpacked() : this.#sealed.block
  }

  #unpacked(): Block {
    const known = this.#cached?.block
    if (known !== undefined) return known
    const packed = this.#packed!
    const block = isInRun(packed) ? packed.run.block(packed.number) : new UnpackedBlock(packed)
    this.#cached = { block, weight: this.weight }
    addToCache(this.#cached)
    return block
  }

  get hash(): Hash {
    const packed = this.#packed
    if (packed === undefined) return this.#sealed!.block.hash
    return isInRun(packed) ? packed.run.hash(packed.number) : hashIn(packed)
  }

  hasTransaction(hash: Hash, index: number): boolean {
    const { block } = this
    return index < transactionCount(block) && transactionHashAt(block, index) === hash
  }

  get kept(): SealedBlock {
    this.#sealed ??= this.sealed
    return this.#sealed
  }

  pack(packing: Packing): void {
    const sealed = this.#sealed
    this.#sealed = undefined
    if (sealed === undefined || this.#packed !== undefined) return
    const { blocks, slices, seed, run } = packing
    let body: ArenaBytes | undefined
    if (run?.append(sealed, this.totals)) {
      this.#packed = { run, number: Number(sealed.block.header.number) }
    } else {
      const packed = packBlock(sealed.block, blocks)
      body = packed.body
      this.#packed = packed
      packing.run = canPrecede(sealed) ? new EmptyBlocks(sealed, packed, this.totals, seed) : undefined
    }
    if (hasState(sealed) && sealed.lastSlice !== undefined) {
      this.#lastSlice = packSlice(sealed.lastSlice, sealed, body, slices)
    }
  }

  /** The run of empty blocks that has the block; `undefined` if it has slices, or is not in a run. */
  get run(): EmptyBlocks | undefined {
    const packed = this.#packed
    return packed !== undefined && isInRun(packed) && this.#lastSlice === undefined ? packed.run : undefined
  }

  withoutSlices(): StoredBlock {
    const sealed = this.#sealed
    if (sealed !== undefined && this.#packed === undefined) {
      if (!hasState(sealed) || sealed.lastSlice === undefined) return this
      return new StoredBlock({ block: sealed.block, state: sealed.state }, this.totals)
    }
    if (this.#lastSlice === undefined) return this
    return new StoredBlock(this, this.totals)
  }
}

function isInRun(packed: PackedBlock | PlaceInRun): packed is PlaceInRun {
  return 'run' in packed
}

/** A moment that unpacks its slices when they are read. */
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
  body: ArenaBytes | undefined,
  memory: ByteArena,
): PackedSlice {
  const packed = packBlock(block, memory, beginsWith(sealed.block, block) ? body : undefined)
  return { packed, state, slices, previous: previous && packSlice(previous, sealed, body, memory) }
}

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
