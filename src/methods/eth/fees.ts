import { feeHistory } from '../../chain/feeHistory.ts'
import { blockNumberOf } from '../../chain/logs.ts'
import { blobBaseFee } from '../../model/block/fees.ts'
import type { Selector } from '../../model/block/selector.ts'
import { params, read, readIn } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import type { ForkedNetwork } from '../../upstream/forkedNetwork.ts'
import type { Dialect } from '../../wire/dialect.ts'
import { encodeQuantity, parseUint64OrNumber } from '../../wire/hex.ts'
import { arrayOf, InvalidValue, optional, type Parser } from '../../wire/parser.ts'
import { parseNumberOrTag } from '../../wire/selector.ts'

/** The suggested tip, 1 gwei. Any tip would be sufficient, because blocks are rarely full. */
export const suggestedTip = 1_000_000_000n

export const eth_gasPrice = read(params(), (context) => encodeQuantity(baseFeeToPay(context) + suggestedTip))

/** Returns the base fee that a new transaction must cover, in wei per gas. */
export function baseFeeToPay({ upcoming }: ReadContext): bigint {
  const { baseFeePerGas = 0n } = upcoming.fees
  const { baseFeePerGas: override = 0n } = upcoming.cheats.next
  return override > baseFeePerGas ? override : baseFeePerGas
}

export const eth_maxPriorityFeePerGas = read(params(), () => encodeQuantity(suggestedTip))

/** Returns the base fee of the open block, or of the next block if none is open; `null` before London, as in geth. */
export const eth_baseFee = read(params(), ({ upcoming }) => {
  const { baseFeePerGas } = upcoming.fees
  return baseFeePerGas === undefined ? null : encodeQuantity(baseFeePerGas)
})

/** Returns the blob base fee of the newest sealed block, in wei per blob gas; `null` before Cancun, as in geth. */
export const eth_blobBaseFee = read(params(), ({ chain, evms }) => {
  const { header } = chain.latest.block
  const fee = blobBaseFee(evms.schedule.at(header), header.excessBlobGas)
  return fee === undefined ? null : encodeQuantity(fee)
})

/** The maximum number of blocks in a response (execution-apis). */
const MAX_BLOCKS = 1024n

const parsePercentileList = arrayOf<number>((item, at) => {
  if (typeof item !== 'number' || !(item >= 0 && item <= 100))
    throw new InvalidValue(at, 'a number from 0 to 100', item)
  return item
}, 'an array of percentiles')

/** Returns a parser of ascending percentiles. geth refuses equal percentiles, reth accepts them. */
function percentilesIn(dialect: Dialect): Parser<number[]> {
  const mayBeEqual = dialect === 'base'
  const expected = mayBeEqual ? 'a percentile not less than' : 'a percentile greater than'
  return (value, path) => {
    const percentiles = parsePercentileList(value, path)
    if (percentiles.length > 100) throw new InvalidValue(path, 'at most 100 percentiles', value)
    for (const [i, percentile] of percentiles.entries()) {
      const before = percentiles[i - 1]
      if (before === undefined || percentile > before || (mayBeEqual && percentile === before)) continue
      throw new InvalidValue(`${path}[${i}]`, `${expected} ${before}, the one before it`, percentile)
    }
    return percentiles
  }
}

export const eth_feeHistory = readIn(
  (dialect) => params(parseUint64OrNumber, parseNumberOrTag, optional(percentilesIn(dialect))),
  (context, asked, newest, percentiles = []) => {
    const count = asked < MAX_BLOCKS ? asked : MAX_BLOCKS
    const { network, chain } = context
    const here = (newer: bigint) => feeHistoryUpTo(context, newest, newer, percentiles)
    if (network === undefined) return here(count)
    const number = blockNumberOf(chain, newest)
    if (number > chain.pending.block.header.number) return here(count)
    const head = chain.latest.block.header.number
    return feeHistoryOnFork(network, { count, newest: number < head ? number : head, percentiles }, here)
  },
)

/** Returns the fees of the last `count` blocks up to `newest`, or of fewer blocks if the devnet lacks older blocks. */
function feeHistoryUpTo(
  context: ReadContext,
  newest: Selector,
  count: bigint,
  percentiles: readonly number[],
): FeeHistoryJson {
  const { chain, evms, upcoming } = context
  const found = context.blockAt(newest)
  // A pre-confirmed block may still change, so the newest sealed block ends the history.
  const block = found === chain.preconfirmed?.block ? chain.latest.block : found
  const { history: blocks } = chain.state
  const history = feeHistory(evms.schedule, blocks, block, Number(count), percentiles, upcoming.fees)
  return {
    oldestBlock: encodeQuantity(history.oldestBlock),
    baseFeePerGas: history.baseFeePerGas.map(encodeQuantity),
    gasUsedRatio: history.gasUsedRatio,
    baseFeePerBlobGas: history.baseFeePerBlobGas.map(encodeQuantity),
    blobGasUsedRatio: history.blobGasUsedRatio,
    ...(history.reward && { reward: history.reward.map((tips) => tips.map(encodeQuantity)) }),
  }
}

/** The result of eth_feeHistory. As in geth, blocks before Cancun have no members about blobs. */
interface FeeHistoryJson {
  readonly oldestBlock: string
  readonly baseFeePerGas: readonly string[]
  readonly gasUsedRatio: readonly number[]
  readonly baseFeePerBlobGas?: readonly string[]
  readonly blobGasUsedRatio?: readonly number[]
  readonly reward?: readonly (readonly string[])[]
}

/** Returns the fees of `count` blocks across the fork block. `here` returns the fees of the devnet's last blocks. */
async function feeHistoryOnFork(
  network: ForkedNetwork,
  { count, newest, percentiles }: { count: bigint; newest: bigint; percentiles: readonly number[] },
  here: (count: bigint) => FeeHistoryJson,
): Promise<FeeHistoryJson> {
  const { number: fork } = network.block
  const newer = newest > fork ? newest - fork : 0n
  if (newer >= count) return here(count)
  // Called even if `newer` is 0 (`newest` is the fork block), because the devnet sets the base fee of the next block.
  const own = newest < fork ? undefined : here(newer)
  // If blocks after the fork block have been pruned, the history begins after the pruned blocks.
  if (own !== undefined && BigInt(own.oldestBlock) > fork + 1n) return own
  const last = newest < fork ? newest : fork
  const params = [encodeQuantity(count - newer), encodeQuantity(last), percentiles]
  const older = (await network.ask({ method: 'eth_feeHistory', params })) as FeeHistoryJson
  return own === undefined ? older : joined(older, own)
}

/** Joins histories of adjacent blocks. Drops the last base fee of `older`, which is the first of `newer`. */
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
