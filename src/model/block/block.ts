/** A block: its header, its transactions and their receipts. */

import type { Hash } from '../bytes/hex.ts'
import { decodeRlp, encodedLength, encodeRlp, type RlpInput, sizeWithHead } from '../bytes/rlp.ts'
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
  /** Absent in a block whose parts are objects already. */
  readonly parts?: BlockParts
}

/** The sender of a transaction, and its destination; `undefined` where it creates a contract. */
export type TransactionEnds = Pick<Transaction, 'from' | 'to'>

/** What most questions about a block need of its header. */
export type HeaderBrief = Pick<Header, 'number' | 'timestamp' | 'baseFeePerGas'>

/** The logs of a transaction, and the index of the first of them in the block. */
export type TransactionLogs = Pick<Receipt, 'logs' | 'firstLogIndex'>

/** The parts of a block that is kept as bytes. Each is decoded alone, where the lists would be decoded whole. */
export interface BlockParts {
  /** The number of transactions. */
  readonly length: number
  readonly brief: HeaderBrief
  transactionHashAt(index: number): Hash
  transactionAt(index: number): Transaction
  /** Returns who sent a transaction, and to whom. */
  endsAt(index: number): TransactionEnds
  /** Returns the signed bytes of a transaction. */
  rawBytesAt(index: number): Uint8Array
  receiptAt(index: number): Receipt
  /** Returns the logs of a transaction, without the rest of its receipt. */
  logsAt(index: number): TransactionLogs
  logAt(logIndex: number): PlacedLog
}

/** Returns the number, the time and the base fee of the block. */
export function briefOf(block: Block): HeaderBrief {
  return block.parts === undefined ? block.header : block.parts.brief
}

/** Returns the number of the block's transactions. */
export function transactionCount(block: Block): number {
  return block.parts === undefined ? block.transactions.length : block.parts.length
}

/** Returns the hash of the transaction with this index. The block must have it. */
export function transactionHashAt(block: Block, index: number): Hash {
  return block.parts === undefined ? block.transactions[index]!.hash : block.parts.transactionHashAt(index)
}

/** Returns the transaction with this index. The block must have it. */
export function transactionAt(block: Block, index: number): Transaction {
  return block.parts === undefined ? block.transactions[index]! : block.parts.transactionAt(index)
}

/** Returns the sender and the destination of the transaction with this index. The block must have it. */
export function endsAt(block: Block, index: number): TransactionEnds {
  return block.parts === undefined ? block.transactions[index]! : block.parts.endsAt(index)
}

/** Returns the receipt of the transaction with this index. The block must have it. */
export function receiptAt(block: Block, index: number): Receipt {
  return block.parts === undefined ? block.receipts[index]! : block.parts.receiptAt(index)
}

/** Returns the logs of the transaction with this index. The block must have it. */
export function logsAt(block: Block, index: number): TransactionLogs {
  return block.parts === undefined ? block.receipts[index]! : block.parts.logsAt(index)
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

/** Returns the length of the block's RLP (see `encodeBlock`), which is not made for that. */
export function encodedSize(block: BlockBody & Pick<Block, 'header' | 'parts'>): number {
  const { header, ommers, withdrawals, parts } = block
  let transactions = 0
  const count = parts?.length ?? block.transactions.length
  for (let i = 0; i < count; i++) {
    const raw = parts?.rawBytesAt(i) ?? block.transactions[i]!.raw
    // A legacy transaction is a list already.
    transactions += raw[0]! >= 0xc0 ? raw.length : sizeWithHead(raw.length)
  }
  const rest: RlpInput[] = [headerFields(header), ommers.map(headerFields)]
  if (withdrawals !== undefined) rest.push(withdrawals.map(withdrawalFields))
  return sizeWithHead(
    rest.reduce((sum: number, part) => sum + encodedLength(part), sizeWithHead(transactions)),
  )
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
  if (block.parts !== undefined) return block.parts.logAt(logIndex)
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
