/** The context of a run in the module's memory: the block, and what the transaction has in common for all its frames. */
import type { Address, Hash } from '../../bytes/hex.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { BlockContext } from '../blockContext.ts'
import {
  BASE_FEE,
  BLOB_BASE_FEE,
  BLOB_COUNT,
  BLOB_HASHES,
  COINBASE,
  DIFFICULTY,
  GAS_LIMIT,
  GAS_PRICE,
  NUMBER,
  ORIGIN,
  TIMESTAMP,
} from './layout.ts'
import type { Memory } from './memory.ts'
import type { Exports } from './module.ts'

/** What of a run the context is. */
export interface ContextOfRun {
  readonly rules: Rules
  readonly context: BlockContext
  readonly origin: Address
  readonly gasPrice: bigint
  readonly blobVersionedHashes: readonly Hash[]
}

/** Writes what differs from the last run: most runs are in the same block. */
export class RunContext {
  readonly #exports: Exports
  readonly #memory: Memory
  #context: BlockContext | undefined
  #rules: Rules | undefined
  #origin: Address | undefined

  constructor(exports: Exports, memory: Memory) {
    this.#exports = exports
    this.#memory = memory
  }

  write({ rules, context, origin, gasPrice, blobVersionedHashes }: ContextOfRun): void {
    const last = rules === this.#rules ? this.#context : undefined
    if (context !== last) this.#writeBlock(context, last, rules)
    this.#context = context
    this.#rules = rules
    const memory = this.#memory
    if (origin !== this.#origin) memory.setDigits(ORIGIN, origin)
    this.#origin = origin
    memory.setWord(GAS_PRICE, gasPrice)
    this.#writeBlobHashes(blobVersionedHashes)
  }

  #writeBlock(context: BlockContext, last: BlockContext | undefined, rules: Rules): void {
    const memory = this.#memory
    if (context.coinbase !== last?.coinbase) memory.setDigits(COINBASE, context.coinbase)
    if (context.timestamp !== last?.timestamp) memory.setWord(TIMESTAMP, context.timestamp)
    if (context.number !== last?.number) memory.setWord(NUMBER, context.number)
    if (!rules.since('paris')) memory.setWord(DIFFICULTY, context.difficulty)
    else if (context.prevRandao !== last?.prevRandao) memory.setDigits(DIFFICULTY, context.prevRandao)
    if (context.gasLimit !== last?.gasLimit) memory.setWord(GAS_LIMIT, context.gasLimit)
    memory.setWord(BASE_FEE, context.baseFeePerGas ?? 0n)
    memory.setWord(BLOB_BASE_FEE, context.blobBaseFee ?? 0n)
  }

  #writeBlobHashes(hashes: readonly Hash[]): void {
    const memory = this.#memory
    memory.setU32(BLOB_COUNT, hashes.length)
    if (hashes.length === 0) return
    const place = this.#exports.allocate(hashes.length * 32)
    memory.setU32(BLOB_HASHES, place)
    for (const [i, hash] of hashes.entries()) memory.setDigits(place + 32 * i, hash)
  }

  /** Releases what was written for one run alone. */
  release(): void {
    const memory = this.#memory
    const blobs = memory.u32(BLOB_COUNT)
    if (blobs > 0) this.#exports.release(memory.u32(BLOB_HASHES), blobs * 32)
    memory.setU32(BLOB_COUNT, 0)
  }
}
