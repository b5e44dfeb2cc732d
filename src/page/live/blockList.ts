/** Sealed blocks as `preseal_listBlocks` lists them, and the placement of earlier ones on the timeline. */
import type { Hex } from '../../bytes/hex.ts'
import type { RpcBlockFill } from '../../wire/encode.ts'
import { numberOf, quantity } from '../format.ts'
import type { Requester } from '../source/source.ts'
import { filledBy, type LiveBlock } from './rhythm.ts'

export interface ListedBlock {
  readonly number: number
  readonly hash: string
  /** In seconds. */
  readonly timestamp: number
  /** `undefined` for the fork block if its network did not answer. */
  readonly transactions: number | undefined
  /** `undefined` if there were none, or they are no longer kept. */
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
  /** The numbers of the newest and the first block. */
  readonly latest: number
  readonly first: number
  /** The newest first. */
  readonly blocks: readonly ListedBlock[]
}

/** Resolves with at most `limit` sealed blocks: the newest, or the ones before the block `after`. */
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
/** A limit: more blocks of 200 ms than the longest timeline shows. */
const MOST_EARLIER = 2_000
/** The least width of a block: time may have stood still. */
const ROOM_MS = 50

/**
 * Resolves with the blocks before the block `before` (by default, all) that were sealed since `startMs`, the oldest first. `endMs` is the
 * time when the next block was opened.
 */
export async function earlierBlocks(
  from: Requester,
  { before, startMs, endMs }: { before: number | undefined; startMs: number; endMs: number },
): Promise<LiveBlock[]> {
  const listed: ListedBlock[] = []
  let after = before
  while (listed.length < MOST_EARLIER) {
    const { blocks, first } = await listBlocks(from, PAGE, after)
    // The genesis or the fork block was never open.
    listed.push(...blocks.filter(({ number }) => number > first))
    after = blocks.at(-1)?.number
    if (after === undefined || after <= first + 1 || listed.at(-1)!.timestamp * 1_000 < startMs) break
  }
  return placedBlocks(listed, endMs)
}

/**
 * Places blocks on the timeline. Their timestamps are whole seconds: blocks of one second share the time until the next second. `listed`
 * has the newest first, the result the oldest first.
 */
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
