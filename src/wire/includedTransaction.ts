import { type Address, EMPTY_BYTES } from '../bytes/hex.ts'
import type { Signature } from '../crypto/secp256k1.ts'
import { toTransaction } from '../model/l2/deposit.ts'
import { type BlobSidecar, decodeBlobTransaction } from '../model/transaction/blobSidecar.ts'
import { decodeTransaction, withSignature } from '../model/transaction/signedTransaction.ts'
import { DEPOSIT_TYPE, type Transaction, type TransactionType } from '../model/transaction/transaction.ts'
import { MalformedTransaction } from '../model/transaction/transactionFields.ts'
import { parseAccessListItem, parseAuthorization, parseSignaturePart } from './call.ts'
import { parseAddress, parseBytes, parseHash, parseQuantity, parseUint64 } from './hex.ts'
import { arrayOf, InvalidValue, optional, type Parser, recordOf, withDefault } from './parser.ts'

const TYPES: readonly number[] = [0, 1, 2, 3, 4] satisfies TransactionType[]

/** Parses a block's transaction. Throws if its `hash` differs from the hash of the encoded transaction. */
export const parseIncludedTransaction: Parser<Transaction> = (value, path) => {
  const record = recordOf(value, path, 'a transaction')
  const member = <T>(name: string, parse: Parser<T>): T => parse(record[name], `${path}.${name}`)
  const type = Number(member('type', withDefault(parseUint64, 0n)))
  const transaction = type === DEPOSIT_TYPE ? depositIn(member) : signedIn(type, member, path)
  const hash = member('hash', parseHash)
  if (transaction.hash !== hash) {
    throw new InvalidValue(`${path}.hash`, `the hash of the transaction (${transaction.hash})`, hash)
  }
  return transaction
}

type Member = <T>(name: string, parse: Parser<T>) => T

function depositIn(member: Member): Transaction {
  return toTransaction({
    from: member('from', parseAddress),
    to: member('to', optional(parseAddress)),
    value: member('value', parseQuantity),
    gasLimit: member('gas', parseUint64),
    data: member('input', withDefault(parseBytes, EMPTY_BYTES)),
    sourceHash: member('sourceHash', parseHash),
    mint: member('mint', withDefault(parseQuantity, 0n)),
  })
}

function signedIn(type: number, member: Member, path: string): Transaction {
  if (!TYPES.includes(type)) {
    throw new InvalidValue(`${path}.type`, `a type of ${TYPES.join(', ')}`, `0x${type.toString(16)}`)
  }
  const v = member('v', optional(parseQuantity))
  const from: Address = member('from', parseAddress)
  const hasOnePrice = type < 2
  const price = hasOnePrice ? member('gasPrice', parseQuantity) : 0n
  return withSignature(
    {
      type: type as TransactionType,
      chainId: type === 0 ? legacyChainId(v ?? 0n) : member('chainId', parseQuantity),
      nonce: member('nonce', parseUint64),
      gasLimit: member('gas', parseUint64),
      to: member('to', optional(parseAddress)),
      value: member('value', parseQuantity),
      data: member('input', parseBytes),
      maxFeePerGas: hasOnePrice ? price : member('maxFeePerGas', parseQuantity),
      maxPriorityFeePerGas: hasOnePrice ? price : member('maxPriorityFeePerGas', parseQuantity),
      accessList: type === 0 ? [] : member('accessList', withDefault(arrayOf(parseAccessListItem), [])),
      authorizationList: type === 4 ? member('authorizationList', arrayOf(parseAuthorization)) : [],
      ...(type === 3
        ? {
            maxFeePerBlobGas: member('maxFeePerBlobGas', parseQuantity),
            blobVersionedHashes: member('blobVersionedHashes', arrayOf(parseHash)),
          }
        : {}),
    },
    {
      r: member('r', parseSignaturePart),
      s: member('s', parseSignaturePart),
      yParity: parityOf(type, member, v),
    },
    { kind: 'signed', from },
  )
}

/** Returns the chain id contained in `v` of a legacy transaction (EIP-155), or `undefined`. */
function legacyChainId(v: bigint): bigint | undefined {
  return v < 35n ? undefined : (v - 35n) / 2n
}

function parityOf(type: number, member: Member, v: bigint | undefined): Signature['yParity'] {
  const given = type === 0 ? undefined : member('yParity', optional(parseQuantity))
  const parity =
    given ?? (v === undefined ? 0n : v < 35n ? (v === 28n || v === 1n ? 1n : 0n) : (v - 35n) % 2n)
  return parity === 1n ? 1 : 0
}

/** A raw transaction, with its blobs if it has type 3 (EIP-4844). */
export interface Sent {
  readonly transaction: Transaction
  readonly sidecar?: BlobSidecar
}

export const parseRawTransaction: Parser<Sent> = (value, path) => {
  const raw = parseBytes(value, path)
  try {
    return raw[0] === 3 ? decodeBlobTransaction(raw) : { transaction: decodeTransaction(raw) }
  } catch (error) {
    if (!(error instanceof MalformedTransaction)) throw error
    throw new InvalidValue(path, `a signed transaction (${error.reason})`, value)
  }
}
