/** Slots that the protocol writes one after the other, a few in each block, without a read (EIP-2935, EIP-4788). */
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../model/bytecode/predeploys.ts'
import type { MissingValue } from '../state/remoteState.ts'

const RINGS: readonly string[] = [HISTORY_STORAGE_ADDRESS, BEACON_ROOTS_ADDRESS]
/** Those of EIP-4788 are as far from each other as blocks in seconds. */
const MOST_APART = 15n
const MOST_AHEAD = 32

/**
 * Returns the slots that blocks after this one will write if they go on as those before, as many as these were: then blocks
 * wait for the network ever more rarely. `has` says whether a slot is known.
 */
export function slotsAhead(
  values: readonly MissingValue[],
  has: (value: MissingValue) => boolean,
): readonly MissingValue[] {
  return values.flatMap((value) => {
    if (value.kind !== 'slot' || !RINGS.includes(value.address)) return []
    const { address, slot } = value
    const at = (place: bigint): MissingValue => ({ kind: 'slot', address, slot: place })
    let step = 1n
    while (step <= MOST_APART && !(slot >= step && has(at(slot - step)))) step++
    let before = 0
    while (
      before < MOST_AHEAD &&
      slot >= step * BigInt(before + 1) &&
      has(at(slot - step * BigInt(before + 1)))
    ) {
      before++
    }
    return Array.from({ length: before }, (_, index) => at(slot + step * BigInt(index + 1)))
  })
}
