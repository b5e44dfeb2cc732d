/**
 * Signed transactions: legacy, EIP-2930, EIP-1559 and EIP-7702.
 *
 * They are decoded here rather than with `@ethereumjs/tx`, whose constructor takes about 70 microseconds (more
 * than recovering the sender) and says what is wrong in sentences. The sender is recovered once, here.
 */
import { type Address, EMPTY_BYTES, fromHex, type Hash, toHex, toMinimalBytes, toQuantity } from './hex.ts'
import { keccak256, keccakHash } from './keccak.ts'
import { withType } from './receipt.ts'
import { decodeRlp, encodeRlp, type RlpInput, type RlpValue } from './rlp.ts'
import { HALF_ORDER, recoverAddress, type Signature, signHash } from './secp256k1.ts'

/** EIP-2930: addresses and slots that a transaction says it will touch. */
export type AccessList = readonly AccessListItem[]
export interface AccessListItem {
  readonly address: Address
  readonly storageKeys: readonly Hash[]
}

/** EIP-7702: an account's signed wish to run the code of `address`. */
export interface Authorization extends Signature {
  readonly chainId: bigint
  readonly address: Address
  readonly nonce: bigint
}

/** EIP-2718 types that a devnet runs. */
export type TransactionType = 0 | 1 | 2 | 4

/** What is signed. */
export interface UnsignedTransaction {
  readonly type: TransactionType
  /** Absent in a legacy transaction without replay protection (EIP-155). */
  readonly chainId: bigint | undefined
  readonly nonce: bigint
  readonly gasLimit: bigint
  /** Absent: the transaction creates a contract. */
  readonly to: Address | undefined
  /** Wei. */
  readonly value: bigint
  readonly data: Uint8Array
  /** Wei per gas; types 0 and 1 have one price, which stands in both. */
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly accessList: AccessList
  readonly authorizationList: readonly Authorization[]
}

export interface Transaction extends UnsignedTransaction {
  readonly hash: Hash
  readonly from: Address
  readonly signature: Signature
  /** The signed bytes, as they came and as they stand in the transactions trie. */
  readonly raw: Uint8Array
}

/** Bytes that are not a transaction. `reason` completes the sentence "the transaction is malformed: …". */
export class MalformedTransaction extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`malformed transaction: ${reason}`)
    this.reason = reason
  }
}

/** The transaction that `raw` encodes, with its sender. Throws `MalformedTransaction`. */
export function decodeTransaction(raw: Uint8Array): Transaction {
  const first = raw[0]
  if (first === undefined) throw new MalformedTransaction('no bytes')
  if (first >= 0xc0) return decodeLegacy(raw)
  const layout = first === 1 || first === 2 || first === 4 ? LAYOUTS[first] : undefined
  if (layout === undefined) {
    throw new MalformedTransaction(`type ${first} is not supported; expected legacy or type 1, 2 or 4`)
  }
  const fields = listOf(raw.subarray(1))
  if (fields.length !== layout.fields + 3) {
    throw new MalformedTransaction(`type ${first} has ${layout.fields + 3} fields, got ${fields.length}`)
  }
  const unsigned = layout.decode(new Fields(fields))
  const [yParity, r, s] = fields.slice(-3).map((field) => quantityOf(field, 'signature')) as [
    bigint,
    bigint,
    bigint,
  ]
  if (yParity > 1n) throw new MalformedTransaction(`yParity is 0 or 1, got ${yParity}`)
  return signedBy(unsigned, { yParity: yParity === 1n ? 1 : 0, r, s }, raw)
}

function decodeLegacy(raw: Uint8Array): Transaction {
  const fields = listOf(raw)
  if (fields.length !== 9)
    throw new MalformedTransaction(`a legacy transaction has 9 fields, got ${fields.length}`)
  const at = new Fields(fields)
  const gasPrice = at.quantity(1)
  const v = at.quantity(6)
  if (v !== 27n && v !== 28n && v < 35n)
    throw new MalformedTransaction(`v is 27, 28 or at least 35 (EIP-155), got ${v}`)
  const unsigned: UnsignedTransaction = {
    type: 0,
    chainId: v < 35n ? undefined : (v - 35n) / 2n,
    nonce: at.uint64(0),
    gasLimit: at.uint64(2),
    to: at.destination(3),
    value: at.quantity(4),
    data: at.bytes(5),
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: gasPrice,
    accessList: [],
    authorizationList: [],
  }
  const odd = v < 35n ? v === 28n : (v - 35n) % 2n === 1n
  return signedBy(unsigned, { yParity: odd ? 1 : 0, r: at.quantity(7), s: at.quantity(8) }, raw)
}

function signedBy(unsigned: UnsignedTransaction, signature: Signature, raw: Uint8Array): Transaction {
  // EIP-2: the higher of two equivalent s would give the same transaction a second hash.
  if (signature.s > HALF_ORDER) throw new MalformedTransaction('the signature has a high s (EIP-2)')
  const from = recoverAddress(signingHash(unsigned), signature)
  if (from === undefined) throw new MalformedTransaction('no sender can be recovered from the signature')
  return { ...unsigned, hash: keccakHash(raw), from, signature, raw }
}

/** The transaction, signed with a 32-byte key. */
export function signTransaction(
  unsigned: UnsignedTransaction,
  privateKey: Uint8Array,
  from: Address,
): Transaction {
  const signature = signHash(signingHash(unsigned), privateKey)
  const raw = encodeSigned(unsigned, signature)
  return { ...unsigned, hash: keccakHash(raw), from, signature, raw }
}

/** A legacy transaction's `v` (EIP-155), a typed one's yParity. */
export function legacyV(transaction: Transaction): bigint {
  const parity = BigInt(transaction.signature.yParity)
  return transaction.chainId === undefined ? 27n + parity : transaction.chainId * 2n + 35n + parity
}

/** What a sender pays per gas under a base fee (EIP-1559), in wei. */
export function effectiveGasPrice(
  { maxFeePerGas, maxPriorityFeePerGas }: UnsignedTransaction,
  baseFeePerGas: bigint,
): bigint {
  const priority = maxFeePerGas - baseFeePerGas
  return baseFeePerGas + (priority < maxPriorityFeePerGas ? priority : maxPriorityFeePerGas)
}

function signingHash(unsigned: UnsignedTransaction): Uint8Array {
  if (unsigned.type !== 0) {
    return keccak256(withType(unsigned.type, encodeRlp(LAYOUTS[unsigned.type].encode(unsigned))))
  }
  const fields = legacyFields(unsigned)
  if (unsigned.chainId !== undefined) fields.push(toMinimalBytes(unsigned.chainId), EMPTY_BYTES, EMPTY_BYTES)
  return keccak256(encodeRlp(fields))
}

function encodeSigned(unsigned: UnsignedTransaction, { yParity, r, s }: Signature): Uint8Array {
  const numbers = [toMinimalBytes(r), toMinimalBytes(s)]
  if (unsigned.type === 0) {
    const v = unsigned.chainId === undefined ? 27n : unsigned.chainId * 2n + 35n
    return encodeRlp([...legacyFields(unsigned), toMinimalBytes(v + BigInt(yParity)), ...numbers])
  }
  const fields = LAYOUTS[unsigned.type].encode(unsigned)
  return withType(unsigned.type, encodeRlp([...fields, toMinimalBytes(BigInt(yParity)), ...numbers]))
}

function legacyFields(unsigned: UnsignedTransaction): RlpInput[] {
  return [
    toMinimalBytes(unsigned.nonce),
    toMinimalBytes(unsigned.maxFeePerGas),
    toMinimalBytes(unsigned.gasLimit),
    ...destinationFields(unsigned),
  ]
}

function destinationFields({ to, value, data }: UnsignedTransaction): RlpInput[] {
  return [to === undefined ? EMPTY_BYTES : fromHex(to), toMinimalBytes(value), data]
}

interface Layout {
  /** How many fields there are before the signature's three. */
  readonly fields: number
  decode(fields: Fields): UnsignedTransaction
  encode(unsigned: UnsignedTransaction): RlpInput[]
}

const LAYOUTS: Record<Exclude<TransactionType, 0>, Layout> = {
  1: {
    fields: 8,
    decode: (at) => ({
      type: 1,
      chainId: at.quantity(0),
      nonce: at.uint64(1),
      maxFeePerGas: at.quantity(2),
      maxPriorityFeePerGas: at.quantity(2),
      gasLimit: at.uint64(3),
      to: at.destination(4),
      value: at.quantity(5),
      data: at.bytes(6),
      accessList: at.accessList(7),
      authorizationList: [],
    }),
    encode: (tx) => [
      toMinimalBytes(tx.chainId ?? 0n),
      toMinimalBytes(tx.nonce),
      toMinimalBytes(tx.maxFeePerGas),
      toMinimalBytes(tx.gasLimit),
      ...destinationFields(tx),
      accessListFields(tx.accessList),
    ],
  },
  2: { fields: 9, decode: (at) => feeMarket(at, 2, []), encode: feeMarketFields },
  4: {
    fields: 10,
    decode(at) {
      const authorizationList = at.authorizationList(9)
      if (authorizationList.length === 0)
        throw new MalformedTransaction('the authorization list is empty (EIP-7702)')
      const transaction = feeMarket(at, 4, authorizationList)
      if (transaction.to === undefined)
        throw new MalformedTransaction('type 4 needs a destination (EIP-7702)')
      return transaction
    },
    encode: (tx) => [...feeMarketFields(tx), tx.authorizationList.map(authorizationFields)],
  },
}

function feeMarket(at: Fields, type: 2 | 4, authorizationList: Authorization[]): UnsignedTransaction {
  return {
    type,
    chainId: at.quantity(0),
    nonce: at.uint64(1),
    maxPriorityFeePerGas: at.quantity(2),
    maxFeePerGas: at.quantity(3),
    gasLimit: at.uint64(4),
    to: at.destination(5),
    value: at.quantity(6),
    data: at.bytes(7),
    accessList: at.accessList(8),
    authorizationList,
  }
}

function feeMarketFields(tx: UnsignedTransaction): RlpInput[] {
  return [
    toMinimalBytes(tx.chainId ?? 0n),
    toMinimalBytes(tx.nonce),
    toMinimalBytes(tx.maxPriorityFeePerGas),
    toMinimalBytes(tx.maxFeePerGas),
    toMinimalBytes(tx.gasLimit),
    ...destinationFields(tx),
    accessListFields(tx.accessList),
  ]
}

function accessListFields(accessList: AccessList): RlpInput {
  return accessList.map(({ address, storageKeys }) => [fromHex(address), storageKeys.map(fromHex)])
}

/** An authorization as the RLP of its tuple, the form in which EthereumJS takes it too. */
export function authorizationFields(a: Authorization): Uint8Array[] {
  return [
    toMinimalBytes(a.chainId),
    fromHex(a.address),
    toMinimalBytes(a.nonce),
    toMinimalBytes(BigInt(a.yParity)),
    toMinimalBytes(a.r),
    toMinimalBytes(a.s),
  ]
}

function listOf(bytes: Uint8Array): RlpValue[] {
  let value: RlpValue
  try {
    value = decodeRlp(bytes)
  } catch {
    throw new MalformedTransaction('not canonical RLP')
  }
  if (value instanceof Uint8Array) throw new MalformedTransaction('expected a list of fields, got bytes')
  return value
}

function quantityOf(value: RlpValue | undefined, what: string, size = 32): bigint {
  if (!(value instanceof Uint8Array))
    throw new MalformedTransaction(`${what}: expected a quantity, got a list`)
  if (value.length > size) {
    throw new MalformedTransaction(`${what}: a quantity has at most ${size} bytes, got ${value.length}`)
  }
  if (value[0] === 0) throw new MalformedTransaction(`${what}: a quantity has no leading zero bytes`)
  return toQuantity(value)
}

function bytesOf(value: RlpValue | undefined, length: number, what: string): Uint8Array {
  if (!(value instanceof Uint8Array) || value.length !== length) {
    throw new MalformedTransaction(`${what}: expected ${length} bytes`)
  }
  return value
}

function itemsOf(value: RlpValue | undefined, what: string): RlpValue[] {
  if (!Array.isArray(value)) throw new MalformedTransaction(`${what}: expected a list`)
  return value
}

/** Reads the fields of a decoded list by position. */
class Fields {
  readonly #values: RlpValue[]

  constructor(values: RlpValue[]) {
    this.#values = values
  }

  quantity(index: number): bigint {
    return quantityOf(this.#values[index], `field ${index}`)
  }

  /** A nonce (EIP-2681) or an amount of gas: at most 64 bits. */
  uint64(index: number): bigint {
    return quantityOf(this.#values[index], `field ${index}`, 8)
  }

  bytes(index: number): Uint8Array {
    const value = this.#values[index]
    if (!(value instanceof Uint8Array))
      throw new MalformedTransaction(`field ${index}: expected bytes, got a list`)
    return value
  }

  destination(index: number): Address | undefined {
    const value = this.bytes(index)
    if (value.length === 0) return undefined
    return toHex(bytesOf(value, 20, 'to'))
  }

  accessList(index: number): AccessListItem[] {
    return itemsOf(this.#values[index], 'access list').map((item) => {
      const fields = itemsOf(item, 'access list item')
      if (fields.length !== 2)
        throw new MalformedTransaction(`an access list item has 2 fields, got ${fields.length}`)
      const [address, keys] = fields
      return {
        address: toHex(bytesOf(address, 20, 'access list address')),
        storageKeys: itemsOf(keys, 'storage keys').map((key) => toHex(bytesOf(key, 32, 'storage key'))),
      }
    })
  }

  authorizationList(index: number): Authorization[] {
    return itemsOf(this.#values[index], 'authorization list').map((item) => {
      const tuple = itemsOf(item, 'authorization')
      if (tuple.length !== 6)
        throw new MalformedTransaction(`an authorization has 6 fields, got ${tuple.length}`)
      return {
        chainId: quantityOf(tuple[0], 'authorization chain id'),
        address: toHex(bytesOf(tuple[1], 20, 'authorization address')),
        // EIP-7702 bounds these two; a yParity of 2 to 255 makes the authorization void, not the transaction malformed.
        nonce: quantityOf(tuple[2], 'authorization nonce', 8),
        yParity: Number(quantityOf(tuple[3], 'authorization yParity', 1)) as 0 | 1,
        r: quantityOf(tuple[4], 'authorization r'),
        s: quantityOf(tuple[5], 'authorization s'),
      }
    })
  }
}
