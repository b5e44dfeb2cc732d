/** Encodes and decodes signed transactions (EIP-2718). `@ethereumjs/tx` would be slower and reports errors as text. */
import { type Address, EMPTY_BYTES, fromHex, type Hash, toMinimalBytes } from '../../bytes/hex.ts'
import { encodeRlp, type RlpInput, withType } from '../../bytes/rlp.ts'
import { keccak256, keccakHash } from '../../crypto/keccak.ts'
import { HALF_ORDER, recoverAddress, type Signature, signHash } from '../../crypto/secp256k1.ts'
import { decodeDeposit } from '../l2/deposit.ts'
import {
  type Authorization,
  DEPOSIT_TYPE,
  type Transaction,
  type TransactionType,
  type UnsignedTransaction,
} from './transaction.ts'
import { Fields, listOf, MalformedTransaction, quantityOf } from './transactionFields.ts'

/** Decodes a transaction that a user sends, and recovers its sender. Throws `MalformedTransaction`. */
export function decodeTransaction(raw: Uint8Array): Transaction {
  const transaction = decodeOneOf(SENT_TYPES, raw)
  if (hasHighS(transaction)) throw new MalformedTransaction('the signature has a high s (EIP-2)')
  return transaction
}

/** Decodes a block's transaction: type 3 has no blobs, and `s` may be high. Throws `MalformedTransaction`. */
export function decodeIncludedTransaction(raw: Uint8Array): Transaction {
  return decodeOneOf(INCLUDED_TYPES, raw)
}

export type Sender =
  | { readonly kind: 'signed'; readonly from: Address }
  /** A sender without a valid signature. `hash` may differ from the bytes' hash, because other nodes hash more data. */
  | { readonly kind: 'impersonated'; readonly from: Address; readonly hash: Hash }

/** Decodes a transaction whose sender is known. The signature may be invalid. */
export function decodeTransactionFrom(sender: Sender, raw: Uint8Array): Transaction {
  return decodeOneOf(INCLUDED_TYPES, raw, sender)
}

/** Decodes a transaction or deposit whose sender and hash are known, without hashing or recovery. */
export function decodeKnown(
  raw: Uint8Array,
  { from, hash, isImpersonated }: { from: Address; hash: Hash; isImpersonated: boolean },
): Transaction {
  if (raw[0] === DEPOSIT_TYPE) return decodeDeposit(raw)
  return decodeOneOf(INCLUDED_TYPES, raw, { kind: isImpersonated ? 'impersonated' : 'known', from, hash })
}

export function senderOf({ from, hash, isImpersonated }: Transaction): Sender {
  return isImpersonated ? { kind: 'impersonated', from, hash } : { kind: 'signed', from }
}

const SENT_TYPES: readonly number[] = [1, 2, 4]
const INCLUDED_TYPES: readonly number[] = [1, 2, 3, 4]

type Origin = Sender | { readonly kind: 'known'; readonly from: Address; readonly hash: Hash }

function decodeOneOf(types: readonly number[], raw: Uint8Array, sender?: Origin): Transaction {
  const first = raw[0]
  if (first === undefined) throw new MalformedTransaction('no bytes')
  if (first >= 0xc0) return decodeLegacy(raw, sender)
  if (!types.includes(first)) {
    const expected = `legacy or type ${types.slice(0, -1).join(', ')} or ${types.at(-1)}`
    throw new MalformedTransaction(`type ${first} is not supported; expected ${expected}`)
  }
  const type = first as TypedType
  const fields = listOf(raw.subarray(1))
  if (fields.length !== FIELDS[type] + 3) {
    throw new MalformedTransaction(`type ${type} has ${FIELDS[type] + 3} fields, got ${fields.length}`)
  }
  const unsigned = decodeTyped(type, new Fields(fields))
  const [yParity, r, s] = fields.slice(-3).map((field) => quantityOf(field, 'signature')) as [
    bigint,
    bigint,
    bigint,
  ]
  if (yParity > 1n) throw new MalformedTransaction(`yParity is 0 or 1, got ${yParity}`)
  return sent(unsigned, { yParity: yParity === 1n ? 1 : 0, r, s }, raw, sender)
}

function decodeLegacy(raw: Uint8Array, sender: Origin | undefined): Transaction {
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
  return sent(unsigned, { yParity: odd ? 1 : 0, r: at.quantity(7), s: at.quantity(8) }, raw, sender)
}

function sent(
  unsigned: UnsignedTransaction,
  signature: Signature,
  raw: Uint8Array,
  sender: Origin | undefined,
): Transaction {
  if (sender !== undefined && sender.kind !== 'signed') {
    const transaction = assembled(unsigned, sender.hash, sender.from, signature, raw)
    return sender.kind === 'known' ? transaction : { ...transaction, isImpersonated: true }
  }
  const from = sender?.from ?? recoverAddress(signingHash(unsigned), signature)
  if (from === undefined) throw new MalformedTransaction('no sender can be recovered from the signature')
  return assembled(unsigned, keccakHash(raw), from, signature, raw)
}

/** Lists all members: if so many members were spread, V8 would give each object its own hidden class. */
function assembled(
  unsigned: UnsignedTransaction,
  hash: Hash,
  from: Address,
  signature: Signature,
  raw: Uint8Array,
): Transaction {
  const { type, chainId, nonce, gasLimit, to, value, data, maxFeePerGas, maxPriorityFeePerGas } = unsigned
  const { accessList, authorizationList, maxFeePerBlobGas, blobVersionedHashes } = unsigned
  const transaction: Transaction = {
    type,
    chainId,
    nonce,
    gasLimit,
    to,
    value,
    data,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList,
    authorizationList,
    hash,
    from,
    signature,
    raw,
  }
  return maxFeePerBlobGas === undefined || blobVersionedHashes === undefined
    ? transaction
    : { ...transaction, maxFeePerBlobGas, blobVersionedHashes }
}

/** Returns whether `s` is in the upper half of the curve order, which EIP-2 forbids. */
export function hasHighS({ signature }: Transaction): boolean {
  return signature.s > HALF_ORDER
}

/** Returns the transaction with this signature, which is not verified. */
export function withSignature(
  unsigned: UnsignedTransaction,
  signature: Signature,
  sender: Sender,
): Transaction {
  return sent(unsigned, signature, encodeSigned(unsigned, signature), sender)
}

export function signTransaction(
  unsigned: UnsignedTransaction,
  privateKey: Uint8Array,
  from: Address,
): Transaction {
  const signature = signHash(signingHash(unsigned), privateKey)
  const raw = encodeSigned(unsigned, signature)
  return assembled(unsigned, keccakHash(raw), from, signature, raw)
}

/**
 * Returns the transaction as sent by `from`, without a key. `r` and `s` are the address of the sender, so that equal
 * transactions of two senders have different hashes. Other nodes recover another sender, or none.
 */
export function impersonate(unsigned: UnsignedTransaction, from: Address): Transaction {
  const signature: Signature = { r: BigInt(from), s: BigInt(from), yParity: 0 }
  const raw = encodeSigned(unsigned, signature)
  return { ...assembled(unsigned, keccakHash(raw), from, signature, raw), isImpersonated: true }
}

function signingHash(unsigned: UnsignedTransaction): Uint8Array {
  if (unsigned.type !== 0) {
    return keccak256(withType(unsigned.type, encodeRlp(typedFields(unsigned))))
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
  return withType(
    unsigned.type,
    encodeRlp([...typedFields(unsigned), toMinimalBytes(BigInt(yParity)), ...numbers]),
  )
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

type TypedType = Exclude<TransactionType, 0>

/** The number of fields before the three signature fields, by transaction type. */
const FIELDS: Readonly<Record<TypedType, number>> = { 1: 8, 2: 9, 3: 11, 4: 10 }

function decodeTyped(type: TypedType, at: Fields): UnsignedTransaction {
  const blobVersionedHashes = type === 3 ? at.hashes(10) : undefined
  if (blobVersionedHashes?.length === 0) throw new MalformedTransaction('there are no blobs (EIP-4844)')
  const authorizationList = type === 4 ? at.authorizationList(9) : []
  if (type === 4 && authorizationList.length === 0) {
    throw new MalformedTransaction('the authorization list is empty (EIP-7702)')
  }
  // Type 1 has one gas price field, the other types have two.
  const gasAt = type === 1 ? 3 : 4
  const transaction: UnsignedTransaction = {
    type,
    chainId: at.quantity(0),
    nonce: at.uint64(1),
    maxPriorityFeePerGas: at.quantity(2),
    maxFeePerGas: at.quantity(gasAt - 1),
    gasLimit: at.uint64(gasAt),
    to: at.destination(gasAt + 1),
    value: at.quantity(gasAt + 2),
    data: at.bytes(gasAt + 3),
    accessList: at.accessList(gasAt + 4),
    authorizationList,
  }
  if (type > 2 && transaction.to === undefined) {
    throw new MalformedTransaction(
      `type ${type} needs a destination (${type === 3 ? 'EIP-4844' : 'EIP-7702'})`,
    )
  }
  if (blobVersionedHashes === undefined) return transaction
  return { ...transaction, maxFeePerBlobGas: at.quantity(9), blobVersionedHashes }
}

function typedFields(tx: UnsignedTransaction): RlpInput[] {
  const fields = [
    toMinimalBytes(tx.chainId ?? 0n),
    toMinimalBytes(tx.nonce),
    ...(tx.type === 1 ? [] : [toMinimalBytes(tx.maxPriorityFeePerGas)]),
    toMinimalBytes(tx.maxFeePerGas),
    toMinimalBytes(tx.gasLimit),
    ...destinationFields(tx),
    tx.accessList.map(({ address, storageKeys }) => [fromHex(address), storageKeys.map(fromHex)]),
  ]
  if (tx.type === 3) {
    fields.push(toMinimalBytes(tx.maxFeePerBlobGas ?? 0n), (tx.blobVersionedHashes ?? []).map(fromHex))
  }
  if (tx.type === 4) fields.push(tx.authorizationList.map(authorizationFields))
  return fields
}

/** Returns the RLP fields of an authorization, as EthereumJS expects them. */
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

/** The constant `MAGIC` of EIP-7702: the first byte of the signed message. */
const AUTHORIZATION_MAGIC = 5

export function authorityOf(authorization: Authorization): Address | undefined {
  const tuple = encodeRlp(authorizationFields(authorization).slice(0, 3))
  return recoverAddress(keccak256(withType(AUTHORIZATION_MAGIC, tuple)), authorization)
}

const NO_SIGNATURE: Signature = { yParity: 0, r: 0n, s: 0n }

/** Returns the transaction with a signature of zeros, as used in simulated blocks. */
export function withoutSignature(unsigned: UnsignedTransaction, from: Address): Transaction {
  if (unsigned.type !== 0) return withSignature(unsigned, NO_SIGNATURE, { kind: 'signed', from })
  // `v`, `r` and `s` are zero, so `v` encodes neither a parity nor a chain id.
  const raw = encodeRlp([...legacyFields(unsigned), EMPTY_BYTES, EMPTY_BYTES, EMPTY_BYTES])
  return { ...unsigned, chainId: undefined, hash: keccakHash(raw), from, signature: NO_SIGNATURE, raw }
}
