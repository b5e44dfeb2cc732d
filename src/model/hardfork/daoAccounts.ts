import { type Address, fromHex } from '../../bytes/hex.ts'
import pairs from './daoAccounts.json' with { type: 'json' }

/** The accounts that the DAO fork drains (EIP-779): the DAO and its children, each before its extraBalance account. */
export const DAO_ACCOUNTS = pairs.flat() as readonly Address[]

export interface DaoFork {
  readonly block: bigint
  /** True if the chain applies the DAO fork, false if the chain rejects the fork. */
  readonly isSupported: boolean
}

/** The bytes of "dao-hard-fork": the extra data of the first blocks of a chain that applies the fork. */
export const DAO_EXTRA_DATA: Uint8Array = fromHex('0x64616f2d686172642d666f726b')
const BLOCKS_WITH_EXTRA_DATA = 10n

export const DAO_REFUND_CONTRACT: Address = '0xbf4ed7b27f1d666546e30d74d50d173d20bca754'

export function hasDaoExtraData({ block }: DaoFork, number: bigint): boolean {
  return number >= block && number < block + BLOCKS_WITH_EXTRA_DATA
}
