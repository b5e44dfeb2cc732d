/** The room that a block has for blobs; on an L2 since Jovian for data on L1, which its `blobGasUsed` counts. */

import type { Rules } from '../../model/hardfork/hardfork.ts'
import { daFootprint } from '../../model/l2/l1Fee.ts'
import { blobGasLimit, blobGasOf, countsData } from '../../model/transaction/fees.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { l1PricesIn } from '../../state/l1Block.ts'
import type { State } from '../../state/state.ts'
import { whenFetched } from '../../state/whenFetched.ts'
import { type MaybePromise, whenThere } from '../../work/maybePromise.ts'

export interface BlobRoom {
  /** The limit of `blobGasUsed` in the header. */
  readonly limit: bigint
  /** Returns how much of it a transaction takes. */
  shareOf(transaction: Transaction): bigint
}

/**
 * Returns the room in a block with the limit `gasLimit` on `state`. Since Jovian the data of a block, in gas, may be as much as its
 * gas (specs.optimism.io `protocol/jovian/exec-engine.html`, "DA footprint block limit"). Returns a promise only if prices of a
 * forked network have to be fetched.
 */
export function blobRoom(rules: Rules, state: State, gasLimit: bigint): MaybePromise<BlobRoom> {
  const limit = blobGasLimit(rules, gasLimit)
  if (!countsData(rules)) return { limit, shareOf: blobGasOf }
  const prices = whenFetched(() => l1PricesIn(state, 'jovian'))
  return whenThere(prices, ({ daFootprintGasScalar = 0n }) => ({
    limit,
    shareOf: ({ raw, deposit }) => (deposit === undefined ? daFootprint(raw, daFootprintGasScalar) : 0n),
  }))
}
