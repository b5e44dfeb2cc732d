/** Values that many functions of the client take. Each throws a `TypeError` that names the path of a wrong one. */
import type { Address, Hex } from '../bytes/hex.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { checkArgument, unexpected } from './argument.ts'

/** Returns the address in lower case. */
export function addressOf(value: unknown, path: string): Address {
  const { address } = (typeof value === 'object' && value) as { address?: unknown }
  if (address !== undefined) throw unexpected(path, 'an address', value, 'say which: its .address')
  checkArgument({ type: 'address' }, value, path)
  return (value as Address).toLowerCase() as Address
}

/** Returns the number as JSON-RPC has it. */
export function quantityOf(value: unknown, path: string): Hex {
  checkArgument({ type: 'uint256' }, value, path)
  return encodeQuantity(value as bigint)
}

/** Returns the wei if they are more than 0. */
export function weiOf(value: unknown): bigint | undefined {
  return value === undefined || BigInt(value as bigint) === 0n ? undefined : BigInt(value as bigint)
}
