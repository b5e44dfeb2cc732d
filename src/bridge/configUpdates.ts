/** Updates of the contract SystemConfig on L1, which change the L1 attributes (specs.optimism.io `protocol/system-config.html`). */
import { type Address, toHex, toQuantity, toWord } from '../bytes/hex.ts'
import { type Block, logsOf } from '../model/block/block.ts'
import type { L1Attributes } from '../model/l2/l1Attributes.ts'

/** The topic of `ConfigUpdate(uint256 indexed version, uint8 indexed updateType, bytes data)`. */
const CONFIG_UPDATE = '0x1d2b0bda21d56b8bd12d4f94ebacffdfb35f5e226f84b461103bb8beab6353be'
const BATCHER = toHex(toWord(0n))
const FEE_SCALARS = toHex(toWord(1n))

/** Returns the attributes after the updates in an L1 block. Updates of other kinds, such as of the gas limit, have no effect. */
export function updated(attributes: L1Attributes, block: Block, systemConfig: Address): L1Attributes {
  let { batcher, prices } = attributes
  for (const { log } of logsOf(block)) {
    const [event, , kind] = log.topics
    if (log.address !== systemConfig || event !== CONFIG_UPDATE) continue
    // The ABI of `data`: its offset and length, and then the batcher, or overhead (unused since Ecotone) and scalars.
    const quantity = (start: number, end: number) => toQuantity(log.data.subarray(start, end))
    if (kind === BATCHER) batcher = quantity(64, 96)
    if (kind === FEE_SCALARS) {
      prices = { ...prices, blobBaseFeeScalar: quantity(120, 124), baseFeeScalar: quantity(124, 128) }
    }
  }
  return { batcher, prices }
}
