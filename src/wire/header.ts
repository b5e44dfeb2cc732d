import { type Address, EMPTY_BYTES, type Hash, toHex, ZERO_HASH } from '../bytes/hex.ts'
import type { Block } from '../model/block/block.ts'
import { type Header, hashHeader, type Withdrawal, ZERO_NONCE } from '../model/block/header.ts'
import type { BlobSidecar } from '../model/transaction/blobSidecar.ts'
import {
  encodeBytes,
  encodeQuantity,
  parseAddress,
  parseBytes,
  parseHash,
  parseQuantity,
  parseUint64,
} from './hex.ts'
import {
  arrayOf,
  InvalidValue,
  type JsonObject,
  optional,
  type Parser,
  recordOf,
  withDefault,
} from './parser.ts'

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

/** Maximum number of withdrawals in a block (consensus-specs, Capella; EIP-4895). */
const MAX_WITHDRAWALS = 16

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

export function encodeWithdrawal({ index, validatorIndex, address, amountGwei }: Withdrawal): JsonObject {
  return {
    index: encodeQuantity(index),
    validatorIndex: encodeQuantity(validatorIndex),
    address,
    amount: encodeQuantity(amountGwei),
  }
}

/** Encodes an ommer (uncle block). `size` is the size of its RLP in bytes. */
export function encodeUncle(header: Header, size: number): JsonObject {
  return { hash: hashHeader(header), ...encodeHeader(header), size: encodeQuantity(size), uncles: [] }
}

export function encodeHeader(header: Header) {
  const json = {
    parentHash: header.parentHash,
    sha3Uncles: header.ommersHash,
    miner: header.coinbase,
    stateRoot: header.stateRoot,
    transactionsRoot: header.transactionsRoot,
    receiptsRoot: header.receiptsRoot,
    logsBloom: toHex(header.logsBloom),
    difficulty: encodeQuantity(header.difficulty),
    number: encodeQuantity(header.number),
    gasLimit: encodeQuantity(header.gasLimit),
    gasUsed: encodeQuantity(header.gasUsed),
    timestamp: encodeQuantity(header.timestamp),
    extraData: encodeBytes(header.extraData),
    mixHash: header.prevRandao,
    nonce: toHex(header.nonce),
  }
  const later: JsonObject = json
  if (header.baseFeePerGas !== undefined) later.baseFeePerGas = encodeQuantity(header.baseFeePerGas)
  if (header.withdrawalsRoot !== undefined) later.withdrawalsRoot = header.withdrawalsRoot
  if (header.blobGasUsed !== undefined) later.blobGasUsed = encodeQuantity(header.blobGasUsed)
  if (header.excessBlobGas !== undefined) later.excessBlobGas = encodeQuantity(header.excessBlobGas)
  if (header.parentBeaconBlockRoot !== undefined) later.parentBeaconBlockRoot = header.parentBeaconBlockRoot
  if (header.requestsHash !== undefined) later.requestsHash = header.requestsHash
  return json
}

export interface PayloadAttributes {
  /** Seconds since 1970. */
  readonly timestamp: bigint
  readonly prevRandao: Hash
  readonly feeRecipient: Address
  readonly withdrawals: readonly Withdrawal[]
  readonly parentBeaconBlockRoot: Hash
}

/** Parses `PayloadAttributesV3` of the Engine API. Fields of Shanghai and Cancun are optional. */
export const parsePayloadAttributes: Parser<PayloadAttributes> = (value, path) => {
  const record = recordOf(value, path, 'payload attributes {timestamp, prevRandao, suggestedFeeRecipient, …}')
  const member = <T>(name: string, parse: Parser<T>): T => parse(record[name], `${path}.${name}`)
  return {
    timestamp: member('timestamp', parseUint64),
    prevRandao: member('prevRandao', parseHash),
    feeRecipient: member('suggestedFeeRecipient', parseAddress),
    withdrawals: member('withdrawals', withDefault(parseWithdrawals, [])),
    parentBeaconBlockRoot: member('parentBeaconBlockRoot', withDefault(parseHash, ZERO_HASH)),
  }
}

const MAX_EXTRA_DATA_BYTES = 32

export const parseExtraData: Parser<Uint8Array> = (value, path) => {
  const bytes = parseBytes(value, path)
  if (bytes.length > MAX_EXTRA_DATA_BYTES) {
    throw new InvalidValue(path, `at most ${MAX_EXTRA_DATA_BYTES} bytes`, value)
  }
  return bytes
}

/** Encodes `ExecutionPayloadV3` of the Engine API. Fields of Shanghai and Cancun are absent in older blocks. */
export function encodePayload({ header, hash, transactions, withdrawals }: Block): JsonObject {
  return {
    parentHash: header.parentHash,
    feeRecipient: header.coinbase,
    stateRoot: header.stateRoot,
    receiptsRoot: header.receiptsRoot,
    logsBloom: toHex(header.logsBloom),
    prevRandao: header.prevRandao,
    blockNumber: encodeQuantity(header.number),
    gasLimit: encodeQuantity(header.gasLimit),
    gasUsed: encodeQuantity(header.gasUsed),
    timestamp: encodeQuantity(header.timestamp),
    extraData: encodeBytes(header.extraData),
    baseFeePerGas: encodeQuantity(header.baseFeePerGas ?? 0n),
    blockHash: hash,
    transactions: transactions.map(({ raw }) => encodeBytes(raw)),
    ...(withdrawals === undefined ? {} : { withdrawals: withdrawals.map(encodeWithdrawal) }),
    ...(header.blobGasUsed === undefined ? {} : { blobGasUsed: encodeQuantity(header.blobGasUsed) }),
    ...(header.excessBlobGas === undefined ? {} : { excessBlobGas: encodeQuantity(header.excessBlobGas) }),
  }
}

/** Encodes `BlobsBundleV2` of the Engine API: the sidecars of a block's transactions, in order. */
export function encodeBlobsBundle(sidecars: readonly BlobSidecar[]): JsonObject {
  return {
    commitments: sidecars.flatMap(({ commitments }) => commitments.map(encodeBytes)),
    proofs: sidecars.flatMap(({ proofs }) => proofs.map(encodeBytes)),
    blobs: sidecars.flatMap(({ blobs }) => blobs.map(encodeBytes)),
  }
}
