/**
 * The transactions of a block while it is made, their receipts, and their total gas and size: shared by all ways to
 * make blocks.
 */
import type { BlockContext } from '../../engine/blockContext.ts'
import type { Outcome } from '../../engine/outcome.ts'
import type { Block } from '../../model/block/block.ts'
import { bytesInBlock } from '../../model/block/blockSize.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { blobGasIn, type L2Receipt, type Receipt } from '../../model/receipt/receipt.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { State } from '../../state/state.ts'
import { receiptOf } from './receiptOf.ts'

/** The outcome of a transaction, and the state after it. */
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

  /**
   * `before`: a block that has transactions already; they count towards the totals, but are not among `transactions`.
   */
  constructor(rules: Rules, context: BlockContext, before?: Block) {
    this.#rules = rules
    this.#context = context
    if (before === undefined) return
    this.#gasUsed = before.header.gasUsed
    this.#blobGasUsed = before.header.blobGasUsed ?? 0n
    for (const transaction of before.transactions) this.#bytes += bytesInBlock(transaction)
    for (const { logs } of before.receipts) this.#nextLogIndex += logs.length
  }

  /** Gas used by the block so far. */
  get gasUsed(): bigint {
    return this.#gasUsed
  }

  /** Blob gas used by the block so far (EIP-4844); on an L2 since Jovian the gas of its data. */
  get blobGasUsed(): bigint {
    return this.#blobGasUsed
  }

  /** Size of the transactions of the block so far in bytes, or slightly more (EIP-7934). */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds a transaction after the others. Returns its receipt. */
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
