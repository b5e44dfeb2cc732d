/** Packs and reads headers, ommers and withdrawals of a block. A reader must be at the start of the value. */
import { areEqual } from '../../bytes/bytes.ts'
import { type Address, EMPTY_BYTES, type Hash, ZERO_ADDRESS, ZERO_HASH } from '../../bytes/hex.ts'
import type { HeaderBrief } from '../../model/block/block.ts'
import {
  EMPTY_OMMERS_HASH,
  EMPTY_REQUESTS_HASH,
  type Header,
  type Withdrawal,
  ZERO_NONCE,
} from '../../model/block/header.ts'
import { type Bloom, EMPTY_BLOOM } from '../../model/receipt/log.ts'
import type { PackReader, PackWriter } from './packed.ts'

/** Frequent hashes, packed as their index in this list. Other hashes are packed as the index 0 and their bytes. */
const COMMON: readonly (Hash | undefined)[] = [
  undefined,
  ZERO_HASH,
  EMPTY_OMMERS_HASH,
  EMPTY_REQUESTS_HASH,
  // The root of an empty trie.
  '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
]

const HAS_BASE_FEE = 1
const HAS_WITHDRAWALS_ROOT = 2
const HAS_BLOB_GAS_USED = 4
const HAS_EXCESS_BLOB_GAS = 8
const HAS_BEACON_ROOT = 16
const HAS_REQUESTS_HASH = 32
const HAS_COINBASE = 64
const HAS_NONCE = 128

export function packHeader(writer: PackWriter, header: Header): void {
  writer.byte(
    (header.baseFeePerGas === undefined ? 0 : HAS_BASE_FEE) |
      (header.withdrawalsRoot === undefined ? 0 : HAS_WITHDRAWALS_ROOT) |
      (header.blobGasUsed === undefined ? 0 : HAS_BLOB_GAS_USED) |
      (header.excessBlobGas === undefined ? 0 : HAS_EXCESS_BLOB_GAS) |
      (header.parentBeaconBlockRoot === undefined ? 0 : HAS_BEACON_ROOT) |
      (header.requestsHash === undefined ? 0 : HAS_REQUESTS_HASH) |
      (header.coinbase === ZERO_ADDRESS ? 0 : HAS_COINBASE) |
      (areEqual(header.nonce, ZERO_NONCE) ? 0 : HAS_NONCE),
  )
  writer.quantity(header.number)
  writer.quantity(header.timestamp)
  if (header.baseFeePerGas !== undefined) writer.quantity(header.baseFeePerGas)
  packHash(writer, header.parentHash)
  packHash(writer, header.ommersHash)
  if (header.coinbase !== ZERO_ADDRESS) writer.hex(header.coinbase)
  packHash(writer, header.stateRoot)
  packHash(writer, header.transactionsRoot)
  packHash(writer, header.receiptsRoot)
  packBloom(writer, header.logsBloom)
  writer.quantity(header.difficulty)
  writer.quantity(header.gasLimit)
  writer.quantity(header.gasUsed)
  writer.bytes(header.extraData)
  packHash(writer, header.prevRandao)
  if (!areEqual(header.nonce, ZERO_NONCE)) writer.raw(header.nonce)
  if (header.withdrawalsRoot !== undefined) packHash(writer, header.withdrawalsRoot)
  if (header.blobGasUsed !== undefined) writer.quantity(header.blobGasUsed)
  if (header.excessBlobGas !== undefined) writer.quantity(header.excessBlobGas)
  if (header.parentBeaconBlockRoot !== undefined) packHash(writer, header.parentBeaconBlockRoot)
  if (header.requestsHash !== undefined) packHash(writer, header.requestsHash)
}

/** Returns the first fields of a header without decoding the other fields. */
export function readBrief(reader: PackReader): HeaderBrief {
  return briefIn(reader, reader.byte())
}

// The members must be in the order of `packHeader`, because evaluation order determines reading order.
function briefIn(reader: PackReader, flags: number): HeaderBrief {
  return {
    number: reader.quantity(),
    timestamp: reader.quantity(),
    baseFeePerGas: flags & HAS_BASE_FEE ? reader.quantity() : undefined,
  }
}

export function readHeader(reader: PackReader): Header {
  const flags = reader.byte()
  const { number, timestamp, baseFeePerGas } = briefIn(reader, flags)
  return {
    parentHash: readHash(reader),
    ommersHash: readHash(reader),
    coinbase: flags & HAS_COINBASE ? (reader.hex(20) satisfies Address) : ZERO_ADDRESS,
    stateRoot: readHash(reader),
    transactionsRoot: readHash(reader),
    receiptsRoot: readHash(reader),
    logsBloom: readBloom(reader),
    difficulty: reader.quantity(),
    number,
    gasLimit: reader.quantity(),
    gasUsed: reader.quantity(),
    timestamp,
    extraData: readExtraData(reader),
    prevRandao: readHash(reader),
    nonce: flags & HAS_NONCE ? reader.raw(8) : ZERO_NONCE,
    baseFeePerGas,
    withdrawalsRoot: flags & HAS_WITHDRAWALS_ROOT ? readHash(reader) : undefined,
    blobGasUsed: flags & HAS_BLOB_GAS_USED ? reader.quantity() : undefined,
    excessBlobGas: flags & HAS_EXCESS_BLOB_GAS ? reader.quantity() : undefined,
    parentBeaconBlockRoot: flags & HAS_BEACON_ROOT ? readHash(reader) : undefined,
    requestsHash: flags & HAS_REQUESTS_HASH ? readHash(reader) : undefined,
  }
}

function readExtraData(reader: PackReader): Uint8Array {
  const bytes = reader.bytes()
  return bytes.length === 0 ? EMPTY_BYTES : bytes
}

export function packHash(writer: PackWriter, hash: Hash): void {
  const index = COMMON.indexOf(hash)
  writer.byte(index < 0 ? 0 : index)
  if (index < 0) writer.hex(hash)
}

export function readHash(reader: PackReader): Hash {
  return COMMON[reader.byte()] ?? reader.hex(32)
}

export function skipHash(reader: PackReader): void {
  if (reader.byte() === 0) reader.at += 32
}

export function packOmmers(writer: PackWriter, ommers: readonly Header[]): void {
  writer.count(ommers.length)
  for (const ommer of ommers) packHeader(writer, ommer)
}

export function readOmmers(reader: PackReader): readonly Header[] {
  const length = reader.count()
  return length === 0 ? NONE : Array.from({ length }, () => readHeader(reader))
}

export function packWithdrawals(writer: PackWriter, withdrawals: readonly Withdrawal[] | undefined): void {
  writer.count(withdrawals === undefined ? 0 : withdrawals.length + 1)
  for (const { index, validatorIndex, address, amountGwei } of withdrawals ?? NONE) {
    writer.quantity(index)
    writer.quantity(validatorIndex)
    writer.hex(address)
    writer.quantity(amountGwei)
  }
}

export function readWithdrawals(reader: PackReader): readonly Withdrawal[] | undefined {
  const length = reader.count() - 1
  if (length < 0) return undefined
  return length === 0
    ? NONE
    : Array.from({ length }, () => ({
        index: reader.quantity(),
        validatorIndex: reader.quantity(),
        address: reader.hex(20),
        amountGwei: reader.quantity(),
      }))
}

const NONE: readonly never[] = []

/** Filters with at least this many set bits are packed whole: a list of the bits would hardly be shorter. */
const MANY = 127

/** Writes a Bloom filter. If few bits are set, writes the indexes of these bits. */
export function packBloom(writer: PackWriter, bloom: Bloom): void {
  const lengthAt = writer.at
  writer.byte(0)
  if (bloom === EMPTY_BLOOM) return
  let bits = 0
  for (let i = 0; i < 256; i++) {
    for (let rest = bloom[i]!; rest !== 0; rest &= rest - 1) {
      if (++bits === MANY) {
        writer.at = lengthAt
        writer.byte(MANY)
        writer.raw(bloom)
        return
      }
      const bit = i * 8 + (31 - Math.clz32(rest & -rest))
      writer.byte(bit >> 8)
      writer.byte(bit & 255)
    }
  }
  writer.setByte(lengthAt, bits)
}

export function readBloom(reader: PackReader): Bloom {
  const bits = reader.byte()
  if (bits === 0) return EMPTY_BLOOM
  if (bits === MANY) return reader.raw(256)
  const bloom = new Uint8Array(256)
  for (let i = 0; i < bits; i++) {
    const bit = (reader.byte() << 8) | reader.byte()
    bloom[bit >> 3]! |= 1 << (bit & 7)
  }
  return bloom
}
