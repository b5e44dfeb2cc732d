/** A block: its header, its transactions and their receipts. */

import type { Hash } from '../../bytes/hex.ts'
import { decodeRlp, encodedLength, encodeRlp, type RlpInput, sizeWithHead } from '../../bytes/rlp.ts'
import type { Rules } from '../hardfork/hardfork.ts'
import type { Log } from '../receipt/log.ts'
import type { Payment, Receipt } from '../receipt/receipt.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { encodedHeaderSize, type Header, headerFields, type Withdrawal, withdrawalFields } from './header.ts'

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
  /** What `sizeOfTransactions` returns. */
  readonly transactionsSize: number
  readonly brief: HeaderBrief
  transactionHashAt(index: number): Hash
  transactionAt(index: number): Transaction
  /** Returns who sent a transaction, and to whom. */
  endsAt(index: number): TransactionEnds
  receiptAt(index: number): Receipt
  /** Returns what the gas of a transaction was and cost, without the rest of its receipt. */
  paymentAt(index: number): Payment
  /** Returns the logs of a transaction, without the rest of its receipt. */
  logsAt(index: number): TransactionLogs
  logAt(logIndex: number): PlacedLog
}

/** A block that is kept as bytes. */
export interface BlockOfParts extends Block {
  readonly parts: BlockParts
}

/** Returns the parts of a block that is kept as bytes; `undefined`: they are objects already. */
function partsOf(block: BlockBody): BlockParts | undefined {
  return (block as Partial<BlockOfParts>).parts
}

/** Returns the number, the time and the base fee of the block. */
export function briefOf(block: Block): HeaderBrief {
  return partsOf(block)?.brief ?? block.header
}

/** Returns the number of the block's transactions. */
export function transactionCount(block: Block): number {
  return partsOf(block)?.length ?? block.transactions.length
}

/** Returns the hash of the transaction with this index. The block must have it. */
export function transactionHashAt(block: Block, index: number): Hash {
  return partsOf(block)?.transactionHashAt(index) ?? block.transactions[index]!.hash
}

/** Returns the transaction with this index. The block must have it. */
export function transactionAt(block: Block, index: number): Transaction {
  return partsOf(block)?.transactionAt(index) ?? block.transactions[index]!
}

/** Returns the sender and the destination of the transaction with this index. The block must have it. */
export function endsAt(block: Block, index: number): TransactionEnds {
  return partsOf(block)?.endsAt(index) ?? block.transactions[index]!
}

/** Returns the receipt of the transaction with this index. The block must have it. */
export function receiptAt(block: Block, index: number): Receipt {
  return partsOf(block)?.receiptAt(index) ?? block.receipts[index]!
}

/** Returns what the gas of the transaction with this index was and cost. The block must have it. */
export function paymentAt(block: Block, index: number): Payment {
  return partsOf(block)?.paymentAt(index) ?? block.receipts[index]!
}

/** Returns the logs of the transaction with this index. The block must have it. */
export function logsAt(block: Block, index: number): TransactionLogs {
  return partsOf(block)?.logsAt(index) ?? block.receipts[index]!
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
export function encodedSize(block: BlockBody & Pick<Block, 'header'>): number {
  const { header, ommers, withdrawals } = block
  let size = encodedHeaderSize(header) + sizeWithHead(sizeOfTransactions(block))
  size += sizeWithHead(ommers.reduce((sum, ommer) => sum + encodedHeaderSize(ommer), 0))
  if (withdrawals !== undefined) size += encodedLength(withdrawals.map(withdrawalFields))
  return sizeWithHead(size)
}

/** Returns the length of the RLP of a block's transactions, without the head of their list. */
export function sizeOfTransactions(block: BlockBody): number {
  let size = partsOf(block)?.transactionsSize
  if (size !== undefined) return size
  size = 0
  for (const { raw } of block.transactions) {
    // A legacy transaction is a list already.
    size += raw[0]! >= 0xc0 ? raw.length : sizeWithHead(raw.length)
  }
  return size
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
  const parts = partsOf(block)
  if (parts !== undefined) return parts.logAt(logIndex)
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

/** In wei. */
interface BlockFees {
  /** The base fee of the gas, which nobody gets. */
  readonly burnt: bigint
  /** What the fee recipient gets. */
  readonly tips: bigint
}

/** Returns the fees of a block; `undefined` before London, when there was no base fee. */
export function feesIn(block: Block): BlockFees | undefined {
  const { baseFeePerGas } = briefOf(block)
  if (baseFeePerGas === undefined) return undefined
  let burntGas = 0n
  let paid = 0n
  for (let index = 0, count = transactionCount(block); index < count; index++) {
    const { gasUsed, effectiveGasPrice } = paymentAt(block, index)
    // Deposits of an OP chain pay nothing.
    if (effectiveGasPrice < baseFeePerGas) continue
    burntGas += gasUsed
    paid += gasUsed * effectiveGasPrice
  }
  const burnt = burntGas * baseFeePerGas
  return { burnt, tips: paid - burnt }
}

/** 10 MiB, less 2 MiB for the beacon block around it. */
const MAX_BLOCK_BYTES = 8_388_608
/**
 * Bytes reserved for all of a block's RLP but its transactions: a header has at most 750 bytes, sixteen withdrawals
 * 720.
 */
const BYTES_BESIDE_TRANSACTIONS = 2_048
/**
 * The largest RLP prefix of a transaction in a block's list. A typed transaction is a byte string; a legacy one is a
 * list.
 */
const MAX_LENGTH_BYTES = 5

/** Returns the limit of a block's RLP in bytes under `rules`; `undefined` if there is none. */
export function maxBlockBytes(rules: Rules): number | undefined {
  return rules.since('osaka') ? MAX_BLOCK_BYTES : undefined
}

/**
 * Returns how many bytes, counted by `bytesInBlock`, the transactions of a block built under `rules` may have together.
 */
export function maxTransactionBytes(rules: Rules): number {
  const limit = maxBlockBytes(rules)
  return limit === undefined ? Number.POSITIVE_INFINITY : limit - BYTES_BESIDE_TRANSACTIONS
}

/** Returns an upper bound of the bytes that a transaction takes in a block. */
export function bytesInBlock({ raw }: { readonly raw: Uint8Array }): number {
  return raw.length + MAX_LENGTH_BYTES
}
