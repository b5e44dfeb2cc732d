/** The transactions of a block under construction, with their receipts, total gas and size. */
import type { BlockContext } from '../../engine/blockContext.ts'
import type { Outcome } from '../../engine/engine.ts'
import { contractAddress } from '../../model/account/account.ts'
import { type Block, bytesInBlock } from '../../model/block/block.ts'
import { blobGasLimit, blobGasOf, countsData } from '../../model/block/fees.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { daFootprint } from '../../model/l2/l1Fee.ts'
import { bloomOf } from '../../model/receipt/log.ts'
import {
  blobGasIn,
  type ExecutionFailure,
  type L2Receipt,
  type Receipt,
} from '../../model/receipt/receipt.ts'
import { effectiveGasPrice, type Transaction } from '../../model/transaction/transaction.ts'
import { l1PricesIn } from '../../state/l1Block.ts'
import type { State } from '../../state/state.ts'

export interface TransactionRun {
  readonly outcome: Outcome
  readonly state: State
  readonly l2?: L2Receipt | undefined
}

export class IncludedTransactions {
  readonly transactions: Transaction[] = []
  readonly receipts: Receipt[] = []
  readonly #rules: Rules
  readonly #context: BlockContext
  #gasUsed = 0n
  #blobGasUsed = 0n
  #bytes = 0
  #nextLogIndex = 0

  /** `before` is the block to extend. Its transactions count towards the totals, but are not in `transactions`. */
  constructor(rules: Rules, context: BlockContext, before?: Block) {
    this.#rules = rules
    this.#context = context
    if (before === undefined) return
    this.#gasUsed = before.header.gasUsed
    this.#blobGasUsed = before.header.blobGasUsed ?? 0n
    for (const transaction of before.transactions) this.#bytes += bytesInBlock(transaction)
    for (const { logs } of before.receipts) this.#nextLogIndex += logs.length
  }

  get gasUsed(): bigint {
    return this.#gasUsed
  }

  /** Blob gas of the included transactions (EIP-4844) or, on an L2 since Jovian, the gas for their data on L1. */
  get blobGasUsed(): bigint {
    return this.#blobGasUsed
  }

  /** Size of the included transactions in bytes, for the limit of EIP-7934. May be slightly too high, never too low. */
  get bytes(): number {
    return this.#bytes
  }

  add(transaction: Transaction, run: TransactionRun): Receipt {
    this.#gasUsed += run.outcome.gasUsed
    this.#bytes += bytesInBlock(transaction)
    const receipt = receiptOf(this.#rules, this.#context, transaction, run, {
      cumulativeGasUsed: this.#gasUsed,
      firstLogIndex: this.#nextLogIndex,
    })
    this.#blobGasUsed += blobGasIn(receipt)
    this.#nextLogIndex += receipt.logs.length
    this.transactions.push(transaction)
    this.receipts.push(receipt)
    return receipt
  }
}

interface ReceiptPosition {
  readonly cumulativeGasUsed: bigint
  readonly firstLogIndex: number
}

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

/** Returns the reason why code failed, without a reference to the outcome, which would otherwise stay in memory. */
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

/** Limits a block's `blobGasUsed`: the gas of its blobs or, on an L2 since Jovian, the gas for its data on L1. */
interface BlobRoom {
  /** Maximum of `blobGasUsed` in the block header. */
  readonly limit: bigint
  /** Returns the blob gas of a transaction, or its data gas on an L2 since Jovian. */
  shareOf(transaction: Transaction): bigint
}

/** Limits `blobGasUsed`: since Jovian, to the block's gas limit (specs.optimism.io `protocol/jovian/exec-engine`). */
export function blobRoom(rules: Rules, state: State, gasLimit: bigint): BlobRoom {
  const limit = blobGasLimit(rules, gasLimit)
  if (!countsData(rules)) return { limit, shareOf: blobGasOf }
  const { daFootprintGasScalar = 0n } = l1PricesIn(state, 'jovian')
  return {
    limit,
    shareOf: ({ raw, deposit }) => (deposit === undefined ? daFootprint(raw, daFootprintGasScalar) : 0n),
  }
}
