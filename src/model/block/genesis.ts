/** The first block of a chain, as in a genesis.json. */
import type { Address } from '../../bytes/hex.ts'
import type { ForkSchedule } from '../hardfork/forkSchedule.ts'
import type { Header } from './header.ts'

/** The maximum number of a chain's first block, so that later block numbers are exact as JavaScript numbers. */
export const LAST_FIRST_BLOCK = 2n ** 48n

export interface Genesis {
  readonly schedule: ForkSchedule
  /** The header fields that accounts and hardfork do not determine. */
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
