/** Requests sealed blocks (`preseal_listBlocks`), and computes where on the timeline earlier blocks belong. */
import type { Hex } from '../../bytes/hex.ts'
import type { RpcBlockFill } from '../../wire/encode.ts'
import { numberOf, quantity } from '../format.ts'
import type { Requester } from '../source/source.ts'
import { filledBy, type LiveBlock } from './rhythm.ts'

export interface ListedBlock {
  readonly number: number
  readonly hash: string
  readonly timestamp: number
  /** `undefined` for the fork block, if the forked network did not respond. */
  readonly transactions: number | undefined
  /** Number of slices. `undefined` if the block had none, or the devnet no longer stores them. */
  readonly slices: number | undefined
  readonly gasUsed: number
  readonly gasLimit: number
  readonly baseFeePerGas: bigint | undefined
}

interface ListAnswer {
  readonly latest: Hex
  readonly first: Hex
  readonly blocks: readonly (Omit<RpcBlockFill, 'transactionCount'> & {
    readonly number: Hex
    readonly hash: Hex
    readonly transactionCount: Hex | null
    readonly slices: Hex | null
  })[]
}

export interface BlockList {
  readonly latest: number
  readonly first: number
  readonly blocks: readonly ListedBlock[]
}

/** Resolves to at most `limit` sealed blocks, newest first. With `after`, begins at the block before that number. */
export async function listBlocks(from: Requester, limit: number, after?: number): Promise<BlockList> {
  const page = { limit, ...(after !== undefined && { after: quantity(after) }) }
  const { latest, first, blocks } = await from.request<ListAnswer>('preseal_listBlocks', [page])
  return {
    latest: numberOf(latest),
    first: numberOf(first),
    blocks: blocks.map(({ number, hash, transactionCount, slices, ...others }) => ({
      ...filledBy({ ...others, transactionCount: transactionCount ?? '0x0' }),
      number: numberOf(number),
      hash,
      transactions: transactionCount === null ? undefined : numberOf(transactionCount),
      slices: slices === null ? undefined : numberOf(slices),
    })),
  }
}

const PAGE = 100
/** The longest timeline shows five minutes, which are 1,500 blocks of 200 ms. */
const MOST_EARLIER = 2_000
/** Minimum width of a block on the timeline, because several blocks may be sealed at the same time. */
const ROOM_MS = 50

/** Resolves to the blocks below `before` sealed since `startMs`, oldest first. The newest was sealed at `endMs`. */
export async function earlierBlocks(
  from: Requester,
  { before, startMs, endMs }: { before: number | undefined; startMs: number; endMs: number },
): Promise<LiveBlock[]> {
  const listed: ListedBlock[] = []
  let after = before
  while (listed.length < MOST_EARLIER) {
    const { blocks, first } = await listBlocks(from, PAGE, after)
    // The first block (genesis or fork block) was never open, so the timeline omits it.
    listed.push(...blocks.filter(({ number }) => number > first))
    after = blocks.at(-1)?.number
    if (after === undefined || after <= first + 1 || listed.at(-1)!.timestamp * 1_000 < startMs) break
  }
  return placedBlocks(listed, endMs)
}

/** Assigns times to blocks. Blocks with equal timestamps are spread evenly. `listed` begins with the newest block. */
export function placedBlocks(listed: readonly ListedBlock[], endMs: number): LiveBlock[] {
  const placed: LiveBlock[] = []
  let nextMs = endMs
  for (let end = 0; end < listed.length; ) {
    const begin = end
    const { timestamp } = listed[begin]!
    while (listed[end]?.timestamp === timestamp) end++
    const eachMs = Math.max(ROOM_MS, (nextMs - timestamp * 1_000) / (end - begin))
    for (const { slices, transactions = 0, ...others } of listed.slice(begin, end)) {
      const times = { openedMs: nextMs - eachMs, sealedMs: nextMs, removedMs: undefined }
      placed.push({ ...others, ...times, transactions, slices: [], sliceCount: slices ?? null })
      nextMs -= eachMs
    }
  }
  return placed.reverse()
}
