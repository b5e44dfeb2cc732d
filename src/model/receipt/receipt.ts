/** The result of a transaction in a block. */

import { type Address, EMPTY_BYTES, fromHex, type Hash, toMinimalBytes } from '../../bytes/hex.ts'
import { encodeRlp, withType } from '../../bytes/rlp.ts'
import { contractAddress } from '../account.ts'
import { blobGasOf } from '../block/fees.ts'
import type { Header } from '../block/header.ts'
import { chargedDaFootprint, type L1Charge } from '../l2/l1Fee.ts'
import { effectiveGasPrice, type Transaction } from '../transaction/transaction.ts'
import type { Bloom } from './log.ts'
import { bloomOf, type Log, logFields } from './log.ts'

/** The receipt of a transaction. */
export interface Receipt {
  /** The transaction type of EIP-2718. */
  readonly type: number
  readonly status: 'success' | 'failure'
  /** The state root after the transaction; before Byzantium receipts had it in place of a status (EIP-658). */
  readonly root: Hash | undefined
  readonly gasUsed: bigint
  /** Gas used in the block up to and including this transaction. */
  readonly cumulativeGasUsed: bigint
  /** The price that was paid, in wei per gas (EIP-1559). */
  readonly effectiveGasPrice: bigint
  readonly logs: readonly Log[]
  /** The index in the block of the receipt's first log. */
  readonly firstLogIndex: number
  readonly logsBloom: Bloom
  /**
   * The reason why execution failed. Not part of consensus, and nodes do not keep it; preseal keeps it for error
   * messages.
   */
  readonly failure: ExecutionFailure | undefined
  /** The address of the contract that a creation transaction creates, also if it failed. */
  readonly contractAddress: Address | undefined
  /** Blob gas used and its price in wei per blob gas (EIP-4844); only of transactions with blobs. */
  readonly blobs?: { readonly gasUsed: bigint; readonly gasPrice: bigint }
  /** The fields that an L2 adds; only of transactions on an L2. */
  readonly l2?: L2Receipt
}

/** What the gas of a transaction was and cost. */
export type Payment = Pick<Receipt, 'gasUsed' | 'effectiveGasPrice'>

/** The fields that an L2 adds to a receipt. */
export interface L2Receipt {
  /** The fee for data on L1. */
  readonly l1: L1Charge
  /** The nonce of the sender before a deposit; only of deposits. */
  readonly depositNonce?: bigint
}

/** Returns the gas of a transaction's data on L1 (since Jovian, else zero). A deposit is no data there. */
export function daFootprintIn({ l1, depositNonce }: L2Receipt): bigint {
  return depositNonce === undefined ? (chargedDaFootprint(l1) ?? 0n) : 0n
}

/** Returns what a transaction adds to the `blobGasUsed` of its block: the gas of its blobs; on an L2 that of its data. */
export function blobGasIn({ blobs, l2 }: Pick<Receipt, 'blobs' | 'l2'>): bigint {
  return (blobs?.gasUsed ?? 0n) + (l2 === undefined ? 0n : daFootprintIn(l2))
}

/** The reason why execution failed: the data of a REVERT, or the error that halted the EVM. */
export type ExecutionFailure =
  | { readonly kind: 'revert'; readonly data: Uint8Array }
  | { readonly kind: 'halt'; readonly reason: string }

/** The version of deposit receipts since Canyon, in which the nonce is part of the receipts root. */
export const DEPOSIT_RECEIPT_VERSION = 1n

/**
 * Returns the receipt as it is encoded in the receipts trie (Yellow Paper 4.3.1, EIP-658, EIP-2718; for deposits, the
 * OP Stack's specification).
 */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  const depositNonce = receipt.l2?.depositNonce
  const fields = [
    receipt.root === undefined ? (receipt.status === 'success' ? ONE : EMPTY_BYTES) : fromHex(receipt.root),
    toMinimalBytes(receipt.cumulativeGasUsed),
    receipt.logsBloom,
    receipt.logs.map(logFields),
  ]
  if (depositNonce !== undefined) {
    fields.push(toMinimalBytes(depositNonce), toMinimalBytes(DEPOSIT_RECEIPT_VERSION))
  }
  const encoded = encodeRlp(fields)
  return receipt.type === 0 ? encoded : withType(receipt.type, encoded)
}

const ONE = Uint8Array.of(1)

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
