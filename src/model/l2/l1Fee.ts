/**
 * Fees that an L2 transaction pays besides gas: for its data on L1, and for the operator (specs.optimism.io
 * `protocol/bedrock/exec-engine.html`, changed by Ecotone, Fjord, Isthmus and Jovian; op-geth `rollup_cost.go`).
 */
import type { L2Upgrade } from './l2.ts'

/** The fee parameters in the contract L1Block: L1 prices, their weights, and the operator fee. */
export interface L1Prices {
  readonly baseFee: bigint
  readonly blobBaseFee: bigint
  /** The weights of the base fee and of the blob base fee, in millionths. */
  readonly baseFeeScalar: bigint
  readonly blobBaseFeeScalar: bigint
  /** Used before Ecotone, instead of both weights. `overhead` is added to the data's gas; `scalar` is in millionths. */
  readonly bedrock?: { readonly overhead: bigint; readonly scalar: bigint }
  /** The operator fee since Isthmus; absent if scalar and constant are both zero. */
  readonly operator?: { readonly scalar: bigint; readonly constant: bigint }
  /** The gas that a block counts for each byte of compressed transaction data; absent before Jovian. */
  readonly daFootprintGasScalar?: bigint
}

export interface L1Charge {
  readonly fee: bigint
  /** The gas that the transaction's data would cost as calldata on L1. */
  readonly gasUsed: bigint
  readonly prices: L1Prices
}

const MILLION = 1_000_000n
/** The gas of a zero byte and of a non-zero byte of calldata (EIP-2028). */
const ZERO_GAS = 4n
const CALLDATA_GAS = 16n

type Fee = (raw: Uint8Array, prices: L1Prices) => Pick<L1Charge, 'fee' | 'gasUsed'>

const FEES: Readonly<Record<L2Upgrade, Fee>> = {
  bedrock(raw, { baseFee, bedrock = { overhead: 0n, scalar: 0n } }) {
    const gasUsed = calldataGas(raw) + bedrock.overhead
    return { fee: (gasUsed * baseFee * bedrock.scalar) / MILLION, gasUsed }
  },
  ecotone(raw, prices) {
    const gasUsed = calldataGas(raw)
    return { fee: (gasUsed * perByte(prices)) / (CALLDATA_GAS * MILLION), gasUsed }
  },
  fjord: feeOfSize,
  isthmus: feeOfSize,
  jovian: feeOfSize,
}

export function l1Charge(upgrade: L2Upgrade, raw: Uint8Array, prices: L1Prices): L1Charge {
  return { ...FEES[upgrade](raw, prices), prices }
}

/** Returns the charge of a deposit. The fee is zero, because the deposit was paid for on L1. */
export function depositL1Charge(upgrade: L2Upgrade, raw: Uint8Array, prices: L1Prices): L1Charge {
  return { ...l1Charge(upgrade, raw, prices), fee: 0n }
}

export function operatorFee(upgrade: L2Upgrade, { operator }: L1Prices, gas: bigint): bigint {
  if (operator === undefined) return 0n
  const { scalar, constant } = operator
  return (upgrade === 'jovian' ? gas * scalar * 100n : (gas * scalar) / MILLION) + constant
}

/** Returns the data availability footprint of a transaction, in gas (since Jovian). */
export function daFootprint(raw: Uint8Array, daFootprintGasScalar: bigint): bigint {
  return (estimatedSize(raw) / MILLION) * daFootprintGasScalar
}

/** Returns the data availability footprint, computed from an L1 charge, in gas; `undefined` before Jovian. */
export function chargedDaFootprint({
  gasUsed,
  prices: { daFootprintGasScalar },
}: L1Charge): bigint | undefined {
  return daFootprintGasScalar && (gasUsed / CALLDATA_GAS) * daFootprintGasScalar
}

function calldataGas(raw: Uint8Array): bigint {
  let zeros = 0
  for (const byte of raw) if (byte === 0) zeros++
  return BigInt(zeros) * ZERO_GAS + BigInt(raw.length - zeros) * CALLDATA_GAS
}

/** Linear regression coefficients for the compressed size of a transaction, measured on OP Mainnet. */
const INTERCEPT = -42_585_600n
const PER_FASTLZ_BYTE = 836_500n
const SMALLEST = 100n * MILLION

/** Returns the estimated size of a transaction in a compressed batch, in millionths of a byte. */
function estimatedSize(raw: Uint8Array): bigint {
  const size = INTERCEPT + PER_FASTLZ_BYTE * BigInt(fastLzLength(raw))
  return size > SMALLEST ? size : SMALLEST
}

function feeOfSize(raw: Uint8Array, prices: L1Prices): Pick<L1Charge, 'fee' | 'gasUsed'> {
  const size = estimatedSize(raw)
  return { fee: (size * perByte(prices)) / (MILLION * MILLION), gasUsed: (size * CALLDATA_GAS) / MILLION }
}

/** Returns the weighted L1 price of one byte, in millionths of wei. */
function perByte({ baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar }: L1Prices): bigint {
  return CALLDATA_GAS * baseFee * baseFeeScalar + blobBaseFee * blobBaseFeeScalar
}

/** For each hash of three bytes, the last position of three bytes with this hash in the input. */
const TABLE = new Uint32Array(8_192)
/** The maximum distance between a match and the equal bytes before it. */
const REACH = 0x1fff
/** The number of bytes at the end of the input in which no match begins. */
const TAIL = 13

/** Returns the length after FastLZ compression (level 1), as op-geth's `FlzCompressLen` and solady's `LibZip` do. */
export function fastLzLength(bytes: Uint8Array): number {
  TABLE.fill(0)
  const limit = Math.max(0, bytes.length - TAIL)
  let length = 0
  /** `length` includes all bytes before this position. */
  let anchor = 0
  let at = 2
  while (at < limit) {
    const sequence = threeAt(bytes, at)
    const hash = hashOf(sequence)
    const candidate = TABLE[hash]!
    TABLE[hash] = at
    if (at - candidate > REACH || threeAt(bytes, candidate) !== sequence) {
      at++
      continue
    }
    // A match at the last position before the tail is ignored, as in op-geth and solady.
    if (at + 1 >= limit) break
    if (at > anchor) length += literalsLength(at - anchor)
    const matched = matchLength(bytes, candidate + 3, at + 3, limit + 9)
    length += copyLength(matched)
    at += matched
    TABLE[hashOf(threeAt(bytes, at))] = at
    TABLE[hashOf(threeAt(bytes, at + 1))] = at + 1
    at += 2
    anchor = at
  }
  return length + literalsLength(bytes.length - anchor)
}

function threeAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16)
}

function hashOf(sequence: number): number {
  return Math.imul(sequence, 2_654_435_769) >>> 19
}

/** Returns the number of equal bytes from both positions on, plus 1 for the first different byte. */
function matchLength(bytes: Uint8Array, from: number, at: number, end: number): number {
  let count = 0
  while (at + count < end) {
    const isSame = bytes[from + count] === bytes[at + count]
    count++
    if (!isSame) break
  }
  return count
}

/** Returns the encoded length of `count` literal bytes: each run of up to 32 bytes has one more byte for its length. */
function literalsLength(count: number): number {
  return count + Math.ceil(count / 32)
}

/** Returns the encoded length of a match: two bytes if it is short, otherwise three bytes for each 262 bytes. */
function copyLength(matched: number): number {
  const rest = matched - 1
  return 3 * Math.floor(rest / 262) + (rest % 262 >= 6 ? 3 : 2)
}
