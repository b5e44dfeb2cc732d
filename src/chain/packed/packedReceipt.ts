/** Packs and reads receipts and logs of a block (see `packedBlock.ts`). A reader must be at the start of the value. */

import type { ArenaBytes } from '../../bytes/bytes.ts'
import { type Address, type Hash, type Hex, hexOf, ZERO_HASH } from '../../bytes/hex.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { ExecutionFailure, GasPayment, L2Receipt, Receipt } from '../../model/receipt/receipt.ts'
import { PackReader, type PackWriter, uint32At } from './packed.ts'
import { packBloom, readBloom } from './packedHeader.ts'

/** The distinct addresses and topics of a block, numbered. An odd number stands for an address padded to a topic. */
export class Dictionary {
  readonly #addresses = new Map<Address, number>()
  readonly #words = new Map<Hash, number>()

  address(address: Address): number {
    return referenceIn(this.#addresses, address)
  }

  word(word: Hash): number {
    if (!word.startsWith(PADDING) || word === ZERO_HASH) return referenceIn(this.#words, word) * 2
    return this.address(`0x${word.slice(PADDING.length)}`) * 2 + 1
  }

  /** Writes all addresses, then all other topics. Overwrites the first eight bytes with the positions of both lists. */
  writeTo(writer: PackWriter): void {
    writer.setUint32(0, writer.at)
    for (const address of this.#addresses.keys()) writer.hex(address)
    writer.setUint32(4, writer.at)
    for (const word of this.#words.keys()) writer.hex(word)
  }
}

const PADDING = `0x${'00'.repeat(12)}`

function referenceIn(references: Map<Hex, number>, hex: Hex): number {
  const known = references.get(hex)
  if (known !== undefined) return known
  references.set(hex, references.size)
  return references.size - 1
}

/** The dictionary of a packed body. Decodes each entry once. */
export class WrittenDictionary {
  readonly #bytes: Uint8Array
  readonly #addressesAt: number
  readonly #wordsAt: number
  readonly #addresses: Address[] = []
  readonly #words: Hash[] = []

  constructor({ bytes, at }: ArenaBytes) {
    this.#bytes = bytes
    this.#addressesAt = at + uint32At(bytes, at)
    this.#wordsAt = at + uint32At(bytes, at + 4)
  }

  address(reference: number): Address {
    this.#addresses[reference] ??= hexOf(this.#bytes, this.#addressesAt + reference * 20, 20)
    return this.#addresses[reference]!
  }

  word(reference: number): Hash {
    this.#words[reference] ??=
      reference & 1
        ? (`${PADDING}${this.address(reference >> 1).slice(2)}` as Hash)
        : hexOf(this.#bytes, this.#wordsAt + (reference >> 1) * 32, 32)
    return this.#words[reference]!
  }
}

const FAILED = 1
const HAS_ROOT = 2
const REVERTED = 4
const HALTED = 8
const CREATES = 16
const HAS_BLOBS = 32
const IS_OF_L2 = 64
const HAS_DEPOSIT_NONCE = 128

/** Writes a receipt, except its logs and `firstLogIndex`. */
export function packReceipt(writer: PackWriter, receipt: Receipt): void {
  const { root, failure, contractAddress, blobs, l2 } = receipt
  writer.byte(
    (receipt.status === 'failure' ? FAILED : 0) |
      (root === undefined ? 0 : HAS_ROOT) |
      (failure === undefined ? 0 : failure.kind === 'revert' ? REVERTED : HALTED) |
      (contractAddress === undefined ? 0 : CREATES) |
      (blobs === undefined ? 0 : HAS_BLOBS) |
      (l2 === undefined ? 0 : IS_OF_L2) |
      (l2?.depositNonce === undefined ? 0 : HAS_DEPOSIT_NONCE),
  )
  writer.byte(receipt.type)
  writer.quantity(receipt.gasUsed)
  writer.quantity(receipt.cumulativeGasUsed)
  writer.quantity(receipt.effectiveGasPrice)
  if (root !== undefined) writer.hex(root)
  if (failure !== undefined) writer.bytes(bytesOf(failure))
  if (contractAddress !== undefined) writer.hex(contractAddress)
  if (blobs !== undefined) {
    writer.quantity(blobs.gasUsed)
    writer.quantity(blobs.gasPrice)
  }
  if (l2 !== undefined) packL2(writer, l2)
  packBloom(writer, receipt.logsBloom)
}

/** Returns gas and gas price of a receipt without decoding the other fields. */
export function readPayment(reader: PackReader): GasPayment {
  reader.at += 2
  const gasUsed = reader.quantity()
  reader.skipQuantity()
  return { gasUsed, effectiveGasPrice: reader.quantity() }
}

export function readReceipt(reader: PackReader, logs: readonly Log[], firstLogIndex: number): Receipt {
  const flags = reader.byte()
  const type = reader.byte()
  const gasUsed = reader.quantity()
  const cumulativeGasUsed = reader.quantity()
  const effectiveGasPrice = reader.quantity()
  const root = flags & HAS_ROOT ? reader.hex(32) : undefined
  const failure = failureIn(reader, flags)
  const contractAddress = flags & CREATES ? reader.hex(20) : undefined
  const blobs = flags & HAS_BLOBS ? { gasUsed: reader.quantity(), gasPrice: reader.quantity() } : undefined
  const l2 = flags & IS_OF_L2 ? l2In(reader, flags) : undefined
  const logsBloom = readBloom(reader)
  return {
    type,
    status: flags & FAILED ? 'failure' : 'success',
    root,
    gasUsed,
    cumulativeGasUsed,
    effectiveGasPrice,
    logs,
    firstLogIndex,
    logsBloom,
    failure,
    contractAddress,
    ...(blobs === undefined ? {} : { blobs }),
    ...(l2 === undefined ? {} : { l2 }),
  }
}

function bytesOf(failure: ExecutionFailure): Uint8Array {
  return failure.kind === 'revert' ? failure.data : new TextEncoder().encode(failure.reason)
}

function failureIn(reader: PackReader, flags: number): ExecutionFailure | undefined {
  if (flags & REVERTED) return { kind: 'revert', data: reader.bytes() }
  if (flags & HALTED) return { kind: 'halt', reason: new TextDecoder().decode(reader.bytes()) }
  return undefined
}

const HAS_BEDROCK = 1
const HAS_OPERATOR = 2
const HAS_DA_FOOTPRINT = 4

function packL2(writer: PackWriter, { l1, depositNonce }: L2Receipt): void {
  const { fee, gasUsed, prices } = l1
  const { baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar, bedrock, operator } = prices
  const { daFootprintGasScalar } = prices
  writer.byte(
    (bedrock === undefined ? 0 : HAS_BEDROCK) |
      (operator === undefined ? 0 : HAS_OPERATOR) |
      (daFootprintGasScalar === undefined ? 0 : HAS_DA_FOOTPRINT),
  )
  for (const value of [fee, gasUsed, baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar])
    writer.quantity(value)
  for (const value of [bedrock?.overhead, bedrock?.scalar, operator?.scalar, operator?.constant])
    if (value !== undefined) writer.quantity(value)
  if (daFootprintGasScalar !== undefined) writer.quantity(daFootprintGasScalar)
  if (depositNonce !== undefined) writer.quantity(depositNonce)
}

function l2In(reader: PackReader, flags: number): L2Receipt {
  const members = reader.byte()
  const fee = reader.quantity()
  const gasUsed = reader.quantity()
  const prices = {
    baseFee: reader.quantity(),
    blobBaseFee: reader.quantity(),
    baseFeeScalar: reader.quantity(),
    blobBaseFeeScalar: reader.quantity(),
    ...(members & HAS_BEDROCK ? { bedrock: { overhead: reader.quantity(), scalar: reader.quantity() } } : {}),
    ...(members & HAS_OPERATOR
      ? { operator: { scalar: reader.quantity(), constant: reader.quantity() } }
      : {}),
    ...(members & HAS_DA_FOOTPRINT ? { daFootprintGasScalar: reader.quantity() } : {}),
  }
  const l1 = { fee, gasUsed, prices }
  return flags & HAS_DEPOSIT_NONCE ? { l1, depositNonce: reader.quantity() } : { l1 }
}

export function packLogs(writer: PackWriter, logs: readonly Log[], dictionary: Dictionary): void {
  writer.count(logs.length)
  const places = writer.at
  for (let i = 0; i < logs.length; i++) writer.uint32(0)
  for (let i = 0; i < logs.length; i++) {
    const { address, topics, data } = logs[i]!
    writer.setUint32(places + i * 4, writer.at)
    writer.count(dictionary.address(address))
    writer.byte(topics.length)
    for (const topic of topics) writer.count(dictionary.word(topic))
    writer.bytes(data)
  }
}

export function readLogs(reader: PackReader, dictionary: WrittenDictionary): readonly Log[] {
  const length = reader.count()
  reader.at += length * 4
  const logs: Log[] = []
  for (let i = 0; i < length; i++) logs.push(readLog(reader, dictionary))
  return logs
}

/** Returns the log at `index` of a list of logs. `at` is the position of the list in the memory of `body`. */
export function readLogAt(body: ArenaBytes, at: number, dictionary: WrittenDictionary, index: number): Log {
  const reader = new PackReader(body.bytes, at)
  reader.count()
  reader.at = body.at + uint32At(body.bytes, reader.at + index * 4)
  return readLog(reader, dictionary)
}

function readLog(reader: PackReader, dictionary: WrittenDictionary): Log {
  const address = dictionary.address(reader.count())
  const length = reader.byte()
  const topics: Hash[] = []
  for (let i = 0; i < length; i++) topics.push(dictionary.word(reader.count()))
  return { address, topics, data: reader.bytes() }
}
