/** Withdrawals in JSON (execution-apis `Withdrawal`). Amounts are in gwei. */
import type { Withdrawal } from '../model/block/withdrawal.ts'
import { encodeQuantity, parseAddress, parseUint64 } from './hex.ts'
import { arrayOf, InvalidValue, type Parser, recordOf } from './parser.ts'

/** The limit of withdrawals in a block (EIP-4895). */
const MAX_WITHDRAWALS = 16

/** Parses the withdrawals of one block. */
export const parseWithdrawals: Parser<Withdrawal[]> = (value, path) => {
  const expected = `an array of at most ${MAX_WITHDRAWALS} withdrawals {index, validatorIndex, address, amount}`
  const withdrawals = arrayOf(parseWithdrawal, expected)(value, path)
  if (withdrawals.length > MAX_WITHDRAWALS) throw new InvalidValue(path, expected, value)
  return withdrawals
}

const parseWithdrawal: Parser<Withdrawal> = (value, path) => {
  const record = recordOf(value, path, 'a withdrawal {index, validatorIndex, address, amount}')
  return {
    index: parseUint64(record.index, `${path}.index`),
    validatorIndex: parseUint64(record.validatorIndex, `${path}.validatorIndex`),
    address: parseAddress(record.address, `${path}.address`),
    amountGwei: parseUint64(record.amount, `${path}.amount`),
  }
}

/** Returns the JSON of a withdrawal. */
export function encodeWithdrawal({
  index,
  validatorIndex,
  address,
  amountGwei,
}: Withdrawal): Record<string, unknown> {
  return {
    index: encodeQuantity(index),
    validatorIndex: encodeQuantity(validatorIndex),
    address,
    amount: encodeQuantity(amountGwei),
  }
}
