/**
 * Blocks as bytes. A chain packs all blocks except the newest. As an object, a log takes about 1 kB of memory and a
 * transaction 2 kB; packed, each takes less than a tenth of that. Each part of a packed block can be decoded alone.
 *
 * The head contains the hash, the size of the transactions, the header, the ommers and the withdrawals. The body
 * contains a table of positions, a record for each transaction, and a dictionary of addresses and topics. Positions
 * are relative to the start of the body. A record contains flags, the index of the transaction's first log, the
 * position of its logs if any, its hash if stored, the index of the sender, the signed bytes, the receipt and the logs.
 *
 * The hash is stored for transactions with logs, because reading a log needs the hash, and for impersonated
 * transactions. Other hashes would take a sixth of a packed transfer, and are computed in a microsecond when needed.
 */

import type { ArenaBytes, ByteArena } from '../../bytes/bytes.ts'
import { type Address, type Hash, hexOf } from '../../bytes/hex.ts'
import { keccakHash } from '../../crypto/keccak.ts'
import {
  type Block,
  type BlockOfParts,
  type BlockParts,
  type HeaderBrief,
  type PlacedLog,
  sizeOfTransactions,
  type TransactionLogs,
  type TransactionParties,
} from '../../model/block/block.ts'
import type { Header, Withdrawal } from '../../model/block/header.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { GasPayment, Receipt } from '../../model/receipt/receipt.ts'
import { decodeKnown } from '../../model/transaction/signedTransaction.ts'
import { DEPOSIT_TYPE, type Transaction } from '../../model/transaction/transaction.ts'
import { PackReader, PackWriter, uint32At } from './packed.ts'
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
import {
  Dictionary,
  packLogs,
  packReceipt,
  readLogAt,
  readLogs,
  readPayment,
  readReceipt,
  WrittenDictionary,
} from './packedReceipt.ts'

export interface PackedBlock {
  readonly head: ArenaBytes
  /** A slice and its sealed block may share one body. */
  readonly body: ArenaBytes
  readonly length: number
}

const writer = new PackWriter()

/** Packs a block into `memory`. `body` is the packed body of a block that begins with the same transactions. */
export function packBlock(block: Block, memory: ByteArena, body = packBody(block, memory)): PackedBlock {
  packHash(writer, block.hash)
  writer.count(sizeOfTransactions(block))
  packHeader(writer, block.header)
  packOmmers(writer, block.ommers)
  packWithdrawals(writer, block.withdrawals)
  return { head: writer.finish(memory), body, length: block.transactions.length }
}

/** The position of the table of records. The first eight bytes are the positions of the dictionary's two lists. */
const TABLE = 8

const IS_IMPERSONATED = 1
const HAS_LOGS = 2
const HAS_HASH = 4

const NO_BODY: ArenaBytes = { bytes: new Uint8Array(0), at: 0 }

function packBody({ transactions, receipts }: Block, memory: ByteArena): ArenaBytes {
  if (transactions.length === 0) return NO_BODY
  const dictionary = new Dictionary()
  for (let i = 0; i < 2 + transactions.length; i++) writer.uint32(0)
  for (const [i, transaction] of transactions.entries()) {
    const receipt = receipts[i]!
    const hasLogs = receipt.logs.length > 0
    writer.setUint32(TABLE + i * 4, writer.at)
    // The hash of an impersonated transaction may differ from the hash of its bytes: other nodes hash more data.
    writer.byte(
      (transaction.isImpersonated ? IS_IMPERSONATED | HAS_HASH : 0) | (hasLogs ? HAS_LOGS | HAS_HASH : 0),
    )
    writer.count(receipt.firstLogIndex)
    const logsAt = writer.at
    if (hasLogs) writer.uint32(0)
    if (hasLogs || transaction.isImpersonated) writer.hex(transaction.hash)
    writer.count(dictionary.address(transaction.from))
    writer.bytes(transaction.raw)
    packReceipt(writer, receipt)
    if (!hasLogs) continue
    writer.setUint32(logsAt, writer.at)
    packLogs(writer, receipt.logs, dictionary)
  }
  dictionary.writeTo(writer)
  return writer.finish(memory)
}

export function hashIn({ head: { bytes, at } }: PackedBlock): Hash {
  return readHash(new PackReader(bytes, at))
}

class TransactionRecord {
  readonly #bytes: Uint8Array
  readonly #flags: number
  readonly firstLogIndex: number
  /** The position of the field that contains the sender's index in the dictionary. */
  readonly #senderAt: number
  /** The position of the logs; 0 if the transaction has no logs. */
  readonly logsAt: number

  constructor({ bytes, at }: ArenaBytes, index: number) {
    const reader = new PackReader(bytes, at + uint32At(bytes, at + TABLE + index * 4))
    this.#bytes = bytes
    this.#flags = reader.byte()
    this.firstLogIndex = reader.count()
    this.logsAt = this.#flags & HAS_LOGS ? at + reader.uint32() : 0
    this.#senderAt = reader.at + (this.#flags & HAS_HASH ? 32 : 0)
  }

  get isImpersonated(): boolean {
    return (this.#flags & IS_IMPERSONATED) !== 0
  }

  get hash(): Hash {
    if (this.#flags & HAS_HASH) return hexOf(this.#bytes, this.#senderAt - 32, 32)
    const reader = this.atSender()
    reader.count()
    return keccakHash(reader.bytes())
  }

  /** Returns a reader positioned at the index of the sender. The signed bytes and the receipt follow. */
  atSender(): PackReader {
    return new PackReader(this.#bytes, this.#senderAt)
  }

  atReceipt(): PackReader {
    const reader = this.atSender()
    reader.count()
    reader.skipBytes()
    return reader
  }
}

/** A packed block as a `Block`. Each part is decoded when it is first read. */
export class UnpackedBlock implements BlockOfParts, BlockParts {
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

  get parts(): BlockParts {
    return this
  }

  get brief(): HeaderBrief {
    this.#brief ??= readBrief(this.#atHeader())
    return this.#brief
  }

  get length(): number {
    return this.#packed.length
  }

  get transactionsSize(): number {
    const { bytes, at } = this.#packed.head
    const reader = new PackReader(bytes, at)
    skipHash(reader)
    return reader.count()
  }

  transactionHashAt(index: number): Hash {
    this.#hashes[index] ??= this.#record(index).hash
    return this.#hashes[index]
  }

  transactionAt(index: number): Transaction {
    return this.#transactions === undefined ? this.#readTransaction(index) : this.#transactions[index]!
  }

  partiesAt(index: number): TransactionParties {
    if (this.#transactions !== undefined) return this.#transactions[index]!
    const reader = this.#record(index).atSender()
    const from = this.#words.address(reader.count())
    reader.count()
    return { from, to: destinationIn(reader) }
  }

  rawAt(index: number): Uint8Array {
    const reader = this.#record(index).atSender()
    reader.count()
    return reader.bytes()
  }

  receiptAt(index: number): Receipt {
    return this.#receipts === undefined ? this.#readReceipt(index) : this.#receipts[index]!
  }

  paymentAt(index: number): GasPayment {
    return this.#receipts === undefined
      ? readPayment(this.#record(index).atReceipt())
      : this.#receipts[index]!
  }

  logsAt(index: number): TransactionLogs {
    if (this.#receipts !== undefined) return this.#receipts[index]!
    const record = this.#record(index)
    return { logs: this.#readLogs(record), firstLogIndex: record.firstLogIndex }
  }

  logAt(logIndex: number): PlacedLog {
    let transactionIndex = 0
    for (let end = this.#packed.length; end - transactionIndex > 1; ) {
      const middle = (transactionIndex + end) >> 1
      if (this.#record(middle).firstLogIndex <= logIndex) transactionIndex = middle
      else end = middle
    }
    const { firstLogIndex, logsAt } = this.#record(transactionIndex)
    const log = readLogAt(this.#packed.body, logsAt, this.#words, logIndex - firstLogIndex)
    return { log, block: this, transactionIndex, logIndex }
  }

  #readHead(): void {
    const reader = this.#atHeader()
    this.#header = readHeader(reader)
    this.#ommers = readOmmers(reader)
    this.#withdrawals = readWithdrawals(reader)
  }

  #atHeader(): PackReader {
    const { bytes, at } = this.#packed.head
    const reader = new PackReader(bytes, at)
    skipHash(reader)
    reader.count()
    return reader
  }

  #record(index: number): TransactionRecord {
    return new TransactionRecord(this.#packed.body, index)
  }

  #readTransaction(index: number): Transaction {
    const record = this.#record(index)
    const reader = record.atSender()
    const from = this.#words.address(reader.count())
    const { isImpersonated } = record
    return decodeKnown(reader.bytes(), { from, hash: this.transactionHashAt(index), isImpersonated })
  }

  #readReceipt(index: number): Receipt {
    const record = this.#record(index)
    return readReceipt(record.atReceipt(), this.#readLogs(record), record.firstLogIndex)
  }

  #readLogs({ logsAt }: TransactionRecord): readonly Log[] {
    return logsAt === 0 ? NONE : readLogs(new PackReader(this.#packed.body.bytes, logsAt), this.#words)
  }

  #each<T>(read: (index: number) => T): readonly T[] {
    const { length } = this.#packed
    if (length === 0) return NONE
    const items: T[] = new Array(length)
    for (let i = 0; i < length; i++) items[i] = read(i)
    return items
  }

  get #words(): WrittenDictionary {
    this.#dictionary ??= new WrittenDictionary(this.#packed.body)
    return this.#dictionary
  }
}

const DESTINATIONS: Readonly<Record<number, number>> = { 1: 4, 2: 5, 3: 5, 4: 5, [DEPOSIT_TYPE]: 2 }
const LEGACY_DESTINATION = 3

/** Returns the recipient in the signed bytes of a transaction, which must be well-formed. */
function destinationIn(reader: PackReader): Address | undefined {
  const type = reader.byte()
  let fields = LEGACY_DESTINATION
  let head = type
  if (type < 0xc0) {
    fields = DESTINATIONS[type]!
    head = reader.byte()
  }
  if (head > 0xf7) reader.at += head - 0xf7
  // Fields before `to` are quantities and hashes. All are shorter than 56 bytes, so their RLP prefix is one byte.
  for (; fields > 0; fields--) {
    const first = reader.byte()
    if (first > 0x80) reader.at += first - 0x80
  }
  return reader.byte() === 0x80 ? undefined : reader.hex(20)
}

const NONE: readonly never[] = []
