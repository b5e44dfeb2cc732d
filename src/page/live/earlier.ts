/** Blocks that were sealed before the page was opened, on the line of what happens. */
import type { Source } from '../source/source.ts'
import { type ListedBlock, listBlocks } from './blockPages.ts'
import type { LiveBlock } from './rhythm.ts'

const PAGE = 100
/** The most that are asked for: more than the longest line shows of blocks of 200 ms. */
const MOST = 2_000
/** The least room of a block: time may have stood still. */
const ROOM_MS = 50

/**
 * Resolves with the blocks before the block `before` (by default from the newest) that were sealed since `startMs`, the oldest first. `endMs` is
 * when the next block was opened.
 */
export async function earlierBlocks(
  from: Pick<Source, 'request'>,
  {
    before,
    startMs,
    endMs,
  }: { readonly before: number | undefined; readonly startMs: number; readonly endMs: number },
): Promise<LiveBlock[]> {
  const listed: ListedBlock[] = []
  let after = before
  while (listed.length < MOST) {
    const { blocks, first } = await listBlocks(from, PAGE, after)
    // The first was not opened: it is the genesis, or where a fork began.
    listed.push(...blocks.filter(({ number }) => number > first))
    after = blocks.at(-1)?.number
    if (after === undefined || after <= first + 1 || listed.at(-1)!.timestamp * 1_000 < startMs) break
  }
  return placedBlocks(listed, endMs)
}

/**
 * Returns blocks at their places in time. Of each is known in which second it was opened: blocks of one second share the time until the
 * next, and each is open until the one after it. `listed` are the newest first, and so is not what is returned.
 */
export function placedBlocks(listed: readonly ListedBlock[], endMs: number): LiveBlock[] {
  const placed: LiveBlock[] = []
  let nextMs = endMs
  for (let end = 0; end < listed.length; ) {
    const begin = end
    const { timestamp } = listed[begin]!
    while (listed[end]?.timestamp === timestamp) end++
    const eachMs = Math.max(ROOM_MS, (nextMs - timestamp * 1_000) / (end - begin))
    for (const block of listed.slice(begin, end)) {
      placed.push(placedBlock(block, nextMs - eachMs, nextMs))
      nextMs -= eachMs
    }
  }
  return placed.reverse()
}

function placedBlock(block: ListedBlock, openedMs: number, sealedMs: number): LiveBlock {
  const { slices, transactions = 0, ...others } = block
  return {
    ...others,
    transactions,
    openedMs,
    sealedMs,
    removedMs: undefined,
    slices: [],
    sliceCount: slices ?? null,
  }
}
