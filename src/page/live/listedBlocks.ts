/** Sealed blocks in few words, as `preseal_listBlocks` has them. */
import { numberOf } from '../format/quantity.ts'
import type { Hex } from '../source/answers.ts'
import type { Source } from '../source/source.ts'

export interface ListedBlock {
  readonly number: number
  readonly hash: string
  /** Seconds, as the header has it. */
  readonly timestamp: number
  /** `undefined` of the block on which a fork began, where its network does not tell. */
  readonly transactions: number | undefined
  /** `undefined` where slices are no longer kept, or there were none. */
  readonly slices: number | undefined
  readonly gasUsed: number
  readonly gasLimit: number
  readonly baseFeePerGas: bigint | undefined
}

interface ListAnswer {
  readonly latest: Hex
  readonly first: Hex
  readonly blocks: readonly {
    readonly number: Hex
    readonly hash: Hex
    readonly timestamp: Hex
    readonly transactionCount: Hex | null
    readonly slices: Hex | null
    readonly gasUsed: Hex
    readonly gasLimit: Hex
    readonly baseFeePerGas: Hex | null
  }[]
}

export interface BlockList {
  /** Numbers of the newest block and of the first. */
  readonly latest: number
  readonly first: number
  /** The newest first. */
  readonly blocks: readonly ListedBlock[]
}

/** Resolves with at most `limit` sealed blocks: the newest, or those before the block `after`. */
export async function listBlocks(
  from: Pick<Source, 'request'>,
  limit: number,
  after?: number,
): Promise<BlockList> {
  const page = { limit, ...(after !== undefined && { after: `0x${after.toString(16)}` }) }
  const { latest, first, blocks } = await from.request<ListAnswer>('preseal_listBlocks', [page])
  return {
    latest: numberOf(latest),
    first: numberOf(first),
    blocks: blocks.map((block) => ({
      number: numberOf(block.number),
      hash: block.hash,
      timestamp: numberOf(block.timestamp),
      transactions: block.transactionCount === null ? undefined : numberOf(block.transactionCount),
      slices: block.slices === null ? undefined : numberOf(block.slices),
      gasUsed: numberOf(block.gasUsed),
      gasLimit: numberOf(block.gasLimit),
      baseFeePerGas: block.baseFeePerGas === null ? undefined : BigInt(block.baseFeePerGas),
    })),
  }
}
