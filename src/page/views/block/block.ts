import type { Hex } from '../../../bytes/hex.ts'
import type { RpcBlockSummary } from '../../../wire/blockContent.ts'
import type { RpcBlock, RpcReceipt, RpcTransaction } from '../../../wire/encode.ts'
import { isHash, quantity } from '../../format.ts'
import { isTag } from '../../moment.ts'
import { type Ask, type BlockContent, contentOf, type SliceCounts, slicesOf } from '../../source/source.ts'

export interface ShownBlock {
  readonly block: RpcBlockSummary
  readonly transactionCount: number
  readonly logCount: number
  /** The fees in wei. `undefined` before London, or if unknown. */
  readonly fees: BlockFees | undefined
  /** Empty if the block had no slices, or if the devnet no longer stores them. */
  readonly slices: readonly SliceCounts[]
  readonly latest: number
  /** The block parameter of requests about this block. It is `pending` while the block is open. */
  readonly at: string
  readonly content: BlockContent
}

export interface BlockFees {
  readonly burnt: bigint
  readonly tips: bigint
}

export function selectorOf(id: string): string | undefined {
  if (isTag(id) || isHash(id)) return id.toLowerCase()
  return /^\d{1,15}$/.test(id) ? quantity(BigInt(id)) : undefined
}

/** Resolves to a block, or to `null` if there is none. Reuses the slices of `before`, the previous result. */
export async function shownBlock(id: string, request: Ask, before?: ShownBlock): Promise<ShownBlock | null> {
  const selector = selectorOf(id)
  if (selector === undefined) return null
  const [summary, latest] = await Promise.all([
    request<RpcBlockSummary | null>('preseal_getBlockSummary', [selector]),
    request<Hex>('eth_blockNumber'),
  ])
  if (summary === null) return blockOfNetwork(selector, Number(latest), request)
  const isOpen = Number(summary.number) > Number(latest)
  const at = isOpen ? 'pending' : (summary.hash ?? summary.number)
  return {
    block: summary,
    transactionCount: Number(summary.transactionCount),
    logCount: Number(summary.logCount),
    fees: summary.fees === null ? undefined : parsedFees(summary.fees),
    slices: await slicesAt(at, summary, request, before).catch(() => []),
    latest: Number(latest),
    at,
    content: contentOf({ request }, at),
  }
}

export function parsedFees({ burnt, tips }: NonNullable<RpcBlockSummary['fees']>): BlockFees {
  return { burnt: BigInt(burnt), tips: BigInt(tips) }
}

/** Resolves to the slices of a block. For the open block, requests only the slices that `before` lacks. */
async function slicesAt(
  at: string,
  { number, transactionCount }: RpcBlockSummary,
  request: Ask,
  before: ShownBlock | undefined,
): Promise<readonly SliceCounts[]> {
  if (at === 'pending' && before?.at === at && before.block.number === number) {
    const known = before.slices
    const last = known.at(-1)
    const more = last === undefined ? [] : await slicesOf({ request }, at, last.index)
    const all = [...known, ...more]
    const total = all.reduce((sum, slice) => sum + Number(slice.transactionCount), 0)
    // If the counts differ, `known` belongs to another block with this number.
    if (last !== undefined && total === Number(more.at(-1)?.block.transactionCount ?? transactionCount))
      return all
  }
  return slicesOf({ request }, at)
}

/** Resolves to a block of the forked network, with all its receipts, or to `null` if it does not exist. */
async function blockOfNetwork(selector: string, latest: number, request: Ask): Promise<ShownBlock | null> {
  const method = selector.length === 66 ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
  const whole = await request<RpcBlock | null>(method, [selector, true])
  if (whole === null) return null
  const at = whole.hash ?? whole.number
  const answered = await request<RpcReceipt[] | null>('eth_getBlockReceipts', [at]).catch(() => null)
  const receipts = new Map(answered?.map((receipt) => [receipt.transactionHash, receipt]))
  const { transactions, ...header } = whole
  const all = transactions as readonly RpcTransaction[]
  const listed = all.map(({ hash, from, to, value, input }, index) => {
    const { status = null, gasUsed = null, contractAddress = null } = receipts.get(hash) ?? {}
    const place = quantity(index)
    return { index: place, hash, from, to, value, input, status, gasUsed, contractAddress }
  })
  const logs = all.flatMap(({ hash }) => receipts.get(hash)?.logs ?? [])
  const blobs = all.flatMap(({ hash, blobVersionedHashes }) =>
    ((blobVersionedHashes ?? []) as readonly Hex[]).map((versionedHash) => ({
      versionedHash,
      transactionHash: hash,
    })),
  )
  return {
    block: { ...header, blobs, removed: false } as unknown as RpcBlockSummary,
    transactionCount: all.length,
    logCount: logs.length,
    fees: feesIn(
      whole,
      all.map(({ hash }) => receipts.get(hash)),
    ),
    slices: [],
    latest,
    at,
    content: {
      transactions: async (first, end) => listed.slice(first, end),
      logs: async (first, end) => logs.slice(first, end),
    },
  }
}

const OF_WHOLE = { stateRoot: null, transactionsRoot: null, receiptsRoot: null, logsBloom: null, size: null }

export function atSlice(shown: ShownBlock, slice: number): ShownBlock | undefined {
  const end = shown.slices.findIndex(({ index }) => Number(index) === slice)
  if (end === -1) return undefined
  const until = shown.slices.slice(0, end + 1)
  const { transactionCount, ...fill } = until.at(-1)!.block
  return {
    ...shown,
    block: { ...shown.block, ...OF_WHOLE, ...fill } as RpcBlockSummary,
    transactionCount: Number(transactionCount),
    logCount: until.reduce((sum, { logCount }) => sum + Number(logCount), 0),
    fees: undefined,
  }
}

/** Returns the fees paid for gas. Returns `undefined` before London, or if a receipt is missing. */
export function feesIn(
  { baseFeePerGas }: RpcBlock,
  receipts: readonly (RpcReceipt | undefined)[],
): BlockFees | undefined {
  if (baseFeePerGas === undefined || receipts.includes(undefined)) return undefined
  const base = BigInt(baseFeePerGas)
  let burnt = 0n
  let tips = 0n
  for (const { gasUsed, effectiveGasPrice } of receipts as readonly RpcReceipt[]) {
    const price = BigInt(effectiveGasPrice)
    // Deposits on an OP chain pay no fees.
    if (price < base) continue
    burnt += BigInt(gasUsed) * base
    tips += BigInt(gasUsed) * (price - base)
  }
  return { burnt, tips }
}
