/**
 * The fee that a transaction pays for its data on L1, since Fjord (specs.optimism.io
 * `protocol/fjord/exec-engine.html`).
 */
import { fastLzLength } from './fastLz.ts'

/** L1's two prices and their weights. */
export interface L1Prices {
  /** In wei per gas. */
  readonly baseFee: bigint
  /** In wei per blob gas. */
  readonly blobBaseFee: bigint
  /** The weight of the base fee in millionths; the next is that of the blob base fee. */
  readonly baseFeeScalar: bigint
  readonly blobBaseFeeScalar: bigint
}

/** The fee for data on L1. */
export interface L1Charge {
  /** In wei. */
  readonly fee: bigint
  /** The gas that the transaction would use as calldata on L1. */
  readonly gasUsed: bigint
  readonly prices: L1Prices
}

/** Returns the fee for the signed bytes of a transaction. */
export function l1Charge(raw: Uint8Array, prices: L1Prices): L1Charge {
  const size = estimatedSize(raw)
  return { fee: feeOf(size, prices), gasUsed: (size * CALLDATA_GAS) / MILLION, prices }
}

/** Returns the fee of a deposit: zero, because it is paid for on L1. */
export function noL1Charge(raw: Uint8Array, prices: L1Prices): L1Charge {
  return { ...l1Charge(raw, prices), fee: 0n }
}

const MILLION = 1_000_000n
/** The gas of a non-zero byte of calldata (EIP-2028). */
const CALLDATA_GAS = 16n
/** The coefficients of a linear regression over the compressed sizes of transactions on OP Mainnet. */
const INTERCEPT = -42_585_600n
const PER_FASTLZ_BYTE = 836_500n
const SMALLEST = 100n * MILLION

/** Returns the estimated size of the transaction in a compressed batch, in millionths of a byte. */
function estimatedSize(raw: Uint8Array): bigint {
  const size = INTERCEPT + PER_FASTLZ_BYTE * BigInt(fastLzLength(raw))
  return size > SMALLEST ? size : SMALLEST
}

function feeOf(size: bigint, { baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar }: L1Prices): bigint {
  const perByte = CALLDATA_GAS * baseFee * baseFeeScalar + blobBaseFee * blobBaseFeeScalar
  return (size * perByte) / (MILLION * MILLION)
}
