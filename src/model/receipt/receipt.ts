import { type Address, EMPTY_BYTES, fromHex, type Hash, toMinimalBytes } from '../../bytes/hex.ts'
import { encodeRlp, withType } from '../../bytes/rlp.ts'
import { contractAddress } from '../account/account.ts'
import { blobGasOf } from '../block/fees.ts'
import type { Header } from '../block/header.ts'
import { chargedDaFootprint, type L1Charge } from '../l2/l1Fee.ts'
import { effectiveGasPrice, type Transaction } from '../transaction/transaction.ts'
import { type Bloom, bloomOf, type Log, logFields } from './log.ts'

export interface Receipt {
  readonly type: number
  readonly status: 'success' | 'failure'
  /** The state root after the transaction. Defined only before Byzantium, when receipts had no status (EIP-658). */
  readonly root: Hash | undefined
  readonly gasUsed: bigint
  /** The gas used in the block up to and including this transaction. */
  readonly cumulativeGasUsed: bigint
  /** The price that the sender paid, in wei per gas (EIP-1559). */
  readonly effectiveGasPrice: bigint
  readonly logs: readonly Log[]
  readonly firstLogIndex: number
  readonly logsBloom: Bloom
  /** Why the transaction failed, for error messages; not part of the consensus receipt. */
  readonly failure: ExecutionFailure | undefined
  /** The address of the contract that the transaction creates, even if the creation failed. */
  readonly contractAddress: Address | undefined
  /** Present only for transactions with blobs (EIP-4844). `gasPrice`: in wei per blob gas. */
  readonly blobs?: { readonly gasUsed: bigint; readonly gasPrice: bigint }
  /** The fields that only the receipts of an L2 have; absent on other chains. */
  readonly l2?: L2Receipt
}

export type GasPayment = Pick<Receipt, 'gasUsed' | 'effectiveGasPrice'>

export interface L2Receipt {
  readonly l1: L1Charge
  /** The nonce of the sender before the transaction; present only for deposits. */
  readonly depositNonce?: bigint
}

/**
 * Returns a transaction's part of the block's `blobGasUsed`: blob gas, or on an L2 the data availability footprint. The
 * footprint of a deposit does not count.
 */
export function blobGasIn({ blobs, l2 }: Pick<Receipt, 'blobs' | 'l2'>): bigint {
  if (blobs !== undefined) return blobs.gasUsed
  return (l2 && l2.depositNonce === undefined && chargedDaFootprint(l2.l1)) || 0n
}

/** The data of a REVERT, or the error that halted the EVM. */
export type ExecutionFailure =
  | { readonly kind: 'revert'; readonly data: Uint8Array }
  | { readonly kind: 'halt'; readonly reason: string }

/** The version of deposit receipts since Canyon. These receipts include the nonce. */
export const DEPOSIT_RECEIPT_VERSION = 1n

/** Returns the receipt as in the receipts trie (Yellow Paper 4.3.1, EIP-658, EIP-2718; deposits: specs.optimism.io). */
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

/** The result of an execution: all values from which a receipt is made. */
export interface ExecutionResult extends Pick<Receipt, 'status' | 'root' | 'gasUsed' | 'logs' | 'failure'> {
  /** The price in wei per blob gas; `undefined` for transactions without blobs. */
  readonly blobGasPrice: bigint | undefined
  readonly l2: L2Receipt | undefined
}

export function executionResult(receipt: Receipt): ExecutionResult {
  const { status, root, gasUsed, logs, failure, blobs, l2 } = receipt
  return { status, root, gasUsed, logs, failure, blobGasPrice: blobs?.gasPrice, l2 }
}

export function receiptsOf(
  { baseFeePerGas = 0n }: Pick<Header, 'baseFeePerGas'>,
  transactions: readonly Transaction[],
  results: readonly ExecutionResult[],
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
      ...(blobGasPrice !== undefined && {
        blobs: { gasUsed: blobGasOf(transaction), gasPrice: blobGasPrice },
      }),
      ...(l2 && { l2 }),
    }
    firstLogIndex += logs.length
    return receipt
  })
}
