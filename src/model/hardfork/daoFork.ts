/** The DAO fork (EIP-779): at one block the ether of the DAO and its children goes to a contract that pays it back. */
import { type Address, fromHex } from '../bytes/hex.ts'

/** What a chain does about it (`daoForkBlock` and `daoForkSupport` of a genesis.json). */
export interface DaoFork {
  /** The number of the first block that differs. */
  readonly block: bigint
  /** Whether the chain makes the fork; otherwise it is one of those that refused it. */
  readonly isSupported: boolean
}

/** The extra data of the first blocks of a chain that makes the fork: "dao-hard-fork". */
export const DAO_EXTRA_DATA: Uint8Array = fromHex('0x64616f2d686172642d666f726b')
const BLOCKS_WITH_EXTRA_DATA = 10n

/** Where the ether goes. */
export const DAO_REFUND_CONTRACT: Address = '0xbf4ed7b27f1d666546e30d74d50d173d20bca754'

/** Whether the extra data of block `number` says which side of the fork it is on. */
export function hasDaoExtraData({ block }: DaoFork, number: bigint): boolean {
  return number >= block && number < block + BLOCKS_WITH_EXTRA_DATA
}
