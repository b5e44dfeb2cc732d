/** A block: its header, its transactions and what they left behind. */

import type { Hash } from '../bytes/hex.ts'
import { decodeRlp, encodeRlp, type RlpInput } from '../bytes/rlp.ts'
import type { Log } from '../receipt/log.ts'
import type { Receipt } from '../receipt/receipt.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { type Header, headerFields } from './header.ts'
import { type Withdrawal, withdrawalFields } from './withdrawal.ts'

/** What of a block travels between nodes, before anybody ran it. */
export interface BlockBody {
  readonly transactions: readonly Transaction[]
  /** Headers of blocks that were mined beside the chain; none since Paris. */
  readonly ommers: readonly Header[]
  /** Absent before Shanghai. */
  readonly withdrawals: readonly Withdrawal[] | undefined
}

export interface Block extends BlockBody {
  readonly header: Header
  /** The header's hash; 32 zero bytes while the block is pre-confirmed, by default (CONTRACT 6). */
  readonly hash: Hash
  /** One for each transaction, in their order. */
  readonly receipts: readonly Receipt[]
}

/** What people sent of a block's transactions: all but the deposits, which it begins with. */
export function sentIn({ transactions }: Pick<BlockBody, 'transactions'>): readonly Transaction[] {
  return transactions[0]?.deposit === undefined
    ? transactions
    : transactions.filter(({ deposit }) => deposit === undefined)
}

/** Whether the block has nothing that anybody sent. */
export function isEmpty({ transactions }: Pick<BlockBody, 'transactions'>): boolean {
  const last = transactions.at(-1)
  return last === undefined || last.deposit !== undefined
}

/** The block's RLP as it travels between nodes: header, transactions, ommers and, since Shanghai, withdrawals. */
export function encodeBlock(block: BlockBody & { readonly header: Header }): Uint8Array {
  const fields: RlpInput[] = [
    headerFields(block.header),
    block.transactions.map((transaction) =>
      // A legacy transaction is a list inside the block, a typed one a byte string (EIP-2718).
      transaction.type === 0 ? (decodeRlp(transaction.raw) as RlpInput) : transaction.raw,
    ),
    block.ommers.map(headerFields),
  ]
  if (block.withdrawals !== undefined) fields.push(block.withdrawals.map(withdrawalFields))
  return encodeRlp(fields)
}

/**
 * All logs of the block from the transaction at `first` on, with the transaction that emitted each, in the order of
 * their log index.
 */
export function* logsOf(block: Block, first = 0): Generator<PlacedLog> {
  for (let transactionIndex = first; transactionIndex < block.receipts.length; transactionIndex++) {
    const { logs, firstLogIndex } = block.receipts[transactionIndex]!
    for (const [i, log] of logs.entries()) {
      yield { log, block, transactionIndex, logIndex: firstLogIndex + i }
    }
  }
}

/** The log with this index in the block, which must have it. */
export function logAt(block: Block, logIndex: number): PlacedLog {
  const { receipts } = block
  let transactionIndex = 0
  // The last receipt that begins at or before it: of those that begin at the same index all but the last are empty.
  for (let end = receipts.length; end - transactionIndex > 1; ) {
    const middle = (transactionIndex + end) >> 1
    if (receipts[middle]!.firstLogIndex <= logIndex) transactionIndex = middle
    else end = middle
  }
  const { logs, firstLogIndex } = receipts[transactionIndex]!
  return { log: logs[logIndex - firstLogIndex]!, block, transactionIndex, logIndex }
}

/** A log and where it stands. */
export interface PlacedLog {
  readonly log: Log
  readonly block: Block
  readonly transactionIndex: number
  readonly logIndex: number
  /** Its block was taken off the chain by a reorg. */
  readonly isRemoved?: true
}
