/**
 * The DAO fork (EIP-779): at one block the ether of the DAO and its children is moved to a contract that refunds it.
 */
import { type Address, fromHex } from '../../bytes/hex.ts'

/** The chain's configuration of the DAO fork (`daoForkBlock` and `daoForkSupport` of a genesis.json). */
export interface DaoFork {
  /** The number of the first block after the fork. */
  readonly block: bigint
  /** Whether the chain applies the fork or rejects it. */
  readonly isSupported: boolean
}

/** The extra data of the first blocks of a chain that applies the fork: "dao-hard-fork". */
export const DAO_EXTRA_DATA: Uint8Array = fromHex('0x64616f2d686172642d666f726b')
const BLOCKS_WITH_EXTRA_DATA = 10n

/** The contract that receives the ether. */
export const DAO_REFUND_CONTRACT: Address = '0xbf4ed7b27f1d666546e30d74d50d173d20bca754'

/** Returns whether block `number` is one of those whose extra data shows the side of the fork. */
export function hasDaoExtraData({ block }: DaoFork, number: bigint): boolean {
  return number >= block && number < block + BLOCKS_WITH_EXTRA_DATA
}
