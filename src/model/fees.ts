/** The base fee and its relatives. */

import type { Rules } from './hardfork.ts'
import type { Header } from './header.ts'

const ELASTICITY_MULTIPLIER = 2n
const BASE_FEE_MAX_CHANGE_DENOMINATOR = 8n

/** The base fee of the block after `parent`, in wei (EIP-1559); `undefined` before London. */
export function nextBaseFee(parent: Header): bigint | undefined {
  const { baseFeePerGas, gasLimit, gasUsed } = parent
  if (baseFeePerGas === undefined) return undefined
  const target = gasLimit / ELASTICITY_MULTIPLIER
  if (gasUsed === target || target === 0n) return baseFeePerGas
  if (gasUsed > target) {
    const delta = (baseFeePerGas * (gasUsed - target)) / target / BASE_FEE_MAX_CHANGE_DENOMINATOR
    return baseFeePerGas + (delta > 1n ? delta : 1n)
  }
  return baseFeePerGas - (baseFeePerGas * (target - gasUsed)) / target / BASE_FEE_MAX_CHANGE_DENOMINATOR
}

/** The price of blob gas in wei (EIP-4844); `undefined` before Cancun. */
export function blobBaseFee(rules: Rules, excessBlobGas: bigint | undefined): bigint | undefined {
  if (excessBlobGas === undefined) return undefined
  return fakeExponential(rules.param('minBlobGas'), excessBlobGas, rules.param('blobGasPriceUpdateFraction'))
}

/** factor · e^(numerator / denominator), in whole numbers, as EIP-4844 defines it. */
function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  let output = 0n
  let accumulated = factor * denominator
  for (let i = 1n; accumulated > 0n; i++) {
    output += accumulated
    accumulated = (accumulated * numerator) / (denominator * i)
  }
  return output / denominator
}
