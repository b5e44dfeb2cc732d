/**
 * What is fixed about the L2s of the OP Stack: the addresses of what they come with, and what they pay L1
 * (specs.optimism.io `protocol/predeploys.html`, `protocol/fjord/exec-engine.html`).
 */
import type { Address } from '../bytes/hex.ts'

/** L2s that a chain can stand for. */
export const L2_CHAINS = ['base', 'op'] as const
export type L2Chain = (typeof L2_CHAINS)[number]

/** What an L2 decides for itself: the weights of L1's two prices, in millionths, and who posts its data there. */
export interface L2Terms {
  readonly baseFeeScalar: bigint
  readonly blobBaseFeeScalar: bigint
  readonly batcher: Address
}

/** As their own deposits say (Base, block 52,158,111; OP Mainnet, block 127,446,283). */
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

/** Ether as a token. */
export const WETH: Address = '0x4200000000000000000000000000000000000006'
/** What transactions cost on L1. */
export const GAS_PRICE_ORACLE: Address = '0x420000000000000000000000000000000000000f'
/** What is known of L1. */
export const L1_BLOCK: Address = '0x4200000000000000000000000000000000000015'
/** Gets the tips: the coinbase of each block. */
export const SEQUENCER_FEE_VAULT: Address = '0x4200000000000000000000000000000000000011'
/** Gets what is burnt elsewhere. */
export const BASE_FEE_VAULT: Address = '0x4200000000000000000000000000000000000019'
/** Gets what transactions pay for L1. */
export const L1_FEE_VAULT: Address = '0x420000000000000000000000000000000000001a'
/** Tells `L1_BLOCK` of L1; nobody has its key. */
export const L1_DEPOSITOR: Address = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
/** Where it is on every chain. */
export const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
