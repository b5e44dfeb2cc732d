/**
 * The attributes of L1 on an L2: the deposit at the beginning of each block, and the storage of the contract that it
 * sets (specs.optimism.io `protocol/isthmus/l1-attributes.html`).
 *
 * There is no real L1 here. The simulated one has a block every twelve seconds since 1970, at constant prices.
 */

import { fromHex, type Hash, toDigits, toWord } from '../bytes/hex.ts'
import { keccakHash } from '../crypto/keccak.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { sourceHashOf, toTransaction } from './deposit.ts'
import type { L1Prices } from './l1Fee.ts'
import { L1_BLOCK, L1_DEPOSITOR, L2_TERMS, type L2Chain } from './l2.ts'

/** The L1 block from which an L2 block derives, its L1 origin. */
export interface L1Origin {
  readonly number: bigint
  /** In seconds since 1970. */
  readonly timestamp: bigint
  readonly hash: Hash
  /** The number of earlier L2 blocks with the same origin. */
  readonly sequenceNumber: bigint
}

const SECONDS_PER_L1_BLOCK = 12n

/** Returns the L1 origin of the block at `timestamp`; `before` is that of its parent. */
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

/**
 * Returns L1's prices with the weights of `chain`. Blob gas costs a sixteenth of gas, the lower bound of EIP-7918 while
 * few blobs are used.
 */
export function l1Prices(chain: L2Chain): L1Prices {
  const { baseFeeScalar, blobBaseFeeScalar } = L2_TERMS[chain]
  return { baseFee: BASE_FEE, blobBaseFee: BASE_FEE / 16n, baseFeeScalar, blobBaseFeeScalar }
}

/**
 * Returns the first transaction of a block of `chain` with this L1 origin. It sets the storage that `l1BlockStorage`
 * returns.
 */
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

/** Returns whether `transaction` is the deposit of the L1 attributes, which each block of an L2 has. */
export function isL1Attributes({ deposit, from }: Pick<Transaction, 'deposit' | 'from'>): boolean {
  return deposit !== undefined && from === L1_DEPOSITOR
}

/** setL1BlockValuesIsthmus() */
const SELECTOR = '098999be'

/**
 * Returns the calldata: the selector and packed values, not ABI-encoded. The last two are the operator fee, which is
 * zero.
 */
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

/** The storage slots of `L1_BLOCK`. */
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

/** Returns the storage of `L1_BLOCK` in a block of `chain` with this L1 origin. */
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
