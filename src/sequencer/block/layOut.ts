/** Numbers and timestamps of simulated blocks, and the empty blocks that fill gaps between them. */

import type { BlockRequest } from '../../model/execution/call.ts'
import type { BlockPosition } from '../../model/hardfork/forkSchedule.ts'

/** Maximum number of blocks of a simulation, including those that fill gaps: as many as BLOCKHASH can reach. */
export const MAX_SIMULATED_BLOCKS = 256
/** Default seconds between simulated blocks, as in geth and reth, whatever the block time of the chain. */
const BLOCK_SECONDS = 12n
const MAX_UINT64 = 2n ** 64n - 1n

export interface PlannedBlock {
  readonly request: BlockRequest
  /** The index of the requested block. A block that fills a gap has the index of the next requested block. */
  readonly index: number
  readonly number: bigint
  readonly timestamp: bigint
}

export type LayoutFlaw =
  | { readonly kind: 'blockOrder'; readonly index: number; readonly got: bigint; readonly previous: bigint }
  | { readonly kind: 'timeOrder'; readonly index: number; readonly got: bigint; readonly previous: bigint }
  | { readonly kind: 'endOfTime'; readonly index: number; readonly got: bigint }
  | { readonly kind: 'tooManyBlocks'; readonly index: number; readonly count: bigint; readonly limit: number }

const EMPTY: BlockRequest = { override: {}, accounts: [], calls: [] }

/** Assigns numbers and timestamps to blocks after `base`, and fills gaps. If a request is impossible, returns why. */
export function layOut(
  base: Pick<BlockPosition, 'number' | 'timestamp'>,
  requests: readonly BlockRequest[],
): readonly PlannedBlock[] | LayoutFlaw {
  const row: PlannedBlock[] = []
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
