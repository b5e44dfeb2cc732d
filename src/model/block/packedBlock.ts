/**
 * Blocks as bytes: the form in which a chain keeps all but its newest blocks.
 *
 * As objects a log takes about a kilobyte and a transaction two; as bytes less than a tenth. A packed block is read
 * where it is asked: its header, one receipt or one log, without the rest of the block.
 *
 * The head has the hash, the header, the ommers and the withdrawals. The body has, after a table of where each begins,
 * a record for each transaction: the index of its first log, where its logs begin, the index of its sender,
 * its signed bytes, its receipt, and its logs; then the dictionary of addresses and topics.
 */
import type { Address, Hash } from '../bytes/hex.ts'
import { PackReader, PackWriter, uint32At } from '../bytes/packed.ts'
import { keccakHash } from '../crypto/keccak.ts'
import {
  Dictionary,
  packLogs,
  packReceipt,
  readLogAt,
  readLogs,
  readReceipt,
  WrittenDictionary,
} from '../receipt/packedReceipt.ts'
import type { Receipt } from '../receipt/receipt.ts'
import { decodeKnown } from '../transaction/signedTransaction.ts'
import { DEPOSIT_TYPE, type Transaction } from '../transaction/transaction.ts'
import type { Block, BlockParts, HeaderBrief, PlacedLog, TransactionEnds, TransactionLogs } from './block.ts'
import type { Header } from './header.ts'
import {
  packHash,
  packHeader,
  packOmmers,
  packWithdrawals,
  readBrief,
  readHash,
  readHeader,
  readOmmers,
  readWithdrawals,
  skipHash,
} from './packedHeader.ts'
import type { Withdrawal } from './withdrawal.ts'

/** A block as two byte strings. */
export interface PackedBlock {
  readonly head: string
  /** A slice may share the body of its sealed block, of which it has the first transactions. */
  readonly body: string
  /** The number of transactions. */
  readonly length: number
}

const writer = new PackWriter()

/** Returns the block as bytes. With `body`, that of a block which begins with the same transactions and receipts. */
export function packBlock(block: Block, body = packBody(block)): PackedBlock {
  packHash(writer, block.hash)
  packHeader(writer, block.header)
  packOmmers(writer, block.ommers)
  packWithdrawals(writer, block.withdrawals)
  return { head: writer.finish(), body, length: block.transactions.length }
}

/** Where the table of records begins, after the places of the dictionary. */
const TABLE = 8
/** Where the flag of a record is, after the index of its first log and the place of its logs. */
const FLAG = 8

function packBody({ transactions, receipts }: Block): string {
  if (transactions.length === 0) return ''
  const dictionary = new Dictionary()
  for (let i = 0; i < 2 + transactions.length; i++) writer.uint32(0)
  for (const [i, transaction] of transactions.entries()) {
    const receipt = receipts[i]!
    writer.setUint32(TABLE + i * 4, writer.at)
    writer.uint32(receipt.firstLogIndex)
    const logsAt = writer.at
    writer.uint32(0)
    // Of an impersonated transaction other nodes may have hashed more than its bytes.
    writer.byte(transaction.isImpersonated ? 1 : 0)
    if (transaction.isImpersonated) writer.hex(transaction.hash)
    writer.count(dictionary.address(transaction.from))
    writer.bytes(transaction.raw)
    packReceipt(writer, receipt)
    writer.setUint32(logsAt, writer.at)
    packLogs(writer, receipt.logs, dictionary)
  }
  const [addressesAt, wordsAt] = dictionary.writeTo(writer)
  writer.setUint32(0, addressesAt)
  writer.setUint32(4, wordsAt)
  return writer.finish()
}

/** Returns the hash of a packed block. */
export function hashIn({ head }: PackedBlock): Hash {
  return readHash(new PackReader(head))
}

/** Returns the hash of the transaction with this index in a packed block. */
export function transactionHashIn({ body }: PackedBlock, index: number): Hash {
  const reader = new PackReader(body, uint32At(body, TABLE + index * 4) + FLAG)
  if (reader.byte() === 1) return reader.hex(32)
  reader.count()
  return keccakHash(reader.bytes())
}

/** A packed block as a block: each part is decoded when it is first asked for. */
export class UnpackedBlock implements Block, BlockParts {
  readonly #packed: PackedBlock
  #hash: Hash | undefined
  #brief: HeaderBrief | undefined
  #header: Header | undefined
  #ommers: readonly Header[] | undefined
  #withdrawals: readonly Withdrawal[] | undefined
  #transactions: readonly Transaction[] | undefined
  #receipts: readonly Receipt[] | undefined
  #dictionary: WrittenDictionary | undefined
  readonly #hashes: Hash[] = []

  constructor(packed: PackedBlock) {
    this.#packed = packed
  }

  get hash(): Hash {
    this.#hash ??= hashIn(this.#packed)
    return this.#hash
  }

  get header(): Header {
    if (this.#header === undefined) this.#readHead()
    return this.#header!
  }

  get ommers(): readonly Header[] {
    if (this.#ommers === undefined) this.#readHead()
    return this.#ommers!
  }

  get withdrawals(): readonly Withdrawal[] | undefined {
    if (this.#header === undefined) this.#readHead()
    return this.#withdrawals
  }

  get transactions(): readonly Transaction[] {
    this.#transactions ??= this.#each((index) => this.#readTransaction(index))
    return this.#transactions
  }

  get receipts(): readonly Receipt[] {
    this.#receipts ??= this.#each((index) => this.#readReceipt(index))
    return this.#receipts
  }

  /** Parts of the block, without the whole. */
  get parts(): BlockParts {
    return this
  }

  get brief(): HeaderBrief {
    if (this.#brief === undefined) {
      const reader = new PackReader(this.#packed.head)
      skipHash(reader)
      this.#brief = readBrief(reader)
    }
    return this.#brief
  }

  get length(): number {
    return this.#packed.length
  }

  transactionHashAt(index: number): Hash {
    this.#hashes[index] ??= transactionHashIn(this.#packed, index)
    return this.#hashes[index]
  }

  transactionAt(index: number): Transaction {
    return this.#transactions === undefined ? this.#readTransaction(index) : this.#transactions[index]!
  }

  endsAt(index: number): TransactionEnds {
    if (this.#transactions !== undefined) return this.#transactions[index]!
    const { reader, from } = this.#senderAt(index)
    reader.count()
    return { from, to: destinationIn(reader) }
  }

  rawBytesAt(index: number): Uint8Array {
    return this.#transactions === undefined
      ? this.#senderAt(index).reader.bytes()
      : this.#transactions[index]!.raw
  }

  receiptAt(index: number): Receipt {
    return this.#receipts === undefined ? this.#readReceipt(index) : this.#receipts[index]!
  }

  logsAt(index: number): TransactionLogs {
    if (this.#receipts !== undefined) return this.#receipts[index]!
    const logs = readLogs(this.#packed.body, this.#logsAt(index), this.#words)
    return { logs, firstLogIndex: this.#firstLogIndex(index) }
  }

  logAt(logIndex: number): PlacedLog {
    let transactionIndex = 0
    for (let end = this.#packed.length; end - transactionIndex > 1; ) {
      const middle = (transactionIndex + end) >> 1
      if (this.#firstLogIndex(middle) <= logIndex) transactionIndex = middle
      else end = middle
    }
    const first = this.#firstLogIndex(transactionIndex)
    const { body } = this.#packed
    const log = readLogAt(body, this.#logsAt(transactionIndex), this.#words, logIndex - first)
    return { log, block: this, transactionIndex, logIndex }
  }

  #readHead(): void {
    const reader = new PackReader(this.#packed.head)
    skipHash(reader)
    this.#header = readHeader(reader)
    this.#ommers = readOmmers(reader)
    this.#withdrawals = readWithdrawals(reader)
  }

  #readTransaction(index: number): Transaction {
    const { reader, isImpersonated, from } = this.#senderAt(index)
    return decodeKnown(reader.bytes(), { from, hash: this.transactionHashAt(index), isImpersonated })
  }

  /** Returns the sender of a transaction, and a reader that is at its signed bytes. */
  #senderAt(index: number): { reader: PackReader; isImpersonated: boolean; from: Address } {
    const reader = new PackReader(this.#packed.body, this.#recordAt(index) + FLAG)
    const isImpersonated = reader.byte() === 1
    if (isImpersonated) reader.at += 32
    return { reader, isImpersonated, from: this.#words.address(reader.count()) }
  }

  #readReceipt(index: number): Receipt {
    const { body } = this.#packed
    const { reader } = this.#senderAt(index)
    const length = reader.count()
    reader.at += length
    const logs = readLogs(body, this.#logsAt(index), this.#words)
    return readReceipt(reader, logs, this.#firstLogIndex(index))
  }

  #each<T>(read: (index: number) => T): readonly T[] {
    const { length } = this.#packed
    if (length === 0) return NONE
    const items: T[] = new Array(length)
    for (let i = 0; i < length; i++) items[i] = read(i)
    return items
  }

  #recordAt(index: number): number {
    return uint32At(this.#packed.body, TABLE + index * 4)
  }

  #firstLogIndex(index: number): number {
    return uint32At(this.#packed.body, this.#recordAt(index))
  }

  #logsAt(index: number): number {
    return uint32At(this.#packed.body, this.#recordAt(index) + 4)
  }

  get #words(): WrittenDictionary {
    const { body } = this.#packed
    this.#dictionary ??= new WrittenDictionary(body, uint32At(body, 0), uint32At(body, 4))
    return this.#dictionary
  }
}

/** The field that is the destination, by type of transaction; in a legacy transaction it is the fourth. */
const DESTINATIONS: Readonly<Record<number, number>> = { 1: 4, 2: 5, 3: 5, 4: 5, [DEPOSIT_TYPE]: 2 }
const LEGACY_DESTINATION = 3

/** Returns the destination in the signed bytes that begin where `reader` is: well-formed RLP, of which the rest is skipped. */
function destinationIn(reader: PackReader): Address | undefined {
  const type = reader.byte()
  let fields = LEGACY_DESTINATION
  let head = type
  if (type < 0xc0) {
    fields = DESTINATIONS[type]!
    head = reader.byte()
  }
  if (head > 0xf7) reader.at += head - 0xf7
  // The fields before the destination are quantities and hashes, of less than 56 bytes.
  for (; fields > 0; fields--) {
    const first = reader.byte()
    if (first > 0x80) reader.at += first - 0x80
  }
  return reader.byte() === 0x80 ? undefined : reader.hex(20)
}

const NONE: readonly never[] = []
