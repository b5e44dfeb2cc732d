/** What opens networks for a devnet that runs. */

import type { Hash } from '../bytes/hex.ts'
import type { Moment } from '../chain/moment.ts'
import type { ForkedNetwork } from './forkedNetwork.ts'

/** Where a chain is to begin anew: another block of its network, or the block of another node. */
export interface ForkTarget {
  readonly url: string | undefined
  readonly block: bigint | undefined
}

/**
 * What opens networks for a devnet that runs. All reject with `UpstreamFailed` if a node does not answer as it should, and
 * with `WrongCache` if the file of the cache is of another block.
 */
export interface Networks {
  /** Whether a node is known, by the option `fork` or since. */
  readonly hasNode: boolean
  /**
   * Returns the beginning on another block of the devnet's network, or of that of another node. `accept` is called with
   * the node's name and chain id before anything else is asked for; what it throws ends the beginning.
   */
  begin(target: ForkTarget, accept: (name: string, chainId: bigint) => void): Promise<Moment>
  /** Returns the devnet's network at the block with this hash; `undefined` if no node is known. */
  open(block: Hash): Promise<ForkedNetwork | undefined>
  /** Puts the node at `url` in the place of the one of `network`, if it has the same block. */
  turnTo(network: ForkedNetwork, url: string): Promise<void>
}
