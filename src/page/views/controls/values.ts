/** Parsers of input in the controls, to JSON-RPC values. They throw if it is invalid. */
import { isAddress, isHash, quantity } from '../../format.ts'

/** Parses a non-negative integer as a quantity. */
export function wholeNumber(text: string, what: string): `0x${string}` {
  if (!/^\d{1,30}$/.test(text)) throw new Error(`${what} is a whole number, got ${text || 'nothing'}`)
  return quantity(BigInt(text))
}

/** Parses a timestamp, or a date in UTC (`2030-01-31 12:00`), as a quantity of seconds. */
export function timestamp(text: string): `0x${string}` {
  if (/^\d{1,15}$/.test(text)) return wholeNumber(text, 'a timestamp')
  const iso = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?(?: ?Z| ?UTC)?$/i.exec(text)
  const ms = iso === null ? Number.NaN : Date.parse(`${iso[1]}T${iso[2] ?? '00:00'}Z`)
  if (!(ms >= 0)) {
    throw new Error(
      `a time is a date in UTC, as in 2030-01-31 12:00, or seconds since 1970, got ${text || 'nothing'}`,
    )
  }
  return wholeNumber(String(ms / 1_000), 'a timestamp')
}

/** Parses an amount of ether, such as `1.5`, as a quantity of wei. */
export function ether(text: string): `0x${string}` {
  const [, whole, rest = ''] = /^(\d{1,40})(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === undefined)
    throw new Error(`an amount of ether has at most 18 decimals, as in 1.5, got ${text || 'nothing'}`)
  return quantity(BigInt(whole + rest.padEnd(18, '0')))
}

export function address(text: string, what = 'an address'): string {
  if (!isAddress(text)) throw new Error(`${what} has 0x and 40 hex digits, got ${text || 'nothing'}`)
  return text
}

export function hash(text: string): string {
  if (!isHash(text)) throw new Error(`a hash has 0x and 64 hex digits, got ${text || 'nothing'}`)
  return text
}

export function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`not JSON: ${(error as Error).message}`)
  }
}
