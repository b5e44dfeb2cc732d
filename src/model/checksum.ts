/**
 * Addresses with a checksum in the case of their letters (EIP-55). viem and ethers return no others, so the JavaScript
 * interface does the same; in JSON-RPC, and inside preseal, addresses are lower case.
 */

import { type Address, toDigits } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'

/**
 * Checksums computed earlier: hashing takes a microsecond or more, and a test uses the same few addresses repeatedly.
 */
const known = new Map<Address, Address>()
const MOST_KNOWN = 10_000

/** Returns the lower-case `address` with its checksum. */
export function checksummed(address: Address): Address {
  let text = known.get(address)
  if (text === undefined) {
    if (known.size >= MOST_KNOWN) known.clear()
    text = withChecksum(address)
    known.set(address, text)
  }
  return text
}

/**
 * Returns whether the checksum of an address is right. An address in letters of a single case has none, and is right.
 */
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
