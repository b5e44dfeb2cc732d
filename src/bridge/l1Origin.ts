/** The L1 origin of an L2 block: the L1 block from which it derives. */
import { toHex, toWord } from '../bytes/hex.ts'
import type { Moment } from '../chain/moment.ts'
import type { Block } from '../model/block/block.ts'
import { L1_BLOCK_SLOTS, type L1Origin } from '../model/l2/l1Attributes.ts'
import { L1_BLOCK } from '../model/l2/l2.ts'

/** Returns the L1 origin of an L2 block, as its state has it. */
export function originOf({ state }: Pick<Moment, 'state'>): L1Origin {
  const slot = (place: bigint) => state.storage(L1_BLOCK, place)
  const position = slot(L1_BLOCK_SLOTS.position)
  return {
    number: BigInt.asUintN(64, position),
    timestamp: BigInt.asUintN(64, position >> 64n),
    hash: toHex(toWord(slot(L1_BLOCK_SLOTS.hash))),
    sequenceNumber: BigInt.asUintN(64, slot(L1_BLOCK_SLOTS.sequence)),
  }
}

export function originAt({ header, hash }: Block, sequenceNumber: bigint): L1Origin {
  const { number, timestamp } = header
  return { number, timestamp, hash, sequenceNumber }
}
