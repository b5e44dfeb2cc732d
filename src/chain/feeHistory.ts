import { type Block, paymentAt, transactionCount } from '../model/block/block.ts'
import { type BlockFees, blobBaseFee, blobGasLimit, feesAfter, feesOf } from '../model/block/fees.ts'
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import type { History } from './history.ts'

/** The result of eth_feeHistory, oldest block first. Both lists of base fees end with the next block's base fee. */
export interface FeeHistory {
  readonly oldestBlock: bigint
  /** The base fees in wei per gas. */
  readonly baseFeePerGas: readonly bigint[]
  readonly gasUsedRatio: readonly number[]
  /** The blob base fees in wei per blob gas. */
  readonly baseFeePerBlobGas: readonly bigint[]
  readonly blobGasUsedRatio: readonly number[]
  /** The tips at the requested percentiles of each block's gas, in wei per gas; `undefined` without percentiles. */
  readonly reward: readonly (readonly bigint[])[] | undefined
}

/** Returns fees of at most `count` blocks up to `newest`. The default `next` assumes no hardfork by timestamp. */
export function feeHistory(
  schedule: ForkSchedule,
  history: History,
  newest: Block,
  count: number,
  percentiles: readonly number[],
  next: BlockFees = feesAfterBlock(schedule, history.latest.block),
): FeeHistory {
  const last = Number(newest.header.number)
  // The first block is always kept, so `newest` may be older than `history.oldest`.
  const first = Math.min(last, Math.max(last - count + 1, history.oldest))
  const blocks: Block[] = []
  for (let number = first; number < last; number++) blocks.push(history.block(number)!)
  if (count > 0) blocks.push(newest)
  const after = history.block(last + 1)
  const { baseFeePerGas = 0n, blobBaseFee: nextBlobBaseFee = 0n } =
    after === undefined ? next : feesOf(schedule.at(after.header), after.header)
  return {
    oldestBlock: BigInt(first),
    baseFeePerGas: [...blocks.map(({ header }) => header.baseFeePerGas ?? 0n), baseFeePerGas],
    gasUsedRatio: blocks.map(({ header }) => ratio(header.gasUsed, header.gasLimit)),
    baseFeePerBlobGas: [
      ...blocks.map(({ header }) => blobBaseFee(schedule.at(header), header.excessBlobGas) ?? 0n),
      nextBlobBaseFee,
    ],
    blobGasUsedRatio: blocks.map(({ header }) =>
      ratio(header.blobGasUsed ?? 0n, blobGasLimit(schedule.at(header), header.gasLimit)),
    ),
    reward: percentiles.length === 0 ? undefined : blocks.map((block) => tips(block, percentiles)),
  }
}

function feesAfterBlock(schedule: ForkSchedule, { header }: Block): BlockFees {
  return feesAfter(schedule.at({ ...header, number: header.number + 1n }), header)
}

function ratio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number(part) / Number(whole)
}

/** Returns the tip at each percentile of the gas used in the block, with the transactions ordered by tip. */
function tips(block: Block, percentiles: readonly number[]): bigint[] {
  const baseFeePerGas = block.header.baseFeePerGas ?? 0n
  const paid = Array.from({ length: transactionCount(block) }, (_, index) => paymentAt(block, index))
    .map(({ gasUsed, effectiveGasPrice }) => ({
      // A deposit pays no fee. Without this case its tip would be negative.
      tip: effectiveGasPrice === 0n ? 0n : effectiveGasPrice - baseFeePerGas,
      gas: Number(gasUsed),
    }))
    .sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0))
  return percentiles.map((percentile) => {
    // The threshold is rounded down to whole units of gas, as in geth (eth/gasprice/feehistory.go) and reth.
    const threshold = Math.floor((Number(block.header.gasUsed) * percentile) / 100)
    let sum = 0
    for (const { tip, gas } of paid) {
      sum += gas
      if (sum >= threshold) return tip
    }
    return paid.at(-1)?.tip ?? 0n
  })
}
