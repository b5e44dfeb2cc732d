/** Checks values against the types of ABI parameters. The encoder alone would silently change some wrong values. */
import type { Address, Hex } from '../bytes/hex.ts'
import { checksummed, hasRightChecksum } from '../model/account/account.ts'
import type { Parameter } from '../solidity/abi/decoded.ts'
import { shown } from '../wire/parser.ts'

/** Throws a `TypeError` if `value` does not fit the parameter. The message names path, expected type and value. */
export function checkArgument(parameter: Parameter, value: unknown, path: string): void {
  const list = /^(.*)\[(\d*)\]$/.exec(parameter.type)
  if (list !== null) checkList({ ...parameter, type: list[1]! }, list[2]!, value, path)
  else if (parameter.type === 'tuple') checkTuple(parameter.components ?? [], value, path)
  else {
    const expected = mismatch(parameter.type, value)
    if (expected !== undefined) throw unexpected(path, expected, value)
  }
}

export function unexpected(path: string, expected: string, value: unknown, hint?: string): TypeError {
  const text = `${path}: expected ${expected}, got ${shown(value)}`
  return new TypeError(hint === undefined ? text : `${text}; ${hint}`)
}

function checkList(item: Parameter, length: string, value: unknown, path: string): void {
  if (!Array.isArray(value)) throw unexpected(path, `an array of ${item.type}`, value)
  if (length !== '' && value.length !== Number(length)) {
    throw new TypeError(`${path}: expected ${length} of ${item.type}, got ${value.length}`)
  }
  for (const [i, each] of value.entries()) checkArgument(item, each, `${path}[${i}]`)
}

function checkTuple(parts: readonly Parameter[], value: unknown, path: string): void {
  const names = parts.map(({ name }, i) => name || String(i))
  if (typeof value !== 'object' || value === null) {
    throw unexpected(path, `an object {${names.join(', ')}}`, value)
  }
  for (const [i, part] of parts.entries()) {
    const key = Array.isArray(value) ? String(i) : names[i]!
    checkArgument(part, (value as Record<string, unknown>)[key], `${path}.${names[i]}`)
  }
}

/** Returns `undefined` if `value` fits the elementary `type`, otherwise a description of the values that fit. */
function mismatch(type: string, value: unknown): string | undefined {
  const [, sign, bits] = /^(u?)int(\d*)$/.exec(type) ?? []
  if (sign !== undefined) return integerMismatch(sign === '', Number(bits || 256), value)
  const [, size] = /^bytes(\d*)$/.exec(type) ?? []
  if (size !== undefined) return bytesMismatch(size, value)
  switch (type) {
    case 'address':
      return addressMismatch(value)
    case 'bool':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'string':
      return typeof value === 'string' ? undefined : 'a string'
    default:
      return undefined
  }
}

/** Checks an address as viem does: if it has letters of both cases, its checksum must be valid (EIP-55). */
function addressMismatch(value: unknown): string | undefined {
  if (!isHex(value, 20)) return 'an address (0x and 40 hex digits)'
  if (hasRightChecksum(value)) return undefined
  return `an address whose checksum is right (EIP-55: ${checksummed(value.toLowerCase() as Address)}), or one in lower case`
}

function integerMismatch(isSigned: boolean, bits: number, value: unknown): string | undefined {
  const size = BigInt(isSigned ? bits - 1 : bits)
  const [least, end] = [isSigned ? -(2n ** size) : 0n, 2n ** size]
  const number = typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value as bigint) : end
  if (number >= least && number < end) return undefined
  const range = isSigned ? `-2^${size} to 2^${size} - 1` : `0 to 2^${size} - 1`
  return `a whole number (${bits > 48 ? 'a bigint, such as 5n' : 'such as 5'}) from ${range}`
}

function bytesMismatch(size: string, value: unknown): string | undefined {
  if (size === '') return isHex(value) ? undefined : 'bytes (0x and an even number of hex digits)'
  return isHex(value, Number(size))
    ? undefined
    : `${size} bytes (0x and ${Number(size) * 2} hex digits; viem’s padHex fills up)`
}

function isHex(value: unknown, size?: number): value is Hex {
  if (typeof value !== 'string' || value.length % 2 === 1 || !/^0x[0-9a-fA-F]*$/.test(value)) return false
  return size === undefined || value.length === 2 + 2 * size
}
