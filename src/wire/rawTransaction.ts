/** Transactions as they are sent: signed bytes. */
import { decodeTransaction } from '../model/signedTransaction.ts'
import type { Transaction } from '../model/transaction.ts'
import { MalformedTransaction } from '../model/transactionFields.ts'
import { parseBytes } from './hex.ts'
import { InvalidValue, type Parser } from './parser.ts'

/** Signed bytes as a transaction, its sender recovered. */
export const parseRawTransaction: Parser<Transaction> = (value, path) => {
  const raw = parseBytes(value, path)
  try {
    return decodeTransaction(raw)
  } catch (error) {
    if (!(error instanceof MalformedTransaction)) throw error
    throw new InvalidValue(path, `a signed transaction (${error.reason})`, value)
  }
}
