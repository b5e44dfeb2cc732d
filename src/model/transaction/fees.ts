/** The arithmetic of base fee, gas limit and blob gas. */

import type { Header } from '../block/header.ts'
import type { Rules } from '../hardfork/hardfork.ts'
import { type FeeParameters, feeParametersOf } from '../l2/l1Attributes.ts'

const ELASTICITY_MULTIPLIER = 2n
const BASE_FEE_MAX_CHANGE_DENOMINATOR = 8n

/** The parameters of a header that has none of its own. */
function ethereumParameters({ gasUsed }: Header): FeeParameters {
  return {
    elasticity: ELASTICITY_MULTIPLIER,
    denominator: BASE_FEE_MAX_CHANGE_DENOMINATOR,
    floor: 0n,
    gasUsed,
  }
}

/** The base fee of the first block that has one, in wei per gas. */
export const INITIAL_BASE_FEE = 1_000_000_000n

/**
 * Returns the base fee of the block after `parent`, in wei per gas (EIP-1559); `undefined` before London. `rules` are
 * those of the new block. An L2 may have parameters of its own in the header.
 */
export function nextBaseFee(rules: Rules, parent: Header): bigint | undefined {
  if (!rules.has(1559)) return undefined
  const { baseFeePerGas, gasLimit } = parent
  if (baseFeePerGas === undefined) return INITIAL_BASE_FEE
  const ofL2 = rules.l2 === undefined ? undefined : feeParametersOf(rules, parent)
  const { floor, ...parameters } = ofL2 ?? ethereumParameters(parent)
  const next = changedBaseFee(baseFeePerGas, gasLimit, parameters)
  return next < floor ? floor : next
}

function changedBaseFee(
  baseFeePerGas: bigint,
  gasLimit: bigint,
  { elasticity, denominator, gasUsed }: Omit<FeeParameters, 'floor'>,
): bigint {
  const target = gasLimit / elasticity
  if (gasUsed === target || target === 0n) return baseFeePerGas
  if (gasUsed > target) {
    const delta = (baseFeePerGas * (gasUsed - target)) / target / denominator
    return baseFeePerGas + (delta > 1n ? delta : 1n)
  }
  return baseFeePerGas - (baseFeePerGas * (target - gasUsed)) / target / denominator
}

/**
 * Returns the default gas limit of the block after `parent`. It doubles in the first block with a base fee, so that the
 * gas target equals the previous limit (EIP-1559). `rules` are those of the new block.
 */
export function nextGasLimit(rules: Rules, { gasLimit, baseFeePerGas }: Header): bigint {
  return rules.has(1559) && baseFeePerGas === undefined ? gasLimit * ELASTICITY_MULTIPLIER : gasLimit
}

/** The gas used by one blob (EIP-4844). */
export const GAS_PER_BLOB = 131_072n
/** The execution gas that bounds the cost of a blob from below (EIP-7918). */
const BLOB_BASE_COST = 8_192n
const MIN_BASE_FEE_PER_BLOB_GAS = 1n

/** Returns the price of blob gas in wei (EIP-4844); `undefined` before Cancun. */
export function blobBaseFee(rules: Rules, excessBlobGas: bigint | undefined): bigint | undefined {
  if (excessBlobGas === undefined || rules.blobs === undefined) return undefined
  return fakeExponential(MIN_BASE_FEE_PER_BLOB_GAS, excessBlobGas, rules.blobs.baseFeeUpdateFraction)
}

/**
 * Returns the excess blob gas of the block after `parent`; `undefined` before Cancun. `rules` are those of the new
 * block. On an L2 it is zero: there are no blobs, and since Jovian `blobGasUsed` is something else.
 */
export function nextExcessBlobGas(rules: Rules, parent: Header): bigint | undefined {
  if (rules.blobs === undefined) return undefined
  if (rules.l2 !== undefined) return 0n
  const { excessBlobGas = 0n, blobGasUsed = 0n, baseFeePerGas = 0n } = parent
  const { max, target } = rules.blobs
  const targetGas = BigInt(target) * GAS_PER_BLOB
  const excess = excessBlobGas + blobGasUsed
  if (excess < targetGas) return 0n
  // EIP-7918: the price of blobs does not fall while they are cheaper than the execution gas that bounds them.
  const isCheap =
    rules.has(7918) && BLOB_BASE_COST * baseFeePerGas > GAS_PER_BLOB * blobBaseFee(rules, excessBlobGas)!
  // If no blobs are allowed, none were used.
  if (!isCheap || max === 0) return excess - targetGas
  return excessBlobGas + (blobGasUsed * BigInt(max - target)) / BigInt(max)
}

/** The base fee in wei per gas, and the price in wei per blob gas, of a block: `undefined` before London and Cancun. */
export interface BlockFees {
  readonly baseFeePerGas: bigint | undefined
  readonly blobBaseFee: bigint | undefined
}

/** Returns the fees of the block with this header, under its `rules`. */
export function feesOf(rules: Rules, { baseFeePerGas, excessBlobGas }: Header): BlockFees {
  return { baseFeePerGas, blobBaseFee: blobBaseFee(rules, excessBlobGas) }
}

/** Returns the fees of the block after `parent`, under the `rules` of the new block. */
export function feesAfter(rules: Rules, parent: Header): BlockFees {
  return {
    baseFeePerGas: nextBaseFee(rules, parent),
    blobBaseFee: blobBaseFee(rules, nextExcessBlobGas(rules, parent)),
  }
}

/** Returns the blob gas that a transaction uses. */
export function blobGasOf({
  blobVersionedHashes,
}: {
  readonly blobVersionedHashes?: readonly unknown[]
}): bigint {
  return blobVersionedHashes === undefined ? 0n : GAS_PER_BLOB * BigInt(blobVersionedHashes.length)
}

/** Returns the limit of the gas of blobs in a block under `rules`. */
export function maxBlobGas({ blobs }: Rules): bigint {
  return blobs === undefined ? 0n : BigInt(blobs.max) * GAS_PER_BLOB
}

/** Returns the limit of `blobGasUsed` in the header of a block with the limit `gasLimit`. */
export function blobGasLimit(rules: Rules, gasLimit: bigint): bigint {
  return countsData(rules) ? gasLimit : maxBlobGas(rules)
}

/** Returns whether `blobGasUsed` of a block is the gas of its data on L1, and not that of blobs: on an L2 since Jovian. */
export function countsData({ l2, l2Upgrade }: Rules): boolean {
  return l2 !== undefined && l2Upgrade === 'jovian'
}

/** Returns factor · e^(numerator / denominator), approximated with integers as EIP-4844 defines it. */
function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  let output = 0n
  let accumulated = factor * denominator
  for (let i = 1n; accumulated > 0n; i++) {
    output += accumulated
    accumulated = (accumulated * numerator) / (denominator * i)
  }
  return output / denominator
}
