/** A block header, its encoding and its hash. */

import { areEqual } from '../bytes/bytes.ts'
import { type Address, fromHex, type Hash, toMinimalBytes } from '../bytes/hex.ts'
import { encodeRlp, type RlpInput } from '../bytes/rlp.ts'
import { keccakHash } from '../crypto/keccak.ts'
import type { Bloom } from '../receipt/bloom.ts'

/**
 * The fields in the order of their encoding. The later ones came with hardforks and are absent before them:
 * `baseFeePerGas` London, `withdrawalsRoot` Shanghai, the blob fields and `parentBeaconBlockRoot` Cancun,
 * `requestsHash` Prague.
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
  /** EIP-4399; before Paris the mix hash. */
  readonly prevRandao: Hash
  /** 8 bytes. */
  readonly nonce: Uint8Array
  /** Wei. */
  readonly baseFeePerGas: bigint | undefined
  readonly withdrawalsRoot: Hash | undefined
  readonly blobGasUsed: bigint | undefined
  readonly excessBlobGas: bigint | undefined
  readonly parentBeaconBlockRoot: Hash | undefined
  readonly requestsHash: Hash | undefined
}

/** keccak(rlp([])): the ommers of every block since Paris. */
export const EMPTY_OMMERS_HASH: Hash = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
/** sha256 of nothing: the requests of a block without requests (EIP-7685). */
export const EMPTY_REQUESTS_HASH: Hash = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
export const ZERO_NONCE: Uint8Array = new Uint8Array(8)

/** Has a header been mined, with a proof of work? Since Paris difficulty is zero (EIP-3675). */
export function isMined({ difficulty }: Pick<Header, 'difficulty'>): boolean {
  return difficulty > 0n
}

/** The header as the RLP input of its hash and of a block's encoding. */
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

/** The block hash. */
export function hashHeader(header: Header): Hash {
  return keccakHash(encodeRlp(headerFields(header)))
}

/**
 * Puts the values of `before` in place of equal ones of `header`, which nobody else has yet: neighbours have most in common,
 * and read from a file they would hold all of it twice.
 */
export function shareWith(before: Header, header: Header): void {
  for (const field of Object.keys(header) as (keyof Header)[]) {
    const [ours, theirs] = [header[field], before[field]]
    const isSame = ours instanceof Uint8Array ? areEqual(ours, theirs as Uint8Array) : ours === theirs
    if (isSame) (header as Record<keyof Header, unknown>)[field] = theirs
  }
}
