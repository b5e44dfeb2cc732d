/** Decodes RLP-encoded blocks. Checks only the encoding; consensus rules and execution are checked elsewhere. */
import { type Hash, toHex, toQuantity } from '../../bytes/hex.ts'
import { decodeRlp, encodeRlp, type RlpValue } from '../../bytes/rlp.ts'
import { decodeDeposit } from '../l2/deposit.ts'
import {
  decodeIncludedTransaction,
  decodeTransactionFrom,
  type Sender,
} from '../transaction/signedTransaction.ts'
import { DEPOSIT_TYPE, type Transaction } from '../transaction/transaction.ts'
import { MalformedTransaction } from '../transaction/transactionFields.ts'
import type { BlockBody } from './block.ts'
import { type Header, hashHeader, type Withdrawal } from './header.ts'

export interface UncheckedBlock extends BlockBody {
  readonly header: Header
  readonly hash: Hash
}

/** Thrown for bytes that are not a block. `field` names the invalid field, such as `transactions[3]`. */
export class MalformedBlock extends Error {
  readonly field: string
  readonly reason: string

  constructor(field: string, reason: string) {
    super(`${field}: ${reason}`)
    this.field = field
    this.reason = reason
  }
}

/** Decodes a block. Recovers the senders from the signatures unless `senders` is given. Throws `MalformedBlock`. */
export function decodeBlock(bytes: Uint8Array, senders?: readonly Sender[]): UncheckedBlock {
  const parts = listOf(canonical(bytes), 'block')
  if (parts.length !== 3 && parts.length !== 4) {
    const wanted = '3 parts (header, transactions, ommers), since Shanghai 4 (withdrawals)'
    throw new MalformedBlock('block', `a block has ${wanted}, got ${parts.length}`)
  }
  const [header, transactions, ommers, withdrawals] = parts
  const decoded = decodeHeader(header, 'header')
  const items = listOf(transactions, 'transactions')
  if (senders !== undefined && senders.length !== items.length) {
    throw new MalformedBlock('transactions', `${items.length} transactions have ${senders.length} senders`)
  }
  return {
    header: decoded,
    hash: hashHeader(decoded),
    transactions: items.map((item, i) => decodeTransactionAt(item, `transactions[${i}]`, senders?.[i])),
    ommers: listOf(ommers, 'ommers').map((item, i) => decodeHeader(item, `ommers[${i}]`)),
    withdrawals:
      withdrawals === undefined
        ? undefined
        : listOf(withdrawals, 'withdrawals').map((item, i) => decodeWithdrawal(item, `withdrawals[${i}]`)),
  }
}

function canonical(bytes: Uint8Array): RlpValue {
  try {
    return decodeRlp(bytes)
  } catch (error) {
    throw new MalformedBlock('block', `not canonical RLP (${error instanceof Error ? error.message : error})`)
  }
}

const HEADER_SIZES = new Map([
  [15, 'before London'],
  [16, 'London'],
  [17, 'Shanghai'],
  [20, 'Cancun'],
  [21, 'Prague'],
])

function decodeHeader(value: RlpValue | undefined, field: string): Header {
  const fields = listOf(value, field)
  if (!HEADER_SIZES.has(fields.length)) {
    const sizes = [...HEADER_SIZES].map(([size, since]) => `${size} (${since})`).join(', ')
    throw new MalformedBlock(field, `a header has ${sizes} fields, got ${fields.length}`)
  }
  const at = new Reader(fields, field)
  const number = at.quantity(8, 'number', 8)
  return {
    parentHash: at.hash(0, 'parentHash'),
    ommersHash: at.hash(1, 'ommersHash'),
    coinbase: toHex(at.exactly(2, 'coinbase', 20)),
    stateRoot: at.hash(3, 'stateRoot'),
    transactionsRoot: at.hash(4, 'transactionsRoot'),
    receiptsRoot: at.hash(5, 'receiptsRoot'),
    logsBloom: at.exactly(6, 'logsBloom', 256),
    difficulty: at.quantity(7, 'difficulty', 32),
    number,
    gasLimit: at.quantity(9, 'gasLimit', 8),
    gasUsed: at.quantity(10, 'gasUsed', 8),
    timestamp: at.quantity(11, 'timestamp', 8),
    // The genesis block of a clique chain lists the signers in its extra data, which may be long.
    extraData: at.atMost(12, 'extraData', number === 0n ? Number.MAX_SAFE_INTEGER : 32),
    prevRandao: at.hash(13, 'mixHash'),
    nonce: at.exactly(14, 'nonce', 8),
    baseFeePerGas: at.has(15) ? at.quantity(15, 'baseFeePerGas', 32) : undefined,
    withdrawalsRoot: at.has(16) ? at.hash(16, 'withdrawalsRoot') : undefined,
    blobGasUsed: at.has(17) ? at.quantity(17, 'blobGasUsed', 8) : undefined,
    excessBlobGas: at.has(18) ? at.quantity(18, 'excessBlobGas', 8) : undefined,
    parentBeaconBlockRoot: at.has(19) ? at.hash(19, 'parentBeaconBlockRoot') : undefined,
    requestsHash: at.has(20) ? at.hash(20, 'requestsHash') : undefined,
  }
}

/** Decodes a transaction of a block: a legacy transaction is a list, a typed one a byte string (EIP-2718). */
function decodeTransactionAt(item: RlpValue, field: string, sender: Sender | undefined): Transaction {
  if (item instanceof Uint8Array) {
    // A legacy transaction in a byte string would be a second encoding of the same block.
    if (item[0]! >= 0xc0) throw new MalformedBlock(field, 'a legacy transaction is a list, got bytes')
  } else if (item.some(Array.isArray)) {
    // Nested lists are refused before `encodeRlp` is called, because deep ones could overflow the stack.
    throw new MalformedBlock(field, 'the fields of a legacy transaction are bytes, got a list')
  }
  try {
    const raw = item instanceof Uint8Array ? item : encodeRlp(item)
    if (raw[0] === DEPOSIT_TYPE) return decodeDeposit(raw)
    return sender === undefined ? decodeIncludedTransaction(raw) : decodeTransactionFrom(sender, raw)
  } catch (error) {
    if (!(error instanceof MalformedTransaction)) throw error
    throw new MalformedBlock(field, error.reason)
  }
}

function decodeWithdrawal(item: RlpValue, field: string): Withdrawal {
  const fields = listOf(item, field)
  if (fields.length !== 4) {
    throw new MalformedBlock(field, `a withdrawal has 4 fields (EIP-4895), got ${fields.length}`)
  }
  const at = new Reader(fields, field)
  return {
    index: at.quantity(0, 'index', 8),
    validatorIndex: at.quantity(1, 'validatorIndex', 8),
    address: toHex(at.exactly(2, 'address', 20)),
    amountGwei: at.quantity(3, 'amount', 8),
  }
}

function listOf(value: RlpValue | undefined, field: string): RlpValue[] {
  if (!Array.isArray(value)) throw new MalformedBlock(field, 'expected a list, got bytes')
  return value
}

/** Reads the fields of one RLP list. Errors name the invalid field. */
class Reader {
  readonly #fields: readonly RlpValue[]
  readonly #path: string

  constructor(fields: readonly RlpValue[], path: string) {
    this.#fields = fields
    this.#path = path
  }

  has(index: number): boolean {
    return index < this.#fields.length
  }

  hash(index: number, name: string): Hash {
    return toHex(this.exactly(index, name, 32))
  }

  exactly(index: number, name: string, size: number): Uint8Array {
    const bytes = this.#bytes(index, name)
    if (bytes.length !== size) throw this.#wrong(name, `expected ${size} bytes, got ${bytes.length}`)
    return bytes
  }

  atMost(index: number, name: string, size: number): Uint8Array {
    const bytes = this.#bytes(index, name)
    if (bytes.length > size) throw this.#wrong(name, `expected at most ${size} bytes, got ${bytes.length}`)
    return bytes
  }

  quantity(index: number, name: string, size: number): bigint {
    const bytes = this.atMost(index, name, size)
    if (bytes[0] === 0) throw this.#wrong(name, 'a quantity has no leading zero bytes')
    return toQuantity(bytes)
  }

  #bytes(index: number, name: string): Uint8Array {
    const value = this.#fields[index]
    if (!(value instanceof Uint8Array)) throw this.#wrong(name, 'expected bytes, got a list')
    return value
  }

  #wrong(name: string, reason: string): MalformedBlock {
    return new MalformedBlock(`${this.#path}.${name}`, reason)
  }
}
