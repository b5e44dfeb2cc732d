import { areEqual } from '../../bytes/bytes.ts'
import { type Address, fromHex, type Hash, toMinimalBytes } from '../../bytes/hex.ts'
import { encodedLength, encodeRlp, quantitySize, type RlpInput, sizeWithHead } from '../../bytes/rlp.ts'
import { keccakHash } from '../../crypto/keccak.ts'
import type { Bloom } from '../receipt/log.ts'

/**
 * A block header, with the fields in the order of their RLP encoding. The last six fields are `undefined` before
 * the hardforks that added them: London, Shanghai, Cancun (three fields) and Prague.
 */
export interface Header {
  readonly parentHash: Hash
  readonly ommersHash: Hash
  readonly coinbase: Address
  readonly stateRoot: Hash
  readonly transactionsRoot: Hash
  readonly receiptsRoot: Hash
  readonly logsBloom: Bloom
  readonly difficulty: bigint
  readonly number: bigint
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  /** Seconds since 1970. */
  readonly timestamp: bigint
  readonly extraData: Uint8Array
  /** The randomness of the beacon chain (EIP-4399). Before Paris, the mix hash. */
  readonly prevRandao: Hash
  /** The proof-of-work nonce: 8 bytes, zero since Paris. */
  readonly nonce: Uint8Array
  /** In wei per gas. */
  readonly baseFeePerGas: bigint | undefined
  readonly withdrawalsRoot: Hash | undefined
  readonly blobGasUsed: bigint | undefined
  readonly excessBlobGas: bigint | undefined
  readonly parentBeaconBlockRoot: Hash | undefined
  readonly requestsHash: Hash | undefined
}

/** keccak256(rlp([])), the ommers hash of every block since Paris. */
export const EMPTY_OMMERS_HASH: Hash = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
/** The sha256 hash of the empty byte string: the requests hash of a block without requests (EIP-7685). */
export const EMPTY_REQUESTS_HASH: Hash = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
export const ZERO_NONCE: Uint8Array = new Uint8Array(8)

/** The bytes that `prevRandao` hashes: a seed, and a number below 2^192. */
const preimage = new Uint8Array(64)
const numberIn = new DataView(preimage.buffer, 32)
let seedIn: Hash | undefined

/** Returns deterministic randomness: the hash of `seed` and `number`. */
export function prevRandao(seed: Hash, number: bigint): Hash {
  if (seed !== seedIn) preimage.set(fromHex(seed))
  seedIn = seed
  numberIn.setBigUint64(8, number >> 128n)
  numberIn.setBigUint64(16, number >> 64n)
  numberIn.setBigUint64(24, number)
  return keccakHash(preimage)
}

/** Returns whether the block was mined. Since Paris, the difficulty is zero (EIP-3675). */
export function isMined({ difficulty }: Pick<Header, 'difficulty'>): boolean {
  return difficulty > 0n
}

export function headerFields(header: Header): RlpInput[] {
  const fields: RlpInput[] = [
    fromHex(header.parentHash),
    fromHex(header.ommersHash),
    fromHex(header.coinbase),
    fromHex(header.stateRoot),
    fromHex(header.transactionsRoot),
    fromHex(header.receiptsRoot),
    header.logsBloom,
    toMinimalBytes(header.difficulty),
    toMinimalBytes(header.number),
    toMinimalBytes(header.gasLimit),
    toMinimalBytes(header.gasUsed),
    toMinimalBytes(header.timestamp),
    header.extraData,
    fromHex(header.prevRandao),
    header.nonce,
  ]
  if (header.baseFeePerGas !== undefined) fields.push(toMinimalBytes(header.baseFeePerGas))
  if (header.withdrawalsRoot !== undefined) fields.push(fromHex(header.withdrawalsRoot))
  if (header.blobGasUsed !== undefined) fields.push(toMinimalBytes(header.blobGasUsed))
  if (header.excessBlobGas !== undefined) fields.push(toMinimalBytes(header.excessBlobGas))
  if (header.parentBeaconBlockRoot !== undefined) fields.push(fromHex(header.parentBeaconBlockRoot))
  if (header.requestsHash !== undefined) fields.push(fromHex(header.requestsHash))
  return fields
}

/** Returns the length of the header's RLP, without encoding it. */
export function encodedHeaderSize(header: Header): number {
  const { difficulty, number, gasLimit, gasUsed, timestamp, extraData } = header
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas, parentBeaconBlockRoot, requestsHash } =
    header
  // Lengths including RLP prefixes: six hashes, the coinbase, the Bloom filter, the nonce, and the extra data.
  let size = 6 * 33 + 21 + 259 + 9 + encodedLength(extraData)
  for (const quantity of [difficulty, number, gasLimit, gasUsed, timestamp]) size += quantitySize(quantity)
  for (const quantity of [baseFeePerGas, blobGasUsed, excessBlobGas]) {
    if (quantity !== undefined) size += quantitySize(quantity)
  }
  for (const hash of [withdrawalsRoot, parentBeaconBlockRoot, requestsHash])
    if (hash !== undefined) size += 33
  return sizeWithHead(size)
}

export function hashHeader(header: Header): Hash {
  return keccakHash(encodeRlp(headerFields(header)))
}

/** Replaces values in `header` by the equal values of the header `before`, so that both share memory. */
export function shareWith(before: Header, header: Header): void {
  for (const field of Object.keys(header) as (keyof Header)[]) {
    const [ours, theirs] = [header[field], before[field]]
    const isSame = ours instanceof Uint8Array ? areEqual(ours, theirs as Uint8Array) : ours === theirs
    if (isSame) (header as Record<keyof Header, unknown>)[field] = theirs
  }
}

export interface Withdrawal {
  readonly index: bigint
  readonly validatorIndex: bigint
  readonly address: Address
  /** The amount in gwei. All other amounts are in wei. */
  readonly amountGwei: bigint
}

export function withdrawalFields(withdrawal: Withdrawal): Uint8Array[] {
  const { index, validatorIndex, address, amountGwei } = withdrawal
  return [toMinimalBytes(index), toMinimalBytes(validatorIndex), fromHex(address), toMinimalBytes(amountGwei)]
}
