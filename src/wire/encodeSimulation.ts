/** Simulated blocks in the JSON of eth_simulateV1 (execution-apis `EthSimulateBlockResultSuccess`). */
import type { Block } from '../model/block/block.ts'
import type { Log } from '../model/receipt/log.ts'
import { encodeBlock, encodeLog } from './encode.ts'
import { encodeBytes, encodeQuantity } from './hex.ts'
import type { JsonObject } from './parser.ts'

/** The result of a call. */
export interface EncodableResult {
  readonly returnData: Uint8Array
  readonly logs: readonly { readonly log: Log; readonly index: number }[]
  readonly gasUsed: bigint
  /** The gas used before refunds. */
  readonly gasBeforeRefund: bigint
  /** The reason of the failure. */
  readonly error: object | undefined
}

/** Returns a simulated block with the results of its calls. */
export function encodeSimulatedBlock(
  block: Block,
  results: readonly EncodableResult[],
  transactions: 'full' | 'hashes',
): JsonObject {
  const json = encodeBlock(block, transactions)
  return {
    ...json,
    transactions: (json.transactions as unknown[]).map((transaction, i) =>
      // The transaction has no signature, so the chain id that a legacy `v` would carry is absent.
      transactions === 'full' && block.transactions[i]!.type === 0
        ? { ...(transaction as JsonObject), v: '0x0' }
        : transaction,
    ),
    calls: results.map((result, transactionIndex) => encodeResult(block, result, transactionIndex)),
  }
}

function encodeResult(block: Block, result: EncodableResult, transactionIndex: number): JsonObject {
  const { returnData, logs, gasUsed, gasBeforeRefund, error } = result
  return {
    returnData: encodeBytes(returnData),
    logs: logs.map(({ log, index }) => encodeLog({ log, block, transactionIndex, logIndex: index })),
    gasUsed: encodeQuantity(gasUsed),
    maxUsedGas: encodeQuantity(gasBeforeRefund),
    status: error === undefined ? '0x1' : '0x0',
    ...(error === undefined ? {} : { error }),
  }
}
