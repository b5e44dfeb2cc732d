/** The content of a genesis.json: the first block of a chain and its accounts. */

import type { Address } from '../../bytes/hex.ts'
import type { ForkSchedule } from '../hardfork/forkSchedule.ts'
import type { Header } from './header.ts'

/** The genesis of a chain: fork schedule, header of block 0, and accounts. */
/** The highest number of a first block: those of the blocks after it are still exact as JavaScript's numbers. */
export const LAST_FIRST_BLOCK = 2n ** 48n

export interface Genesis {
  readonly schedule: ForkSchedule
  /** The fields of the first block that do not follow from its accounts and its hardfork. */
  readonly header: Pick<
    Header,
    | 'number'
    | 'parentHash'
    | 'coinbase'
    | 'difficulty'
    | 'gasLimit'
    | 'gasUsed'
    | 'timestamp'
    | 'extraData'
    | 'prevRandao'
    | 'nonce'
    | 'baseFeePerGas'
    | 'blobGasUsed'
    | 'excessBlobGas'
  >
  readonly accounts: readonly GenesisAccount[]
}

/** An account of the genesis state. */
export interface GenesisAccount {
  readonly address: Address
  /** In wei. */
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: Uint8Array
  readonly storage: readonly (readonly [slot: bigint, value: bigint])[]
}
