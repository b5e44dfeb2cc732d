/** What a transaction left behind. */

import { type Address, EMPTY_BYTES, fromHex, type Hash, toMinimalBytes } from '../bytes/hex.ts'
import { encodeRlp, withType } from '../bytes/rlp.ts'
import type { L1Charge } from '../l2/l1Fee.ts'
import type { Bloom } from './bloom.ts'
import { type Log, logFields } from './log.ts'

export interface Receipt {
  /** EIP-2718 transaction type. */
  readonly type: number
  readonly status: 'success' | 'failure'
  /** The state after the transaction, which a receipt had in place of a status before Byzantium (EIP-658). */
  readonly root: Hash | undefined
  readonly gasUsed: bigint
  /** Gas used in the block up to and with this transaction. */
  readonly cumulativeGasUsed: bigint
  /** Wei per gas that were really paid. */
  readonly effectiveGasPrice: bigint
  readonly logs: readonly Log[]
  /** The index in the block of this receipt's first log. */
  readonly firstLogIndex: number
  readonly logsBloom: Bloom
  /** Why it failed. No part of consensus: nodes forget it, people want to know. */
  readonly failure: ExecutionFailure | undefined
  /** The contract that a creation made, whether or not it succeeded. */
  readonly contractAddress: Address | undefined
  /** Of a transaction with blobs: what they took, and wei per blob gas (EIP-4844). */
  readonly blobs?: { readonly gasUsed: bigint; readonly gasPrice: bigint }
  /** Of a transaction on an L2. */
  readonly l2?: L2Receipt
}

/** What an L2 has to say about a transaction. */
export interface L2Receipt {
  /** What it paid for L1. */
  readonly l1: L1Charge
  /** Of a deposit: the nonce that its sender had. */
  readonly depositNonce?: bigint
}

/** The data of a REVERT, or what stopped the machine. */
export type ExecutionFailure =
  | { readonly kind: 'revert'; readonly data: Uint8Array }
  | { readonly kind: 'halt'; readonly reason: string }

/** The version of deposits' receipts since Canyon: their nonce is in the receipts root. */
export const DEPOSIT_RECEIPT_VERSION = 1n

/** The receipt as it stands in the receipts trie (Yellow Paper 4.3.1, EIP-658, EIP-2718; of a deposit, OP Stack). */
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
