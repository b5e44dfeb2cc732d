import type { Rules } from '../hardfork/hardfork.ts'
import type { L2Terms, L2Upgrade, OwnUpgrade } from '../l2/l2.ts'
import type { Header } from './header.ts'

const ELASTICITY_MULTIPLIER = 2n
const BASE_FEE_MAX_CHANGE_DENOMINATOR = 8n

/** The base fee of the first London block, in wei per gas (EIP-1559). */
export const INITIAL_BASE_FEE = 1_000_000_000n

/** Returns the base fee after `parent` by the new block's `rules` (EIP-1559), in wei; `undefined` before London. */
export function nextBaseFee(rules: Rules, parent: Header): bigint | undefined {
  if (!rules.has(1559)) return undefined
  const { baseFeePerGas, gasLimit } = parent
  if (baseFeePerGas === undefined) return INITIAL_BASE_FEE
  const ofL2 = rules.l2 === undefined ? undefined : feeParametersOf(rules, parent)
  const parameters = ofL2 ?? {
    elasticity: ELASTICITY_MULTIPLIER,
    denominator: BASE_FEE_MAX_CHANGE_DENOMINATOR,
    floor: 0n,
    gasUsed: parent.gasUsed,
  }
  const next = changedBaseFee(baseFeePerGas, gasLimit, parameters)
  return next < parameters.floor ? parameters.floor : next
}

function changedBaseFee(
  baseFeePerGas: bigint,
  gasLimit: bigint,
  { elasticity, denominator, gasUsed }: FeeParameters,
): bigint {
  const target = gasLimit / elasticity
  if (gasUsed === target || target === 0n) return baseFeePerGas
  if (gasUsed > target) {
    const delta = (baseFeePerGas * (gasUsed - target)) / target / denominator
    return baseFeePerGas + (delta > 1n ? delta : 1n)
  }
  return baseFeePerGas - (baseFeePerGas * (target - gasUsed)) / target / denominator
}

/** Returns the default gas limit of the next block: the parent's, doubled in the first London block (EIP-1559). */
export function nextGasLimit(rules: Rules, { gasLimit, baseFeePerGas }: Header): bigint {
  return rules.has(1559) && baseFeePerGas === undefined ? gasLimit * ELASTICITY_MULTIPLIER : gasLimit
}

/** The blob gas of one blob (EIP-4844). */
export const GAS_PER_BLOB = 131_072n
/** A blob should cost at least as much as this amount of execution gas (EIP-7918). */
const BLOB_BASE_COST = 8_192n
const MIN_BASE_FEE_PER_BLOB_GAS = 1n

/** Returns the price of blob gas in wei (EIP-4844); `undefined` before Cancun. */
export function blobBaseFee(rules: Rules, excessBlobGas: bigint | undefined): bigint | undefined {
  if (excessBlobGas === undefined || rules.blobs === undefined) return undefined
  return fakeExponential(MIN_BASE_FEE_PER_BLOB_GAS, excessBlobGas, rules.blobs.baseFeeUpdateFraction)
}

/** Returns the excess blob gas after `parent`, by the new block's `rules`: zero on an L2, `undefined` before Cancun. */
export function nextExcessBlobGas(rules: Rules, parent: Header): bigint | undefined {
  if (rules.blobs === undefined) return undefined
  if (rules.l2 !== undefined) return 0n
  const { excessBlobGas = 0n, blobGasUsed = 0n, baseFeePerGas = 0n } = parent
  const { max, target } = rules.blobs
  const targetGas = BigInt(target) * GAS_PER_BLOB
  const excess = excessBlobGas + blobGasUsed
  if (excess < targetGas) return 0n
  // EIP-7918: the price of blobs does not fall while a blob costs less than `BLOB_BASE_COST` units of execution gas.
  const isCheap =
    rules.has(7918) && BLOB_BASE_COST * baseFeePerGas > GAS_PER_BLOB * blobBaseFee(rules, excessBlobGas)!
  // `max` is zero on chains that allow no blobs.
  if (!isCheap || max === 0) return excess - targetGas
  return excessBlobGas + (blobGasUsed * BigInt(max - target)) / BigInt(max)
}

/** The prices of gas (`undefined` before London) and of blob gas (`undefined` before Cancun), in wei. */
export interface BlockFees {
  readonly baseFeePerGas: bigint | undefined
  readonly blobBaseFee: bigint | undefined
}

export function feesOf(rules: Rules, { baseFeePerGas, excessBlobGas }: Header): BlockFees {
  return { baseFeePerGas, blobBaseFee: blobBaseFee(rules, excessBlobGas) }
}

export function feesAfter(rules: Rules, parent: Header): BlockFees {
  return {
    baseFeePerGas: nextBaseFee(rules, parent),
    blobBaseFee: blobBaseFee(rules, nextExcessBlobGas(rules, parent)),
  }
}

export function blobGasOf({
  blobVersionedHashes = [],
}: {
  blobVersionedHashes?: readonly unknown[]
}): bigint {
  return GAS_PER_BLOB * BigInt(blobVersionedHashes.length)
}

export function maxBlobGas({ blobs }: Rules): bigint {
  return blobs === undefined ? 0n : BigInt(blobs.max) * GAS_PER_BLOB
}

/** Returns the maximum `blobGasUsed` of a block with the gas limit `gasLimit`. */
export function blobGasLimit(rules: Rules, gasLimit: bigint): bigint {
  return countsData(rules) ? gasLimit : maxBlobGas(rules)
}

/** Returns whether `blobGasUsed` is the data availability footprint instead of blob gas: on an L2 since Jovian. */
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

/**
 * The parameters of EIP-1559. On an L2 since Holocene, the extra data of a block contains the parameters for the next
 * block (specs.optimism.io `protocol/holocene/exec-engine.html`, `protocol/jovian/exec-engine.html`).
 */
interface FeeParameters {
  readonly elasticity: bigint
  readonly denominator: bigint
  /** The minimum base fee in wei (since Jovian). */
  readonly floor: bigint
  /** The gas compared with the gas target: the gas used, or since Jovian `blobGasUsed` if that is more. */
  readonly gasUsed: bigint
}

/** The length of the extra data in bytes, by version. The version is the first byte: 0 for Holocene, 1 for Jovian. */
const LENGTHS = [9, 17]

function feeParametersIn({ extraData, gasUsed, blobGasUsed = 0n }: Header): FeeParameters | undefined {
  if (!hasFeeParameters(extraData)) return undefined
  const view = new DataView(extraData.buffer, extraData.byteOffset, extraData.byteLength)
  const [denominator, elasticity] = [BigInt(view.getUint32(1)), BigInt(view.getUint32(5))]
  if (denominator === 0n || elasticity === 0n) return undefined
  if (extraData[0] === 0) return { elasticity, denominator, floor: 0n, gasUsed }
  const greater = blobGasUsed > gasUsed ? blobGasUsed : gasUsed
  return { elasticity, denominator, floor: view.getBigUint64(9), gasUsed: greater }
}

type FeeTerms = Pick<L2Terms, 'denominator' | 'elasticity' | 'minBaseFee'>

/** Returns the extra data with the fee parameters `terms`. Before Jovian it has no minimum base fee. */
export function encodeFeeParameters(upgrade: OwnUpgrade, terms: FeeTerms): Uint8Array {
  const version = upgrade === 'jovian' ? 1 : 0
  const extraData = new Uint8Array(LENGTHS[version]!)
  extraData[0] = version
  return withFeeParameters(extraData, terms)
}

/** Returns the extra data with changed fee parameters. The minimum base fee changes only where there is one. */
export function withFeeParameters(
  extraData: Uint8Array,
  { denominator, elasticity, minBaseFee }: Partial<FeeTerms>,
): Uint8Array {
  if (!hasFeeParameters(extraData)) return extraData
  const changed = extraData.slice()
  const view = new DataView(changed.buffer)
  if (denominator !== undefined) view.setUint32(1, Number(denominator))
  if (elasticity !== undefined) view.setUint32(5, Number(elasticity))
  if (minBaseFee !== undefined && changed[0] === 1) view.setBigUint64(9, minBaseFee)
  return changed
}

/** Upgrades without fee parameters in the extra data. Holocene added the parameters. */
const BEFORE_HOLOCENE: ReadonlySet<L2Upgrade> = new Set(['bedrock', 'ecotone', 'fjord'])
/** The base fee denominators. Canyon is the L2 upgrade to Shanghai (ethereum-optimism/superchain-registry). */
const [BEFORE_CANYON, SINCE_CANYON] = [50n, 250n]
const ELASTICITY = 6n
export const PARAMETERS_SINCE_CANYON = { denominator: SINCE_CANYON, elasticity: ELASTICITY }
/** Elasticity by chain id, for chains in the superchain-registry that do not use `ELASTICITY`: Base Sepolia. */
const ELASTICITIES: ReadonlyMap<bigint, bigint> = new Map([[84_532n, 10n]])

/** Returns the fee parameters in the extra data of the L2 block `parent`; before Holocene, returns constants. */
function feeParametersOf(rules: Rules, parent: Header): FeeParameters | undefined {
  const found = feeParametersIn(parent)
  if (found !== undefined || !BEFORE_HOLOCENE.has(rules.l2Upgrade)) return found
  return {
    elasticity: ELASTICITIES.get(rules.chainId) ?? ELASTICITY,
    denominator: rules.has(4895) ? SINCE_CANYON : BEFORE_CANYON,
    floor: 0n,
    gasUsed: parent.gasUsed,
  }
}

/** Returns whether the extra data of an L2 header contains fee parameters. */
export function hasFeeParameters(extraData: Uint8Array): boolean {
  return extraData.length > 0 && extraData.length === LENGTHS[extraData[0]!]
}
