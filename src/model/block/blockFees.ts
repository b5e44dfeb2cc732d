/** What the senders of a block's transactions paid for gas. */
import { type Block, briefOf, paymentAt, transactionCount } from './block.ts'

/** In wei. */
export interface BlockFees {
  /** The base fee of the gas, which nobody gets. */
  readonly burnt: bigint
  /** What the fee recipient gets. */
  readonly tips: bigint
}

/** Returns the fees of a block; `undefined` before London, when there was no base fee. */
export function feesIn(block: Block): BlockFees | undefined {
  const { baseFeePerGas } = briefOf(block)
  if (baseFeePerGas === undefined) return undefined
  let burntGas = 0n
  let paid = 0n
  for (let index = 0, count = transactionCount(block); index < count; index++) {
    const { gasUsed, effectiveGasPrice } = paymentAt(block, index)
    // Deposits of an OP chain pay nothing.
    if (effectiveGasPrice < baseFeePerGas) continue
    burntGas += gasUsed
    paid += gasUsed * effectiveGasPrice
  }
  const burnt = burntGas * baseFeePerGas
  return { burnt, tips: paid - burnt }
}
