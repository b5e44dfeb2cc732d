import { type Address, fromHex, type Hash, toDigits, toHex, toMinimalBytes, toWord } from '../../bytes/hex.ts'
import { encodeRlp } from '../../bytes/rlp.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { LruCache } from '../collections/lruCache.ts'

/** Caches checksummed addresses: a checksum takes a microsecond or more, and tests use the same few addresses. */
const checksums = new LruCache<Address, Address>(10_000)

/** Returns a lower-case `address` with its EIP-55 checksum, for the JavaScript API. JSON-RPC returns lower case. */
export function checksummed(address: Address): Address {
  return checksums.get(address) ?? checksums.set(address, withChecksum(address))
}

/** Returns whether an address has a valid checksum (EIP-55), or has no checksum: all its letters have the same case. */
export function hasRightChecksum(address: string): boolean {
  const lower = address.toLowerCase() as Address
  if (address === lower || address.slice(2) === lower.slice(2).toUpperCase()) return true
  return checksummed(lower) === address
}

function withChecksum(address: Address): Address {
  const digits = address.slice(2)
  const ascii = Uint8Array.from(digits, (digit) => digit.charCodeAt(0))
  const hash = toDigits(keccak256(ascii))
  let text = '0x'
  for (let i = 0; i < digits.length; i++) text += hash[i]! >= '8' ? digits[i]!.toUpperCase() : digits[i]
  return text as Address
}

/** The length in bytes of the code of a delegated account (EIP-7702): 0xef0100, then an address. */
const DELEGATION_LENGTH = 23

export function delegateOf(code: Uint8Array): Address | undefined {
  const isDelegation =
    code.length === DELEGATION_LENGTH && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00
  return isDelegation ? toHex(code.subarray(3)) : undefined
}

export function delegationTo(address: Address): Uint8Array {
  const code = new Uint8Array(DELEGATION_LENGTH)
  code.set([0xef, 0x01, 0x00])
  code.set(fromHex(address), 3)
  return code
}

/** Returns the address of the contract that `sender` creates with a transaction of this nonce (Yellow Paper, 7). */
export function contractAddress(sender: Address, nonce: bigint): Address {
  return toHex(keccak256(encodeRlp([fromHex(sender), toMinimalBytes(nonce)])).subarray(12))
}

/** Returns the address of the contract that `sender` creates with CREATE2 from `initCode` and `salt` (EIP-1014). */
export function create2Address(sender: Address, salt: bigint, initCode: Uint8Array): Address {
  const preimage = new Uint8Array(85)
  preimage[0] = 0xff
  preimage.set(fromHex(sender), 1)
  preimage.set(toWord(salt), 21)
  preimage.set(keccak256(initCode), 53)
  return toHex(keccak256(preimage).subarray(12))
}

/** The fields of an account, with a Merkle proof (EIP-1186) of these fields, or of the absence of the account. */
export interface AccountProof {
  readonly address: Address
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash
  readonly storageHash: Hash
  readonly accountProof: readonly Uint8Array[]
  readonly storageProof: readonly SlotProof[]
}

/** A slot with a Merkle proof of its value, against the storage root of its account. An empty slot has the value 0. */
export interface SlotProof {
  readonly slot: bigint
  readonly value: bigint
  readonly proof: readonly Uint8Array[]
}
