/** Parses a header from JSON, as `encodeHeader` and other nodes write it. */

import { EMPTY_BYTES } from '../bytes/hex.ts'
import { type Header, ZERO_NONCE } from '../model/block/header.ts'
import { parseAddress, parseBytes, parseHash, parseQuantity, parseUint64 } from './hex.ts'
import { InvalidValue, optional, type Parser, recordOf, withDefault } from './parser.ts'

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
