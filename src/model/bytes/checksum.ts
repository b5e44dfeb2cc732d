/**
 * Addresses as people and clients' libraries write them: with a checksum in the case of their letters (EIP-55). viem and ethers
 * give no others out, so the JavaScript interface does the same; on the wire, and inside, addresses are lower case.
 */
import { keccak256 } from '../crypto/keccak.ts'
import { type Address, toDigits } from './hex.ts'

/** Hashing takes a microsecond or more, and a test uses the same few addresses again and again. */
const known = new Map<Address, Address>()
const MOST_KNOWN = 10_000

/** Returns `address`, in lower case, with its checksum. */
export function checksummed(address: Address): Address {
  let text = known.get(address)
  if (text === undefined) {
    if (known.size >= MOST_KNOWN) known.clear()
    text = withChecksum(address)
    known.set(address, text)
  }
  return text
}

/** Whether the checksum of an address is right. One in letters of a single case has none. */
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
