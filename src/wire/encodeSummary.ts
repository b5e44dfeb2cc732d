/** Blocks in few words, for lists of many. */
import type { Block } from '../model/block/block.ts'
import { encodeQuantity } from './hex.ts'
import type { JsonObject } from './parser.ts'

/** Returns which block it is, and how full. Its hash is zero while it is under construction. */
export function encodeSummary(block: Block): JsonObject {
  return { number: encodeQuantity(block.header.number), hash: block.hash, ...encodeFill(block) }
}

/** Returns how full a block is, with what its transactions depend on. */
export function encodeFill({ header, transactions }: Block): JsonObject {
  const { timestamp, gasUsed, gasLimit, baseFeePerGas } = header
  return {
    timestamp: encodeQuantity(timestamp),
    transactionCount: encodeQuantity(transactions.length),
    gasUsed: encodeQuantity(gasUsed),
    gasLimit: encodeQuantity(gasLimit),
    baseFeePerGas: baseFeePerGas === undefined ? null : encodeQuantity(baseFeePerGas),
  }
}
