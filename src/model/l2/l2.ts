/** Constants of OP Stack L2s (specs.optimism.io `protocol/predeploys.html`, `protocol/fjord/exec-engine.html`). */
import type { Address } from '../../bytes/hex.ts'

export const L2_CHAINS = ['base', 'op'] as const
export type L2Chain = (typeof L2_CHAINS)[number]

/** The upgrades of the OP Stack that changed the L1 attributes deposit or fees, oldest first. */
export const L2_UPGRADES = ['bedrock', 'ecotone', 'fjord', 'isthmus', 'jovian'] as const
export type L2Upgrade = (typeof L2_UPGRADES)[number]
/** The upgrade of an L2 that is not forked from a network: preseal's L1Block and GasPriceOracle are of Isthmus. */
export const DEFAULT_UPGRADE: L2Upgrade = 'isthmus'

/** The weights of L1 base fee and L1 blob base fee in millionths, and the address that posts the batches on L1. */
export interface L2Terms {
  readonly baseFeeScalar: bigint
  readonly blobBaseFeeScalar: bigint
  readonly batcher: Address
}

/** Values from L1 attributes deposits of real chains (Base, block 52,158,111; OP Mainnet, block 127,446,283). */
export const L2_TERMS: Readonly<Record<L2Chain, L2Terms>> = {
  base: {
    baseFeeScalar: 2_269n,
    blobBaseFeeScalar: 1_055_762n,
    batcher: '0x5050f69a9786f081509234f1a7f4684b5e5b76c9',
  },
  op: {
    baseFeeScalar: 5_227n,
    blobBaseFeeScalar: 1_014_213n,
    batcher: '0x6887246668a3b87f54deb3b94ba47a6f63f32985',
  },
}

export const L2_CROSS_DOMAIN_MESSENGER: Address = '0x4200000000000000000000000000000000000007'
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
