/** Reads the attributes of L1 from the storage to which an L2's deposits write them. */
import { L1_BLOCK_SLOTS, type L1Origin } from '../model/l2/l1Attributes.ts'
import type { L1Prices } from '../model/l2/l1Fee.ts'
import { L1_BLOCK } from '../model/l2/l2.ts'
import { readTogether } from './fetchingView.ts'
import type { StateView } from './view.ts'

/** Returns L1's prices. */
export function l1PricesIn(state: StateView): L1Prices {
  return readTogether(state, pricesIn)
}

function pricesIn(state: StateView): L1Prices {
  const sequence = state.storage(L1_BLOCK, L1_BLOCK_SLOTS.sequence)
  return {
    baseFee: state.storage(L1_BLOCK, L1_BLOCK_SLOTS.baseFee),
    blobBaseFee: state.storage(L1_BLOCK, L1_BLOCK_SLOTS.blobBaseFee),
    baseFeeScalar: BigInt.asUintN(32, sequence >> 96n),
    blobBaseFeeScalar: BigInt.asUintN(32, sequence >> 64n),
  }
}

/** Returns the L1 origin of the newest block, and the number of earlier blocks with the same origin. */
export function l1PositionIn(state: StateView): Pick<L1Origin, 'number' | 'sequenceNumber'> {
  return readTogether(state, (view) => ({
    number: BigInt.asUintN(64, view.storage(L1_BLOCK, L1_BLOCK_SLOTS.position)),
    sequenceNumber: BigInt.asUintN(64, view.storage(L1_BLOCK, L1_BLOCK_SLOTS.sequence)),
  }))
}
