/**
 * The fees that a transaction of an L2 pays beside its gas: for its data on L1, and to the operator (specs.optimism.io
 * `protocol/bedrock/exec-engine.html`, and the same of Ecotone, Fjord, Isthmus and Jovian; op-geth `rollup_cost.go`).
 */
import { fastLzLength } from './fastLz.ts'
import type { L2Upgrade } from './l2.ts'

/** What L1Block says of L1: its two prices, their weights, and the operator fee. */
export interface L1Prices {
  /** In wei per gas. */
  readonly baseFee: bigint
  /** In wei per blob gas. */
  readonly blobBaseFee: bigint
  /** The weight of the base fee in millionths; the next is that of the blob base fee. */
  readonly baseFeeScalar: bigint
  readonly blobBaseFeeScalar: bigint
  /** Before Ecotone, in the place of the two weights: gas added to that of the data, and a weight in millionths. */
  readonly bedrock?: { readonly overhead: bigint; readonly scalar: bigint }
  /** Since Isthmus; absent if both are zero. */
  readonly operator?: { readonly scalar: bigint; readonly constant: bigint }
  /** Since Jovian: the gas of a byte in the data of a block. */
  readonly daFootprintGasScalar?: bigint
}

/** The fee for data on L1. */
export interface L1Charge {
  /** In wei. */
  readonly fee: bigint
  /** The gas that the transaction would use as calldata on L1. */
  readonly gasUsed: bigint
  readonly prices: L1Prices
}

const MILLION = 1_000_000n
/** The gas of a zero and of another byte of calldata (EIP-2028). */
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

/** Returns the fee for the signed bytes of a transaction. */
export function l1Charge(upgrade: L2Upgrade, raw: Uint8Array, prices: L1Prices): L1Charge {
  return { ...FEES[upgrade](raw, prices), prices }
}

/** Returns the fee of a deposit: zero, because it is paid for on L1. */
export function noL1Charge(upgrade: L2Upgrade, raw: Uint8Array, prices: L1Prices): L1Charge {
  return { ...l1Charge(upgrade, raw, prices), fee: 0n }
}

/** Returns what a transaction pays to the operator for `gas`, in wei. */
export function operatorFee(upgrade: L2Upgrade, { operator }: L1Prices, gas: bigint): bigint {
  if (operator === undefined) return 0n
  const { scalar, constant } = operator
  return (upgrade === 'jovian' ? gas * scalar * 100n : (gas * scalar) / MILLION) + constant
}

/** Returns the share of a transaction in the limit of data of its block, in gas (since Jovian). */
export function daFootprint(raw: Uint8Array, daFootprintGasScalar: bigint): bigint {
  return (estimatedSize(raw) / MILLION) * daFootprintGasScalar
}

/** Returns the same of a transaction that was charged: the gas of its data has its size in it. `undefined` before Jovian. */
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

/** The coefficients of a linear regression over the compressed sizes of transactions on OP Mainnet. */
const INTERCEPT = -42_585_600n
const PER_FASTLZ_BYTE = 836_500n
const SMALLEST = 100n * MILLION

/** Returns the estimated size of the transaction in a compressed batch, in millionths of a byte. */
function estimatedSize(raw: Uint8Array): bigint {
  const size = INTERCEPT + PER_FASTLZ_BYTE * BigInt(fastLzLength(raw))
  return size > SMALLEST ? size : SMALLEST
}

function feeOfSize(raw: Uint8Array, prices: L1Prices): Pick<L1Charge, 'fee' | 'gasUsed'> {
  const size = estimatedSize(raw)
  return { fee: (size * perByte(prices)) / (MILLION * MILLION), gasUsed: (size * CALLDATA_GAS) / MILLION }
}

/** Returns the weighted price of a byte, in millionths of wei. */
function perByte({ baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar }: L1Prices): bigint {
  return CALLDATA_GAS * baseFee * baseFeeScalar + blobBaseFee * blobBaseFeeScalar
}
