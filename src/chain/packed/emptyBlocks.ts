/**
 * Consecutive empty blocks in 44 bytes each: the hash, the timestamp and the base fee. The other fields of their headers
 * are those of the block before them, or follow from the number and from the seed of `prevRandao`.
 */

import { areEqual } from '../../bytes/bytes.ts'
import { fromHex, type Hash, hexOf } from '../../bytes/hex.ts'
import type { Block } from '../../model/block/block.ts'
import { type Header, prevRandao } from '../../model/block/header.ts'
import type { State } from '../../state/state.ts'
import { hasState, type Moment, type SealedBlock } from '../moment.ts'
import type { Totals } from '../totals.ts'
import { type PackedBlock, UnpackedBlock } from './packedBlock.ts'

const MAX_BLOCKS = 256
const HASH_BYTES = 32
const DELAY_AT = HASH_BYTES
const FEE_AT = DELAY_AT + 4
const RECORD_BYTES = FEE_AT + 8
const MAX_DELAY = 2n ** 32n - 1n
const MAX_FEE = 2n ** 64n - 1n

/** Fields that must be the same in all headers of a run, in addition to those that are byte arrays. */
const REPEATED = [
  'ommersHash',
  'coinbase',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'difficulty',
  'gasLimit',
  'gasUsed',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
] as const satisfies (keyof Header)[]

export class EmptyBlocks {
  readonly totals: Totals
  readonly state: State
  /** The empty block before the run, whose header the run repeats. */
  readonly #before: PackedBlock
  readonly #seed: Hash
  readonly #first: number
  readonly #start: bigint
  /** The newest block. `undefined` once the run is closed. */
  #newest: Block | undefined
  #length = 0
  #records = new Uint8Array(0)

  constructor({ block, state }: Moment, before: PackedBlock, totals: Totals, seed: Hash) {
    this.totals = totals
    this.state = state
    this.#before = before
    this.#seed = seed
    this.#first = Number(block.header.number) + 1
    this.#start = block.header.timestamp
    this.#newest = block
  }

  /** Adds a block if the run can hold it, and returns whether it does. If not, closes the run. */
  append(sealed: SealedBlock, totals: Totals): boolean {
    const isNext = hasState(sealed) && sealed.state === this.state && totals === this.totals
    if (!isNext || this.#length === MAX_BLOCKS || !this.#continuesWith(sealed.block)) {
      this.#newest = undefined
      this.#records = this.#records.slice(0, this.#length * RECORD_BYTES)
      return false
    }
    this.#write(sealed.block)
    this.#newest = sealed.block
    return true
  }

  hash(number: number): Hash {
    return hexOf(this.#records, this.#placeOf(number), HASH_BYTES)
  }

  block(number: number): Block {
    const at = this.#placeOf(number)
    const { hash, header, ommers, transactions, receipts, withdrawals } = new UnpackedBlock(this.#before)
    const records = new DataView(this.#records.buffer)
    return {
      header: {
        ...header,
        parentHash: at === 0 ? hash : this.hash(number - 1),
        number: BigInt(number),
        timestamp: this.#start + BigInt(records.getUint32(at + DELAY_AT)),
        prevRandao: prevRandao(this.#seed, BigInt(number)),
        baseFeePerGas: header.baseFeePerGas === undefined ? undefined : records.getBigUint64(at + FEE_AT),
      },
      hash: this.hash(number),
      ommers,
      transactions,
      receipts,
      withdrawals,
    }
  }

  #continuesWith(block: Block): boolean {
    const { header } = block
    const newest = this.#newest
    if (newest === undefined || header.parentHash !== newest.hash) return false
    const { logsBloom, extraData, nonce, baseFeePerGas } = newest.header
    return (
      hasNoContent(block) &&
      REPEATED.every((name) => header[name] === newest.header[name]) &&
      areEqual(header.logsBloom, logsBloom) &&
      areEqual(header.extraData, extraData) &&
      areEqual(header.nonce, nonce) &&
      header.timestamp >= this.#start &&
      header.timestamp - this.#start <= MAX_DELAY &&
      (header.baseFeePerGas === undefined) === (baseFeePerGas === undefined) &&
      (header.baseFeePerGas ?? 0n) <= MAX_FEE &&
      header.prevRandao === prevRandao(this.#seed, header.number)
    )
  }

  #write({ hash, header }: Block): void {
    const at = this.#length++ * RECORD_BYTES
    if (at === this.#records.length) {
      const grown = new Uint8Array(Math.max(at, RECORD_BYTES) * 2)
      grown.set(this.#records)
      this.#records = grown
    }
    this.#records.set(fromHex(hash), at)
    const records = new DataView(this.#records.buffer)
    records.setUint32(at + DELAY_AT, Number(header.timestamp - this.#start))
    records.setBigUint64(at + FEE_AT, header.baseFeePerGas ?? 0n)
  }

  #placeOf(number: number): number {
    return (number - this.#first) * RECORD_BYTES
  }
}

/** Returns whether a run can begin after a block. */
export function canPrecede(sealed: SealedBlock): sealed is Moment {
  return hasState(sealed) && hasNoContent(sealed.block)
}

function hasNoContent({ transactions, ommers, withdrawals = [] }: Block): boolean {
  return transactions.length === 0 && ommers.length === 0 && withdrawals.length === 0
}
