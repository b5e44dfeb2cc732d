/** The fee history of a chain that was forked from a network: that of the network up to the fork block, then its own. */
import type { ForkedNetwork } from '../../upstream/forkedNetwork.ts'
import { encodeQuantity } from '../../wire/hex.ts'

/** The result of eth_feeHistory as JSON. Nodes before Cancun have no members about blobs. */
export interface FeeHistoryJson {
  readonly oldestBlock: string
  readonly baseFeePerGas: readonly string[]
  readonly gasUsedRatio: readonly number[]
  readonly baseFeePerBlobGas?: readonly string[]
  readonly blobGasUsedRatio?: readonly number[]
  readonly reward?: readonly (readonly string[])[]
}

/**
 * Returns the history of `count` blocks up to `newest`. `here` returns that of the last `count` blocks, all of them after
 * the fork block.
 */
export async function feeHistoryOnFork(
  network: ForkedNetwork,
  { count, newest, percentiles }: { count: bigint; newest: bigint; percentiles: readonly number[] },
  here: (count: bigint) => FeeHistoryJson,
): Promise<FeeHistoryJson> {
  const { number: fork } = network.block
  const newer = newest > fork ? newest - fork : 0n
  if (newer >= count) return here(count)
  const own = newer === 0n ? undefined : here(newer)
  // Blocks after the fork block may have been pruned: a history has no gaps.
  if (own !== undefined && BigInt(own.oldestBlock) > fork + 1n) return own
  const last = newest < fork ? newest : fork
  const params = [encodeQuantity(count - newer), encodeQuantity(last), percentiles]
  const older = (await network.ask({ method: 'eth_feeHistory', params })) as FeeHistoryJson
  return own === undefined ? older : joined(older, own)
}

/** Joins the histories of adjacent blocks. The older one has the base fee of the block after it, the first of the newer one. */
function joined(older: FeeHistoryJson, newer: FeeHistoryJson): FeeHistoryJson {
  const blobs = older.baseFeePerBlobGas ?? older.baseFeePerGas.map(() => '0x0')
  const ratios = older.blobGasUsedRatio ?? older.gasUsedRatio.map(() => 0)
  return {
    oldestBlock: older.oldestBlock,
    baseFeePerGas: [...older.baseFeePerGas.slice(0, -1), ...newer.baseFeePerGas],
    gasUsedRatio: [...older.gasUsedRatio, ...newer.gasUsedRatio],
    baseFeePerBlobGas: [...blobs.slice(0, -1), ...(newer.baseFeePerBlobGas ?? [])],
    blobGasUsedRatio: [...ratios, ...(newer.blobGasUsedRatio ?? [])],
    ...(newer.reward === undefined ? {} : { reward: [...(older.reward ?? []), ...newer.reward] }),
  }
}
