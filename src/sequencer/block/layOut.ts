/** Where simulated blocks stand: their numbers and times, and the empty blocks between them. */

import type { BlockRequest } from '../../model/execution/simulation.ts'
import type { BlockPosition } from '../../model/hardfork/forkSchedule.ts'

/** Blocks that one simulation may make, those between included: as far as BLOCKHASH sees. */
export const MAX_SIMULATED_BLOCKS = 256
/** Seconds from a block to the next where none are given: geth's and RETH's, whatever the rhythm of the chain. */
const BLOCK_SECONDS = 12n
const MAX_UINT64 = 2n ** 64n - 1n

/** A block to be made. */
export interface LaidOut {
  readonly request: BlockRequest
  /** Which of the blocks that were asked for it is; one that fills a gap bears the index of the one after it. */
  readonly index: number
  readonly number: bigint
  readonly timestamp: bigint
}

/** Why blocks cannot stand in a row. */
export type LayoutFlaw =
  | { readonly kind: 'blockOrder'; readonly index: number; readonly got: bigint; readonly previous: bigint }
  | { readonly kind: 'timeOrder'; readonly index: number; readonly got: bigint; readonly previous: bigint }
  | { readonly kind: 'endOfTime'; readonly index: number; readonly got: bigint }
  | { readonly kind: 'tooManyBlocks'; readonly index: number; readonly count: bigint; readonly limit: number }

const EMPTY: BlockRequest = { override: {}, accounts: [], calls: [] }

/** `requests` in a row after `base`, with what they leave out; or the first that cannot stand where it wants to. */
export function layOut(
  base: Pick<BlockPosition, 'number' | 'timestamp'>,
  requests: readonly BlockRequest[],
): readonly LaidOut[] | LayoutFlaw {
  const row: LaidOut[] = []
  let { number, timestamp } = base
  for (const [index, request] of requests.entries()) {
    const { number: wanted = number + 1n, timestamp: time } = request.override
    if (wanted <= number) return { kind: 'blockOrder', index, got: wanted, previous: number }
    const count = wanted - base.number
    if (count > MAX_SIMULATED_BLOCKS) {
      return { kind: 'tooManyBlocks', index, count, limit: MAX_SIMULATED_BLOCKS }
    }
    while (number + 1n < wanted) {
      number += 1n
      timestamp += BLOCK_SECONDS
      row.push({ request: EMPTY, index, number, timestamp })
    }
    const got = time ?? timestamp + BLOCK_SECONDS
    if (got <= timestamp) return { kind: 'timeOrder', index, got, previous: timestamp }
    if (got > MAX_UINT64) return { kind: 'endOfTime', index, got }
    number = wanted
    timestamp = got
    row.push({ request, index, number, timestamp })
  }
  return row
}
