/** What a transaction pays for its place on L1, as since Fjord (specs.optimism.io `protocol/fjord/exec-engine.html`). */
import { fastLzLength } from './fastLz.ts'

/** L1's two prices, and how much each of them counts. */
export interface L1Prices {
  /** Wei per gas. */
  readonly baseFee: bigint
  /** Wei per blob gas. */
  readonly blobBaseFee: bigint
  /** In millionths, as the next. */
  readonly baseFeeScalar: bigint
  readonly blobBaseFeeScalar: bigint
}

/** What was charged for L1. */
export interface L1Charge {
  /** Wei. */
  readonly fee: bigint
  /** Gas that the transaction would take as calldata on L1. */
  readonly gasUsed: bigint
  readonly prices: L1Prices
}

/** What the signed bytes of a transaction are charged. */
export function l1Charge(raw: Uint8Array, prices: L1Prices): L1Charge {
  const size = estimatedSize(raw)
  return { fee: feeOf(size, prices), gasUsed: (size * CALLDATA_GAS) / MILLION, prices }
}

/** What a deposit is charged, which L1 has paid for: nothing. */
export function noL1Charge(raw: Uint8Array, prices: L1Prices): L1Charge {
  return { ...l1Charge(raw, prices), fee: 0n }
}

const MILLION = 1_000_000n
/** Gas of a byte of calldata that is not zero (EIP-2028). */
const CALLDATA_GAS = 16n
/** A line through the sizes that transactions of OP Mainnet had when they were compressed in batches. */
const INTERCEPT = -42_585_600n
const PER_FASTLZ_BYTE = 836_500n
const SMALLEST = 100n * MILLION

/** Bytes that the transaction will take in a compressed batch, in millionths. */
function estimatedSize(raw: Uint8Array): bigint {
  const size = INTERCEPT + PER_FASTLZ_BYTE * BigInt(fastLzLength(raw))
  return size > SMALLEST ? size : SMALLEST
}

function feeOf(size: bigint, { baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar }: L1Prices): bigint {
  const perByte = CALLDATA_GAS * baseFee * baseFeeScalar + blobBaseFee * blobBaseFeeScalar
  return (size * perByte) / (MILLION * MILLION)
}
