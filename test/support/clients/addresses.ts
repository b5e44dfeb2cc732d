/** Addresses as they are written: with a checksum (EIP-55) by what is given to people, in lower case on the wire. */
import { getAddress, type Hex } from 'viem'

/** As JSON-RPC has it. */
export function onWire(address: string): Hex {
  return address.toLowerCase() as Hex
}

/** `value` with a checksum in each address that stands in it, whatever it is. */
export function withChecksums<T>(value: T): T {
  if (typeof value === 'string') return (/^0x[0-9a-fA-F]{40}$/.test(value) ? getAddress(value) : value) as T
  if (Array.isArray(value)) return value.map(withChecksums) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withChecksums(member)])) as T
}
