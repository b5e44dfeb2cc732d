/** Constants of OP Stack L2s (specs.optimism.io `protocol/predeploys.html`, `protocol/fjord/exec-engine.html`). */
import type { Address } from '../../bytes/hex.ts'

export const L2_CHAINS = ['base', 'op'] as const
export type L2Chain = (typeof L2_CHAINS)[number]

/** The upgrades of the OP Stack that changed the L1 attributes deposit or fees, oldest first. */
export const L2_UPGRADES = ['bedrock', 'ecotone', 'fjord', 'isthmus', 'jovian'] as const
export type L2Upgrade = (typeof L2_UPGRADES)[number]
/** The upgrades of which preseal has L1Block and GasPriceOracle, so that an L2 need not be forked from a network. */
export const OWN_UPGRADES = ['isthmus', 'jovian'] as const satisfies readonly L2Upgrade[]
export type OwnUpgrade = (typeof OWN_UPGRADES)[number]
export const DEFAULT_UPGRADE: OwnUpgrade = 'jovian'

/** The parameters that the SystemConfig of a chain sets on L1. */
export interface L2Terms {
  /** The weights of L1 base fee and L1 blob base fee, in millionths. */
  readonly baseFeeScalar: bigint
  readonly blobBaseFeeScalar: bigint
  /** The address that posts the batches on L1. */
  readonly batcher: Address
  /** The gas that a block counts for each byte of compressed transaction data (since Jovian). */
  readonly daFootprintGasScalar: bigint
  /** The parameters of EIP-1559. */
  readonly denominator: bigint
  readonly elasticity: bigint
  /** The minimum base fee in wei (since Jovian). */
  readonly minBaseFee: bigint
}

/**
 * Values from L1 attributes deposits of real chains (Base, block 52,158,111; OP Mainnet, block 127,446,283), and from
 * the extra data of their blocks (Base, block 50,543,793; OP Mainnet, block 157,796,868).
 */
export const L2_TERMS: Readonly<Record<L2Chain, L2Terms>> = {
  base: {
    baseFeeScalar: 2_269n,
    blobBaseFeeScalar: 1_055_762n,
    batcher: '0x5050f69a9786f081509234f1a7f4684b5e5b76c9',
    daFootprintGasScalar: 148n,
    denominator: 100n,
    elasticity: 5n,
    minBaseFee: 5_000_000n,
  },
  op: {
    baseFeeScalar: 5_227n,
    blobBaseFeeScalar: 1_014_213n,
    batcher: '0x6887246668a3b87f54deb3b94ba47a6f63f32985',
    daFootprintGasScalar: 400n,
    denominator: 250n,
    elasticity: 2n,
    minBaseFee: 0n,
  },
}

/** The DA footprint gas scalar if SystemConfig or L1Block has zero (specs.optimism.io `protocol/jovian/l1-attributes.html`). */
export const DEFAULT_DA_FOOTPRINT_GAS_SCALAR = 400n

export const L2_CROSS_DOMAIN_MESSENGER: Address = '0x4200000000000000000000000000000000000007'
export const L2_STANDARD_BRIDGE: Address = '0x4200000000000000000000000000000000000010'
export const L2_TO_L1_MESSAGE_PASSER: Address = '0x4200000000000000000000000000000000000016'
export const WETH: Address = '0x4200000000000000000000000000000000000006'
/** The contract that computes the L1 data fee. */
export const GAS_PRICE_ORACLE: Address = '0x420000000000000000000000000000000000000f'
export const L1_BLOCK: Address = '0x4200000000000000000000000000000000000015'
/** The recipient of tips: the coinbase of each block. */
export const SEQUENCER_FEE_VAULT: Address = '0x4200000000000000000000000000000000000011'
/** The recipient of base fees. L1, in contrast, burns base fees. */
export const BASE_FEE_VAULT: Address = '0x4200000000000000000000000000000000000019'
export const L1_FEE_VAULT: Address = '0x420000000000000000000000000000000000001a'
export const OPERATOR_FEE_VAULT: Address = '0x420000000000000000000000000000000000001b'
/** The sender of L1 attributes deposits. Nobody has its private key. */
export const L1_DEPOSITOR: Address = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
export const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
