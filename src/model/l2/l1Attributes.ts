/**
 * What an L2 knows of L1: the deposit that tells it at the beginning of each block, and where a contract keeps it
 * (specs.optimism.io `protocol/isthmus/l1-attributes.html`).
 *
 * There is no L1 here. One is made up that always was: a block each twelve seconds since 1970, at prices that never change.
 */

import { fromHex, type Hash, toDigits, toWord } from '../bytes/hex.ts'
import { keccakHash } from '../crypto/keccak.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { sourceHashOf, toTransaction } from './deposit.ts'
import type { L1Prices } from './l1Fee.ts'
import { L1_BLOCK, L1_DEPOSITOR, L2_TERMS, type L2Chain } from './l2.ts'

/** The L1 block that an L2 block stands on. */
export interface L1Origin {
  readonly number: bigint
  /** Seconds. */
  readonly timestamp: bigint
  readonly hash: Hash
  /** How many L2 blocks stand on it before this one. */
  readonly sequenceNumber: bigint
}

const SECONDS_PER_L1_BLOCK = 12n

/** What the block at `timestamp` stands on, whose parent stood on `before`. */
export function nextOrigin(
  timestamp: bigint,
  before: Pick<L1Origin, 'number' | 'sequenceNumber'> | undefined,
): L1Origin {
  const number = timestamp / SECONDS_PER_L1_BLOCK
  return {
    number,
    timestamp: number * SECONDS_PER_L1_BLOCK,
    hash: keccakHash(toWord(number)),
    sequenceNumber: before?.number === number ? before.sequenceNumber + 1n : 0n,
  }
}

const BASE_FEE = 1_000_000_000n

/** L1's prices, as `chain` weighs them. Blobs cost a sixteenth of gas: while few are used, EIP-7918 keeps them there. */
export function l1Prices(chain: L2Chain): L1Prices {
  const { baseFeeScalar, blobBaseFeeScalar } = L2_TERMS[chain]
  return { baseFee: BASE_FEE, blobBaseFee: BASE_FEE / 16n, baseFeeScalar, blobBaseFeeScalar }
}

/** What begins a block of `chain` that stands on `origin`: it sets what `l1BlockStorage` says. */
export function l1AttributesDeposit(chain: L2Chain, origin: L1Origin): Transaction {
  return toTransaction({
    sourceHash: sourceHashOf('l1Attributes', origin.hash, origin.sequenceNumber),
    from: L1_DEPOSITOR,
    to: L1_BLOCK,
    mint: 0n,
    value: 0n,
    gasLimit: 1_000_000n,
    data: calldata(chain, origin),
  })
}

/** setL1BlockValuesIsthmus() */
const SELECTOR = '098999be'

/** Not ABI: the selector, and the values packed. The last two are the operator's fee, which is none. */
function calldata(chain: L2Chain, origin: L1Origin): Uint8Array {
  const prices = l1Prices(chain)
  const digits = [
    SELECTOR,
    bits(32, prices.baseFeeScalar),
    bits(32, prices.blobBaseFeeScalar),
    bits(64, origin.sequenceNumber),
    bits(64, origin.timestamp),
    bits(64, origin.number),
    bits(256, prices.baseFee),
    bits(256, prices.blobBaseFee),
    origin.hash.slice(2),
    bits(256, BigInt(L2_TERMS[chain].batcher)),
    bits(32, 0n),
    bits(64, 0n),
  ]
  return fromHex(`0x${digits.join('')}`)
}

function bits(width: number, value: bigint): string {
  return toDigits(toWord(value)).slice(-width / 4)
}

/** Where `L1_BLOCK` keeps what it was told. */
export const L1_BLOCK_SLOTS = {
  /** Number (64 bits), timestamp (64). */
  position: 0n,
  baseFee: 1n,
  hash: 2n,
  /** Sequence number (64 bits), blob base fee scalar (32), base fee scalar (32). */
  sequence: 3n,
  batcher: 4n,
  blobBaseFee: 7n,
} as const

/** The storage of `L1_BLOCK` in the state of a block of `chain` that stands on `origin`. */
export function l1BlockStorage(chain: L2Chain, origin: L1Origin): readonly (readonly [bigint, bigint])[] {
  const { baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar } = l1Prices(chain)
  return [
    [L1_BLOCK_SLOTS.position, origin.number | (origin.timestamp << 64n)],
    [L1_BLOCK_SLOTS.baseFee, baseFee],
    [L1_BLOCK_SLOTS.hash, BigInt(origin.hash)],
    [L1_BLOCK_SLOTS.sequence, origin.sequenceNumber | (blobBaseFeeScalar << 64n) | (baseFeeScalar << 96n)],
    [L1_BLOCK_SLOTS.batcher, BigInt(L2_TERMS[chain].batcher)],
    [L1_BLOCK_SLOTS.blobBaseFee, blobBaseFee],
  ]
}
