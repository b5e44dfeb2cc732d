/** The fees that Hardhat gives to a transaction without them (`AutomaticGasPriceHandler`). */
import type { Devnet } from '../devnet/devnet.ts'
import { encodeQuantity } from '../wire/hex.ts'

type Transaction = Readonly<Record<string, unknown>>

/** The types of transactions that have a gas price instead of fees. */
const LEGACY: ReadonlySet<unknown> = new Set(['0x0', '0x1'])

/**
 * Returns the fees that `transaction` lacks; none if it has a gas price or both fees, or if blocks have no base fee.
 * The fee limit lets two full blocks pass. The priority fee is the median of the last block.
 */
export async function missingFees({ provider }: Devnet, transaction: Transaction): Promise<Transaction> {
  const { type, gasPrice, maxFeePerGas: limit, maxPriorityFeePerGas: priority } = transaction
  if (LEGACY.has(type) || gasPrice !== undefined || (limit !== undefined && priority !== undefined)) return {}
  const history = (await provider.request({ method: 'eth_feeHistory', params: ['0x1', 'latest', [50]] })) as {
    readonly baseFeePerGas: readonly string[]
    readonly reward?: readonly (readonly string[])[]
  }
  const baseFee = BigInt(history.baseFeePerGas.at(-1) ?? 0)
  if (baseFee === 0n) return {}
  const suggested = async () => {
    const median = BigInt(history.reward?.[0]?.[0] ?? 0)
    if (median > 0n) return median
    const tip = BigInt((await provider.request({ method: 'eth_maxPriorityFeePerGas' })) as string)
    return tip > 0n ? tip : 1n
  }
  const maxPriorityFeePerGas = priority === undefined ? await suggested() : BigInt(priority as string)
  const maxFee = limit === undefined ? (baseFee * 81n) / 64n : BigInt(limit as string)
  const maxFeePerGas = maxFee < maxPriorityFeePerGas ? maxFee + maxPriorityFeePerGas : maxFee
  return {
    maxFeePerGas: encodeQuantity(maxFeePerGas),
    maxPriorityFeePerGas: encodeQuantity(maxPriorityFeePerGas),
  }
}
