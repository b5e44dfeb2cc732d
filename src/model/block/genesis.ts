/** What a chain begins with: a genesis.json as nouns. */

import type { Address } from '../bytes/hex.ts'
import type { ForkSchedule } from '../hardfork/forkSchedule.ts'
import type { Header } from './header.ts'

export interface Genesis {
  readonly schedule: ForkSchedule
  /** What of block 0 does not follow from its accounts and its hardfork. */
  readonly header: Pick<
    Header,
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

/** An account that exists from the beginning. */
export interface GenesisAccount {
  readonly address: Address
  /** Wei. */
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: Uint8Array
  readonly storage: readonly (readonly [slot: bigint, value: bigint])[]
}
