/**
 * The parameters of EIP-1559 that an L2 has in the extra data of its blocks, for the block after them
 * (specs.optimism.io `protocol/holocene/exec-engine.html`, `protocol/jovian/exec-engine.html`).
 */
import type { Header } from '../block/header.ts'
import type { Rules } from '../hardfork/hardfork.ts'
import type { L2Upgrade } from './l2.ts'

export interface FeeParameters {
  readonly elasticity: bigint
  readonly denominator: bigint
  /** The least base fee, in wei (since Jovian). */
  readonly floor: bigint
  /** The gas by which the base fee changes: since Jovian at least that of the block's data, `blobGasUsed`. */
  readonly gasUsed: bigint
}

/** The lengths of the extra data, by its first byte, the version: of Holocene and of Jovian. */
const LENGTHS = [9, 17]

/** Returns the parameters in a header; `undefined` if it has none. */
export function feeParametersIn({ extraData, gasUsed, blobGasUsed = 0n }: Header): FeeParameters | undefined {
  if (!hasFeeParameters(extraData)) return undefined
  const view = new DataView(extraData.buffer, extraData.byteOffset, extraData.byteLength)
  const [denominator, elasticity] = [BigInt(view.getUint32(1)), BigInt(view.getUint32(5))]
  if (denominator === 0n || elasticity === 0n) return undefined
  if (extraData[0] === 0) return { elasticity, denominator, floor: 0n, gasUsed }
  const more = blobGasUsed > gasUsed ? blobGasUsed : gasUsed
  return { elasticity, denominator, floor: view.getBigUint64(9), gasUsed: more }
}

/** The upgrades that came before Holocene, which brought the parameters into the extra data. */
const BEFORE_HOLOCENE: ReadonlySet<L2Upgrade> = new Set(['bedrock', 'ecotone', 'fjord'])
/** Canyon, which is Shanghai too, made the base fee move a fifth as fast (ethereum-optimism/superchain-registry). */
const [BEFORE_CANYON, SINCE_CANYON] = [50n, 250n]
const ELASTICITY = 6n
/** Chains of the superchain-registry with another elasticity: Base Sepolia. */
const ELASTICITIES: ReadonlyMap<bigint, bigint> = new Map([[84_532n, 10n]])

/**
 * Returns the parameters for the block after `parent` on an L2: those in its header, before Holocene those of the chain;
 * `undefined` if it has none of its own. `rules` are those of the new block.
 */
export function feeParametersOf(rules: Rules, parent: Header): FeeParameters | undefined {
  const found = feeParametersIn(parent)
  if (found !== undefined || !BEFORE_HOLOCENE.has(rules.l2Upgrade)) return found
  return {
    elasticity: ELASTICITIES.get(rules.chainId) ?? ELASTICITY,
    denominator: rules.has(4895) ? SINCE_CANYON : BEFORE_CANYON,
    floor: 0n,
    gasUsed: parent.gasUsed,
  }
}

/** Returns whether the extra data is in the form of these parameters. The next block of the same L2 has it, too. */
export function hasFeeParameters(extraData: Uint8Array): boolean {
  return extraData.length > 0 && extraData.length === LENGTHS[extraData[0]!]
}
