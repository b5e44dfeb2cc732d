/** What is typed into the controls, as JSON-RPC takes it. */
import { isAddress, isHash } from '../../format/hex.ts'

/** Returns a whole number from 0 on as a quantity. Throws if `text` is none. */
export function wholeNumber(text: string, what: string): `0x${string}` {
  if (!/^\d{1,30}$/.test(text)) throw new Error(`${what} is a whole number, got ${text || 'nothing'}`)
  return `0x${BigInt(text).toString(16)}`
}

/** Returns an amount of ether in wei, as a quantity: `1.5`. Throws if `text` is none. */
export function ether(text: string): `0x${string}` {
  const [, whole, rest = ''] = /^(\d{1,40})(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === undefined)
    throw new Error(`an amount of ether has at most 18 decimals, as in 1.5, got ${text || 'nothing'}`)
  return `0x${BigInt(whole + rest.padEnd(18, '0')).toString(16)}`
}

/** Returns `text` if it is an address. Throws otherwise. */
export function address(text: string, what = 'an address'): string {
  if (!isAddress(text)) throw new Error(`${what} has 0x and 40 hex digits, got ${text || 'nothing'}`)
  return text
}

/** Returns `text` if it is a hash. Throws otherwise. */
export function hash(text: string): string {
  if (!isHash(text)) throw new Error(`a hash has 0x and 64 hex digits, got ${text || 'nothing'}`)
  return text
}

/** Returns the JSON in `text`. Throws if there is none. */
export function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`not JSON: ${(error as Error).message}`)
  }
}
