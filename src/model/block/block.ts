import type { Hash } from '../../bytes/hex.ts'
import { decodeRlp, encodedLength, encodeRlp, type RlpInput, sizeWithHead } from '../../bytes/rlp.ts'
import type { Rules } from '../hardfork/hardfork.ts'
import type { Log } from '../receipt/log.ts'
import type { GasPayment, Receipt } from '../receipt/receipt.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { encodedHeaderSize, type Header, headerFields, type Withdrawal, withdrawalFields } from './header.ts'

export interface BlockBody {
  readonly transactions: readonly Transaction[]
  /** Headers of ommer (uncle) blocks; empty since Paris. */
  readonly ommers: readonly Header[]
  /** The withdrawals from the beacon chain; `undefined` before Shanghai. */
  readonly withdrawals: readonly Withdrawal[] | undefined
}

/** A block after its execution, with receipts. */
export interface Block extends BlockBody {
  readonly header: Header
  /** The hash of the header. A pre-confirmed block has 32 zero bytes by default. */
  readonly hash: Hash
  readonly receipts: readonly Receipt[]
}

export type TransactionParties = Pick<Transaction, 'from' | 'to'>

/** The header fields that most reads of a block need. */
export type HeaderBrief = Pick<Header, 'number' | 'timestamp' | 'baseFeePerGas'>

export type TransactionLogs = Pick<Receipt, 'logs' | 'firstLogIndex'>

/** Gives access to single parts of a packed block. Reading one part does not decode the others. */
export interface BlockParts {
  readonly length: number
  readonly transactionsSize: number
  readonly brief: HeaderBrief
  transactionHashAt(index: number): Hash
  transactionAt(index: number): Transaction
  partiesAt(index: number): TransactionParties
  rawAt(index: number): Uint8Array
  receiptAt(index: number): Receipt
  paymentAt(index: number): GasPayment
  logsAt(index: number): TransactionLogs
  logAt(logIndex: number): PlacedLog
}

export interface BlockOfParts extends Block {
  readonly parts: BlockParts
}

/** Returns the parts of a packed block; `undefined` for a block that is stored as objects. */
function partsOf(block: BlockBody): BlockParts | undefined {
  return (block as Partial<BlockOfParts>).parts
}

export function briefOf(block: Block): HeaderBrief {
  return partsOf(block)?.brief ?? block.header
}

export function transactionCount(block: Block): number {
  return partsOf(block)?.length ?? block.transactions.length
}

/** Returns the hash of the transaction at `index`. Here and in the next functions, the transaction must exist. */
export function transactionHashAt(block: Block, index: number): Hash {
  return partsOf(block)?.transactionHashAt(index) ?? block.transactions[index]!.hash
}

export function transactionAt(block: Block, index: number): Transaction {
  return partsOf(block)?.transactionAt(index) ?? block.transactions[index]!
}

export function partiesAt(block: Block, index: number): TransactionParties {
  return partsOf(block)?.partiesAt(index) ?? block.transactions[index]!
}

export function rawAt(block: Block, index: number): Uint8Array {
  return partsOf(block)?.rawAt(index) ?? block.transactions[index]!.raw
}

export function receiptAt(block: Block, index: number): Receipt {
  return partsOf(block)?.receiptAt(index) ?? block.receipts[index]!
}

export function paymentAt(block: Block, index: number): GasPayment {
  return partsOf(block)?.paymentAt(index) ?? block.receipts[index]!
}

export function logsAt(block: Block, index: number): TransactionLogs {
  return partsOf(block)?.logsAt(index) ?? block.receipts[index]!
}

/** Returns the transactions except the deposits at the beginning of an L2 block. */
export function userTransactions({ transactions }: Pick<BlockBody, 'transactions'>): readonly Transaction[] {
  return transactions[0]?.deposit === undefined
    ? transactions
    : transactions.filter(({ deposit }) => deposit === undefined)
}

/** Returns whether the block has no transactions or only deposits. */
export function isEmpty({ transactions }: Pick<BlockBody, 'transactions'>): boolean {
  const last = transactions.at(-1)
  return last === undefined || last.deposit !== undefined
}

/** Returns the RLP of the block: header, transactions, ommers and, since Shanghai, withdrawals. */
export function encodeBlock(block: BlockBody & { readonly header: Header }): Uint8Array {
  const fields: RlpInput[] = [
    headerFields(block.header),
    block.transactions.map((transaction) =>
      // In a block, a legacy transaction is an RLP list, and a typed transaction is a byte string (EIP-2718).
      transaction.type === 0 ? (decodeRlp(transaction.raw) as RlpInput) : transaction.raw,
    ),
    block.ommers.map(headerFields),
  ]
  if (block.withdrawals !== undefined) fields.push(block.withdrawals.map(withdrawalFields))
  return encodeRlp(fields)
}

/** Returns the length of the block's RLP, without encoding it. */
export function encodedSize(block: BlockBody & Pick<Block, 'header'>): number {
  const { header, ommers, withdrawals } = block
  let size = encodedHeaderSize(header) + sizeWithHead(sizeOfTransactions(block))
  size += sizeWithHead(ommers.reduce((sum, ommer) => sum + encodedHeaderSize(ommer), 0))
  if (withdrawals !== undefined) size += encodedLength(withdrawals.map(withdrawalFields))
  return sizeWithHead(size)
}

/** Returns the length of the RLP of a block's transactions, without the list's prefix. */
export function sizeOfTransactions(block: BlockBody): number {
  let size = partsOf(block)?.transactionsSize
  if (size !== undefined) return size
  size = 0
  for (const { raw } of block.transactions) {
    // A legacy transaction already is an RLP list. A typed transaction becomes an RLP byte string.
    size += raw[0]! >= 0xc0 ? raw.length : sizeWithHead(raw.length)
  }
  return size
}

export function* logsOf(block: Block, first = 0): Generator<PlacedLog> {
  for (let transactionIndex = first; transactionIndex < block.receipts.length; transactionIndex++) {
    const { logs, firstLogIndex } = block.receipts[transactionIndex]!
    for (const [i, log] of logs.entries()) {
      yield { log, block, transactionIndex, logIndex: firstLogIndex + i }
    }
  }
}

/** Returns the log with the index `logIndex` in the block. The log must exist. */
export function logAt(block: Block, logIndex: number): PlacedLog {
  const parts = partsOf(block)
  if (parts !== undefined) return parts.logAt(logIndex)
  const { receipts } = block
  let transactionIndex = 0
  // Finds the last receipt whose `firstLogIndex` is at most `logIndex`: earlier ones with the same value have no logs.
  for (let end = receipts.length; end - transactionIndex > 1; ) {
    const middle = (transactionIndex + end) >> 1
    if (receipts[middle]!.firstLogIndex <= logIndex) transactionIndex = middle
    else end = middle
  }
  const { logs, firstLogIndex } = receipts[transactionIndex]!
  return { log: logs[logIndex - firstLogIndex]!, block, transactionIndex, logIndex }
}

export interface PlacedLog {
  readonly log: Log
  readonly block: Block
  readonly transactionIndex: number
  readonly logIndex: number
  /** True if a reorg removed the log's block from the chain. */
  readonly isRemoved?: true
}

/** Returns the base fees burnt and the tips paid in a block, in wei; `undefined` before London. */
export function feesIn(block: Block): { readonly burnt: bigint; readonly tips: bigint } | undefined {
  const { baseFeePerGas } = briefOf(block)
  if (baseFeePerGas === undefined) return undefined
  let burntGas = 0n
  let paid = 0n
  for (let index = 0, count = transactionCount(block); index < count; index++) {
    const { gasUsed, effectiveGasPrice } = paymentAt(block, index)
    // Only a deposit has a gas price below the base fee: it pays nothing.
    if (effectiveGasPrice < baseFeePerGas) continue
    burntGas += gasUsed
    paid += gasUsed * effectiveGasPrice
  }
  const burnt = burntGas * baseFeePerGas
  return { burnt, tips: paid - burnt }
}

/** The limit of EIP-7934: 10 MiB, minus 2 MiB for the beacon block. */
const MAX_BLOCK_BYTES = 8_388_608
/** Bytes reserved for everything but transactions: a header takes at most 750, sixteen withdrawals take 720. */
const BYTES_BESIDE_TRANSACTIONS = 2_048
/** The maximum length of the RLP prefix of a transaction. */
const MAX_LENGTH_BYTES = 5

/** Returns the maximum length of a block's RLP in bytes (EIP-7934); `undefined` before Osaka. */
export function maxBlockBytes(rules: Rules): number | undefined {
  return rules.since('osaka') ? MAX_BLOCK_BYTES : undefined
}

/** Returns the maximum total of `bytesInBlock` over the transactions of a new block. */
export function maxTransactionBytes(rules: Rules): number {
  const limit = maxBlockBytes(rules)
  return limit === undefined ? Number.POSITIVE_INFINITY : limit - BYTES_BESIDE_TRANSACTIONS
}

/** Returns an upper bound of the bytes that a transaction adds to the RLP of a block. */
export function bytesInBlock({ raw }: { readonly raw: Uint8Array }): number {
  return raw.length + MAX_LENGTH_BYTES
}
