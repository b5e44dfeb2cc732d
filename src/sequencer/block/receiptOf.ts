/** The receipt of a transaction, from its outcome. */
import type { BlockContext } from '../../engine/blockContext.ts'
import type { Outcome } from '../../engine/outcome.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { bloomOf } from '../../model/receipt/bloom.ts'
import type { ExecutionFailure, L2Receipt, Receipt } from '../../model/receipt/receipt.ts'
import { contractAddress } from '../../model/transaction/contractAddress.ts'
import { blobGasOf } from '../../model/transaction/fees.ts'
import { effectiveGasPrice, type Transaction } from '../../model/transaction/transaction.ts'
import type { State } from '../../state/state.ts'

/** The position of the transaction in its block, and the gas used up to it. */
interface ReceiptPosition {
  readonly cumulativeGasUsed: bigint
  readonly firstLogIndex: number
}

/** Returns the receipt of `transaction`, which ended with `outcome` and left `state`. */
export function receiptOf(
  rules: Rules,
  { baseFeePerGas = 0n, blobBaseFee = 0n }: BlockContext,
  transaction: Transaction,
  { outcome, state, l2 }: { outcome: Outcome; state: State; l2?: L2Receipt | undefined },
  { cumulativeGasUsed, firstLogIndex }: ReceiptPosition,
): Receipt {
  const { type, from, to, nonce, blobVersionedHashes } = transaction
  const logs = outcome.kind === 'success' ? outcome.logs : []
  return {
    type,
    status: outcome.kind === 'success' ? 'success' : 'failure',
    root: rules.since('byzantium') ? undefined : state.root(),
    gasUsed: outcome.gasUsed,
    cumulativeGasUsed,
    effectiveGasPrice: effectiveGasPrice(transaction, baseFeePerGas),
    logs,
    firstLogIndex,
    logsBloom: bloomOf(logs),
    failure: failureOf(outcome),
    contractAddress: to === undefined ? contractAddress(from, l2?.depositNonce ?? nonce) : undefined,
    ...(blobVersionedHashes === undefined
      ? {}
      : { blobs: { gasUsed: blobGasOf(transaction), gasPrice: blobBaseFee } }),
    ...(l2 === undefined ? {} : { l2 }),
  }
}

/** Returns the reason of the failure only: other data of the outcome would be kept as long as the block. */
function failureOf(outcome: Outcome): ExecutionFailure | undefined {
  switch (outcome.kind) {
    case 'success':
      return undefined
    case 'revert':
      return { kind: 'revert', data: outcome.data }
    case 'halt':
      return { kind: 'halt', reason: outcome.reason }
  }
}
