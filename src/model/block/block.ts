/** A block: its header, its transactions and their receipts. */

import type { Hash } from '../bytes/hex.ts'
import { decodeRlp, encodeRlp, type RlpInput } from '../bytes/rlp.ts'
import type { Log } from '../receipt/log.ts'
import type { Receipt } from '../receipt/receipt.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { type Header, headerFields } from './header.ts'
import { type Withdrawal, withdrawalFields } from './withdrawal.ts'

/** The header and the lists of a block, as they travel between nodes, before the block is executed. */
export interface BlockBody {
  readonly transactions: readonly Transaction[]
  /** Headers of ommer (uncle) blocks; empty since Paris. */
  readonly ommers: readonly Header[]
  /** Absent before Shanghai. */
  readonly withdrawals: readonly Withdrawal[] | undefined
}

/** A block with its receipts, after execution. */
export interface Block extends BlockBody {
  readonly header: Header
  /** The hash of the header; by default 32 zero bytes while the block is pre-confirmed (CONTRACT 6). */
  readonly hash: Hash
  /** One receipt for each transaction, in the same order. */
  readonly receipts: readonly Receipt[]
}

/** Returns the transactions that users sent: all but the deposits at the beginning of an L2's block. */
export function sentIn({ transactions }: Pick<BlockBody, 'transactions'>): readonly Transaction[] {
  return transactions[0]?.deposit === undefined
    ? transactions
    : transactions.filter(({ deposit }) => deposit === undefined)
}

/** Returns whether the block has no transaction but deposits. */
export function isEmpty({ transactions }: Pick<BlockBody, 'transactions'>): boolean {
  const last = transactions.at(-1)
  return last === undefined || last.deposit !== undefined
}

/**
 * Returns the RLP of the block as it travels between nodes: header, transactions, ommers and, since Shanghai,
 * withdrawals.
 */
export function encodeBlock(block: BlockBody & { readonly header: Header }): Uint8Array {
  const fields: RlpInput[] = [
    headerFields(block.header),
    block.transactions.map((transaction) =>
      // A legacy transaction is a list inside the block, a typed one is a byte string (EIP-2718).
      transaction.type === 0 ? (decodeRlp(transaction.raw) as RlpInput) : transaction.raw,
    ),
    block.ommers.map(headerFields),
  ]
  if (block.withdrawals !== undefined) fields.push(block.withdrawals.map(withdrawalFields))
  return encodeRlp(fields)
}

/**
 * Yields the logs of the block from the transaction with the index `first` on, in the order of their log index, each
 * with the transaction that emitted it.
 */
export function* logsOf(block: Block, first = 0): Generator<PlacedLog> {
  for (let transactionIndex = first; transactionIndex < block.receipts.length; transactionIndex++) {
    const { logs, firstLogIndex } = block.receipts[transactionIndex]!
    for (const [i, log] of logs.entries()) {
      yield { log, block, transactionIndex, logIndex: firstLogIndex + i }
    }
  }
}

/** Returns the log with this index in the block. The block must have it. */
export function logAt(block: Block, logIndex: number): PlacedLog {
  const { receipts } = block
  let transactionIndex = 0
  // Receipts without logs have the same first index as the receipt after them, so the last receipt that begins at or
  // before `logIndex` has the log.
  for (let end = receipts.length; end - transactionIndex > 1; ) {
    const middle = (transactionIndex + end) >> 1
    if (receipts[middle]!.firstLogIndex <= logIndex) transactionIndex = middle
    else end = middle
  }
  const { logs, firstLogIndex } = receipts[transactionIndex]!
  return { log: logs[logIndex - firstLogIndex]!, block, transactionIndex, logIndex }
}

/** A log with its block, its transaction and its index. */
export interface PlacedLog {
  readonly log: Log
  readonly block: Block
  readonly transactionIndex: number
  readonly logIndex: number
  /** True if a reorg removed the log's block from the chain. */
  readonly isRemoved?: true
}
