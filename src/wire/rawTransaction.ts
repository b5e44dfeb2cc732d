/** Transactions as clients send them: signed bytes, with blobs where there are any. */
import { type BlobSidecar, decodeBlobTransaction } from '../model/transaction/blobSidecar.ts'
import { decodeTransaction } from '../model/transaction/signedTransaction.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { MalformedTransaction } from '../model/transaction/transactionFields.ts'
import { parseBytes } from './hex.ts'
import { InvalidValue, type Parser } from './parser.ts'

/** A transaction as it is sent, with its blobs if it has type 3 (EIP-4844). */
export interface Sent {
  readonly transaction: Transaction
  readonly sidecar?: BlobSidecar
}

/** Parses the bytes of a signed transaction and recovers its sender. */
export const parseRawTransaction: Parser<Sent> = (value, path) => {
  const raw = parseBytes(value, path)
  try {
    return raw[0] === 3 ? decodeBlobTransaction(raw) : { transaction: decodeTransaction(raw) }
  } catch (error) {
    if (!(error instanceof MalformedTransaction)) throw error
    throw new InvalidValue(path, `a signed transaction (${error.reason})`, value)
  }
}
