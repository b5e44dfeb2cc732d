/** What the view of a block asks for. */
import type { BlockAnswer, Hex, ReceiptAnswer, TransactionAnswer } from '../../source/answers.ts'
import type { Source } from '../../source/source.ts'

export interface SliceAnswer {
  readonly index: Hex
  /** The hashes of those that it added. */
  readonly transactions: readonly Hex[]
  readonly gasUsed: Hex
  /** The block after the slice. */
  readonly block: BlockAnswer
}

export interface WholeBlock {
  readonly block: BlockAnswer
  readonly transactions: readonly TransactionAnswer[]
  /** By hash; none where a node does not tell them yet. */
  readonly receipts: ReadonlyMap<string, ReceiptAnswer>
  /** None where they were pruned or never existed. */
  readonly slices: readonly SliceAnswer[]
  /** The number of the newest sealed block. */
  readonly latest: number
}

const TAGS = new Set(['pending', 'latest', 'earliest', 'safe', 'finalized'])

/** Returns what methods take for the block that the address names; `undefined` for what names none. */
export function selectorOf(id: string): string | undefined {
  if (TAGS.has(id) || /^0x[0-9a-f]{64}$/i.test(id)) return id.toLowerCase()
  return /^\d{1,15}$/.test(id) ? `0x${BigInt(id).toString(16)}` : undefined
}

/** Resolves with a block and what is told about it; `null` if there is none. */
export async function wholeBlock(id: string, request: Source['request']): Promise<WholeBlock | null> {
  const selector = selectorOf(id)
  if (selector === undefined) return null
  const isHash = selector.length === 66
  const method = isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
  const [block, latest] = await Promise.all([
    request<BlockAnswer | null>(method, [selector, true]),
    request<Hex>('eth_blockNumber', []),
  ])
  if (block === null) return null
  // A block under construction is asked for by its tag: its number is not there yet.
  const isOpen = Number(block.number) > Number(latest)
  const at = isOpen ? 'pending' : (block.hash ?? block.number)
  const [receipts, slices] = await Promise.all([
    request<ReceiptAnswer[] | null>('eth_getBlockReceipts', [at]).catch(() => null),
    request<SliceAnswer[]>('preseal_getSlices', [at]).catch(() => []),
  ])
  return {
    block,
    transactions: block.transactions as readonly TransactionAnswer[],
    receipts: new Map(receipts?.map((receipt) => [receipt.transactionHash, receipt])),
    slices,
    latest: Number(latest),
  }
}

/** Returns the block as it was after one of its slices; as it is now if it has no such slice. */
export function atSlice(whole: WholeBlock, index: number | undefined): WholeBlock {
  const slice = whole.slices.find((each) => Number(each.index) === index)
  if (slice === undefined) return whole
  const { block } = slice
  return {
    ...whole,
    block: { ...block, withdrawals: whole.block.withdrawals },
    transactions: whole.transactions.slice(0, block.transactions.length),
  }
}
