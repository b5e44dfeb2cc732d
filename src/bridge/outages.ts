/** Withheld batches and missed slots: failures that last for some blocks of the L1. */
import type { L1Failure, Outages } from '../sequencer/block/deviations.ts'

export const NO_OUTAGES: Outages = { withheld: [], slots: 0 }

/** Returns the outages after a failure. `next`: the number of the next L1 block. */
export function withFailure({ withheld, slots }: Outages, failure: L1Failure, next: bigint): Outages {
  if (failure.kind === 'missL1Slots') return { withheld, slots: Math.max(slots, failure.slots) }
  const last = next + BigInt(failure.l1Blocks) - 1n
  const before = withheld.find((range) => next >= range.first && next <= range.last + 1n)
  const range = { first: before?.first ?? next, last: before && before.last > last ? before.last : last }
  const others = withheld.filter((other) => other !== before)
  // After a reorg of the L1, `next` may be lower than the numbers of earlier ranges.
  return { withheld: [...others, range].sort((a, b) => Number(a.first - b.first)), slots }
}

/**
 * Returns the number of the L1 block with the batch of the L2 blocks of an L1 origin: the next one whose batches are not
 * withheld. `undefined` if it is after the sequencing window of `window` L1 blocks.
 */
export function batchOf(origin: bigint, { withheld }: Outages, window: bigint): bigint | undefined {
  let number = origin + 1n
  for (const { first, last } of withheld) if (number >= first && number <= last) number = last + 1n
  return number <= origin + window ? number : undefined
}
