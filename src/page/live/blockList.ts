/** Requests sealed blocks (`preseal_listBlocks`), and computes where on the timeline earlier blocks belong. */
import type { Hex } from '../../bytes/hex.ts'
import type { RpcBlockFill } from '../../wire/encode.ts'
import { numberOf, quantity } from '../format.ts'
import type { Requester } from '../source/source.ts'
import { filledBy, type LiveBlock, ROOM_MS } from './rhythm.ts'

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
  /** In an entry for consecutive empty blocks, the number of these blocks. `number` is the newest block. */
  readonly emptyBlocks?: number | undefined
  /** The timestamp of the oldest of these blocks. */
  readonly emptySince?: number | undefined
  /** Blocks that reorgs removed, and whose numbers the blocks of this entry have now. */
  readonly removed: readonly RemovedBlock[]
}

interface RemovedBlock {
  readonly number: Hex
  readonly hash: Hex
}

type ListedAnswer = Omit<RpcBlockFill, 'transactionCount' | 'depositCount'> & {
  readonly number: Hex
  readonly hash: Hex
  readonly transactionCount: Hex | null
  readonly slices: Hex | null
  readonly emptyBlocks?: Hex
  readonly emptySince?: Hex
  readonly removed?: readonly RemovedBlock[]
}

interface ListAnswer {
  readonly latest: Hex
  readonly first: Hex
  readonly total: Hex
  readonly blocks: readonly ListedAnswer[]
}

interface BlocksPart {
  readonly limit: number
  /** The list begins at the block before this number. */
  readonly after?: number | undefined
  readonly offset?: number
  /** With `joined`, consecutive empty blocks are one entry. */
  readonly empty?: 'each' | 'joined'
}

/** Resolves to a part of the list of sealed blocks, newest first. */
export async function listBlocks(from: Requester, { after, ...part }: BlocksPart) {
  const page = { ...part, ...(after !== undefined && { after: quantity(after) }) }
  const answer = await from.request<ListAnswer>('preseal_listBlocks', [page])
  return {
    latest: numberOf(answer.latest),
    first: numberOf(answer.first),
    total: numberOf(answer.total),
    blocks: answer.blocks.map(listed),
  }
}

function listed(answer: ListedAnswer): ListedBlock {
  const { number, hash, transactionCount, slices, removed = [], ...others } = answer
  const { emptyBlocks, emptySince } = others
  return {
    ...filledBy({ ...others, transactionCount: transactionCount ?? '0x0', depositCount: '0x0' }),
    number: numberOf(number),
    hash,
    transactions: transactionCount === null ? undefined : numberOf(transactionCount),
    slices: slices === null ? undefined : numberOf(slices),
    removed,
    ...(emptyBlocks && { emptyBlocks: numberOf(emptyBlocks), emptySince: numberOf(emptySince) }),
  }
}

export interface BlockRange {
  readonly from: number
  /** `undefined` for the newest block. */
  readonly to: number | undefined
}

/** Resolves to rows of the list of blocks, and to their number. Without a range, empty blocks are joined. */
export async function listRows(
  from: Requester,
  range: BlockRange | undefined,
  offset: number,
  limit: number,
): Promise<{ readonly latest: number; readonly total: number; readonly rows: readonly ListedBlock[] }> {
  const after = range?.to === undefined ? undefined : range.to + 1
  const empty = range === undefined ? 'joined' : 'each'
  const { latest, first, total, blocks } = await listBlocks(from, { limit, offset, after, empty })
  if (range === undefined) return { latest, total, rows: blocks }
  // Pruned blocks are not listed. The list contains the first block, and all blocks from `oldest` to `latest`.
  const oldest = latest + 2 - total
  const start = Math.min(range.to ?? latest, latest)
  const hasFirst = range.from <= first && start >= first
  const count = Math.max(0, start - Math.max(range.from, oldest) + 1) + (hasFirst ? 1 : 0)
  return { latest, total: count, rows: blocks.slice(0, Math.max(0, count - offset)) }
}

/** The longest time without transactions that a timeline shows in full, as a share of the timeline's length. */
export const LONGEST_GAP = 1 / 6

/** The assumed minimum time between blocks, which limits the number of requested blocks. */
const SHORT_BLOCK_MS = 200

/**
 * Resolves to blocks before the block `before` that have transactions, oldest first: as many as fill `windowMs`.
 * The block before `before` was sealed at `endMs`.
 */
export async function earlierBlocks(
  from: Requester,
  { before, endMs, windowMs }: { before: number | undefined; endMs: number; windowMs: number },
): Promise<readonly LiveBlock[]> {
  const limit = Math.min(1_000, Math.ceil(windowMs / SHORT_BLOCK_MS))
  const { blocks, first } = await listBlocks(from, { limit, after: before, empty: 'joined' })
  // The first block (genesis or fork block) was never open, so the timeline omits it.
  const made = blocks.filter(({ number }) => number > first)
  return placedBlocks(made, endMs).filter(({ emptyBlocks }) => emptyBlocks === undefined)
}

type PlacedBlock = LiveBlock & { readonly sealedMs: number; readonly emptyBlocks?: number | undefined }

/** Assigns times to blocks. Blocks with equal timestamps are spread evenly. `listed` begins with the newest block. */
export function placedBlocks(listed: readonly ListedBlock[], endMs: number): readonly PlacedBlock[] {
  const placed: PlacedBlock[] = []
  let nextMs = endMs
  for (let begin = 0, end = 0; begin < listed.length; begin = end) {
    const timestamp = startOf(listed[begin])
    while (end < listed.length && startOf(listed[end]) === timestamp) end++
    const same = listed.slice(begin, end)
    const eachMs = Math.max(ROOM_MS, (nextMs - timestamp * 1_000) / same.length)
    for (const { slices, transactions = 0, ...others } of same) {
      const times = { openedMs: nextMs - eachMs, sealedMs: nextMs, removedMs: undefined }
      placed.push({ ...others, ...times, transactions, slices: [], sliceCount: slices ?? null })
      nextMs -= eachMs
    }
  }
  return placed.reverse()
}

/** Returns the timestamp of a block or, in an entry for several empty blocks, of the oldest of these blocks. */
function startOf(listed: ListedBlock | undefined): number {
  return listed?.emptySince ?? listed?.timestamp ?? 0
}
