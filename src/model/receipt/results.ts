/**
 * The results of execution that do not follow from a transaction and its block, and the receipts that are made from
 * them.
 */

import type { Header } from '../block/header.ts'
import { contractAddress } from '../transaction/contractAddress.ts'
import { blobGasOf } from '../transaction/fees.ts'
import { effectiveGasPrice, type Transaction } from '../transaction/transaction.ts'
import { bloomOf } from './bloom.ts'
import type { L2Receipt, Receipt } from './receipt.ts'

/** The result of a transaction's execution. */
export interface Result extends Pick<Receipt, 'status' | 'root' | 'gasUsed' | 'logs' | 'failure'> {
  /** In wei per blob gas; only of transactions with blobs. */
  readonly blobGasPrice: bigint | undefined
  /** The fields that an L2 adds to the receipt; only of transactions on an L2. */
  readonly l2: L2Receipt | undefined
}

/** Returns the result in a receipt. */
export function resultOf({ status, root, gasUsed, logs, failure, blobs, l2 }: Receipt): Result {
  return { status, root, gasUsed, logs, failure, blobGasPrice: blobs?.gasPrice, l2 }
}

/** Returns the receipts of a block's transactions, one for each of `results`. */
export function receiptsOf(
  { baseFeePerGas = 0n }: Pick<Header, 'baseFeePerGas'>,
  transactions: readonly Transaction[],
  results: readonly Result[],
): Receipt[] {
  let cumulativeGasUsed = 0n
  let firstLogIndex = 0
  return results.map(({ status, root, gasUsed, logs, failure, blobGasPrice, l2 }, index) => {
    const transaction = transactions[index]!
    const { type, from, to, nonce } = transaction
    cumulativeGasUsed += gasUsed
    const receipt: Receipt = {
      type,
      status,
      root,
      gasUsed,
      cumulativeGasUsed,
      effectiveGasPrice: effectiveGasPrice(transaction, baseFeePerGas),
      logs,
      firstLogIndex,
      logsBloom: bloomOf(logs),
      failure,
      contractAddress: to === undefined ? contractAddress(from, l2?.depositNonce ?? nonce) : undefined,
      ...(blobGasPrice === undefined
        ? {}
        : { blobs: { gasUsed: blobGasOf(transaction), gasPrice: blobGasPrice } }),
      ...(l2 === undefined ? {} : { l2 }),
    }
    firstLogIndex += logs.length
    return receipt
  })
}
