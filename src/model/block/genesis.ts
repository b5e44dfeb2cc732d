/** The first block of a chain, as in a genesis.json. */
import type { Address } from '../../bytes/hex.ts'
import type { ForkSchedule } from '../hardfork/forkSchedule.ts'
import type { Header } from './header.ts'

/** The highest number of a first block, so that the numbers of later blocks are exact as JavaScript numbers. */
export const LAST_FIRST_BLOCK = 2n ** 48n

export interface Genesis {
  readonly schedule: ForkSchedule
  /** The header fields that do not follow from the accounts and the hardfork. */
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

export interface GenesisAccount {
  readonly address: Address
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: Uint8Array
  readonly storage: readonly (readonly [slot: bigint, value: bigint])[]
}
