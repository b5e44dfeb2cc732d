/** Reads the L1 attributes of an L2 from the storage of L1Block, the contract that L1 attributes deposits update. */
import { type AttributesOfBlock, L1_BLOCK_SLOTS } from '../model/l2/l1Attributes.ts'
import type { L1Prices } from '../model/l2/l1Fee.ts'
import {
  BASE_FEE_VAULT,
  DEFAULT_DA_FOOTPRINT_GAS_SCALAR,
  L1_BLOCK,
  L1_DEPOSITOR,
  L1_FEE_VAULT,
  type L2Upgrade,
  OPERATOR_FEE_VAULT,
  SEQUENCER_FEE_VAULT,
} from '../model/l2/l2.ts'
import { readTogether } from './fetchingView.ts'
import type { StateView } from './view.ts'

/** Returns the L1 prices in the storage of the L1Block contract. `upgrade` determines the storage layout. */
export function l1PricesIn(state: StateView, upgrade: L2Upgrade): L1Prices {
  return readTogether(state, (view) => pricesIn(view, upgrade))
}

/** Returns the L1 attributes that the newest deposit wrote; `undefined` before the first deposit. */
export function l1AttributesIn(state: StateView, upgrade: L2Upgrade): AttributesOfBlock | undefined {
  return readTogether(state, (view) => {
    const position = slotIn(view, L1_BLOCK_SLOTS.position)
    const sequence = slotIn(view, L1_BLOCK_SLOTS.sequence)
    const batcher = slotIn(view, L1_BLOCK_SLOTS.batcher)
    const prices = pricesIn(view, upgrade)
    if (position === 0n) return undefined
    const origin = {
      number: BigInt.asUintN(64, position),
      timestamp: BigInt.asUintN(64, position >> 64n),
      sequenceNumber: BigInt.asUintN(64, sequence),
    }
    return { prices, batcher, origin }
  })
}

const OF_EACH_BLOCK = [
  ...[L1_DEPOSITOR, L1_BLOCK, SEQUENCER_FEE_VAULT],
  ...[BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT],
]

/** Throws `NotFetched` with all missing values among the values that every L2 block reads. */
export function requireL2(state: StateView, upgrade: L2Upgrade): void {
  readTogether(state, (view) => {
    for (const address of OF_EACH_BLOCK) view.account(address)
    l1AttributesIn(view, upgrade)
  })
}

function pricesIn(state: StateView, upgrade: L2Upgrade): L1Prices {
  const baseFee = slotIn(state, L1_BLOCK_SLOTS.baseFee)
  if (upgrade === 'bedrock') {
    const overhead = slotIn(state, L1_BLOCK_SLOTS.overhead)
    const scalar = slotIn(state, L1_BLOCK_SLOTS.scalar)
    return {
      ...{ baseFee, blobBaseFee: 0n, baseFeeScalar: 0n, blobBaseFeeScalar: 0n },
      bedrock: { overhead, scalar },
    }
  }
  const blobBaseFee = slotIn(state, L1_BLOCK_SLOTS.blobBaseFee)
  const sequence = slotIn(state, L1_BLOCK_SLOTS.sequence)
  const hasOperator = upgrade === 'isthmus' || upgrade === 'jovian'
  const operator = hasOperator ? slotIn(state, L1_BLOCK_SLOTS.operator) : 0n
  const prices = {
    baseFee,
    blobBaseFee,
    baseFeeScalar: BigInt.asUintN(32, sequence >> 96n),
    blobBaseFeeScalar: BigInt.asUintN(32, sequence >> 64n),
  }
  return operator === 0n && upgrade !== 'jovian' ? prices : { ...prices, ...operatorIn(operator, upgrade) }
}

function operatorIn(packed: bigint, upgrade: L2Upgrade): Pick<L1Prices, 'operator' | 'daFootprintGasScalar'> {
  const operator = { scalar: BigInt.asUintN(32, packed >> 64n), constant: BigInt.asUintN(64, packed) }
  const isNone = operator.scalar === 0n && operator.constant === 0n
  return {
    ...(isNone ? {} : { operator }),
    ...(upgrade === 'jovian'
      ? { daFootprintGasScalar: BigInt.asUintN(16, packed >> 96n) || DEFAULT_DA_FOOTPRINT_GAS_SCALAR }
      : {}),
  }
}

function slotIn(state: StateView, slot: bigint): bigint {
  return state.storage(L1_BLOCK, slot)
}
