/** Parses a header from JSON, as `encodeHeader` and other nodes write it. */

import { EMPTY_BYTES } from '../bytes/hex.ts'
import type { Withdrawal } from '../model/block/header.ts'
import { type Header, ZERO_NONCE } from '../model/block/header.ts'
import { encodeQuantity, parseAddress, parseBytes, parseHash, parseQuantity, parseUint64 } from './hex.ts'
import { arrayOf, InvalidValue, optional, type Parser, recordOf, withDefault } from './parser.ts'

export const parseHeader: Parser<Header> = (value, path) => {
  const record = recordOf(value, path, 'a header')
  const member = <T>(name: string, parse: Parser<T>): T => parse(record[name], `${path}.${name}`)
  return {
    parentHash: member('parentHash', parseHash),
    ommersHash: member('sha3Uncles', parseHash),
    coinbase: member('miner', parseAddress),
    stateRoot: member('stateRoot', parseHash),
    transactionsRoot: member('transactionsRoot', parseHash),
    receiptsRoot: member('receiptsRoot', parseHash),
    logsBloom: member('logsBloom', bytes(256)),
    difficulty: member('difficulty', parseQuantity),
    number: member('number', parseUint64),
    gasLimit: member('gasLimit', parseUint64),
    gasUsed: member('gasUsed', parseUint64),
    timestamp: member('timestamp', parseUint64),
    extraData: member('extraData', withDefault(parseBytes, EMPTY_BYTES)),
    prevRandao: member('mixHash', parseHash),
    nonce: member('nonce', withDefault(bytes(8), ZERO_NONCE)),
    baseFeePerGas: member('baseFeePerGas', optional(parseQuantity)),
    withdrawalsRoot: member('withdrawalsRoot', optional(parseHash)),
    blobGasUsed: member('blobGasUsed', optional(parseUint64)),
    excessBlobGas: member('excessBlobGas', optional(parseUint64)),
    parentBeaconBlockRoot: member('parentBeaconBlockRoot', optional(parseHash)),
    requestsHash: member('requestsHash', optional(parseHash)),
  }
}

function bytes(length: number): Parser<Uint8Array> {
  return (value, path) => {
    const parsed = parseBytes(value, path)
    if (parsed.length !== length) throw new InvalidValue(path, `${length} bytes`, value)
    return parsed
  }
}

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
