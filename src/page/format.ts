import type { Hex } from '../bytes/hex.ts'
import type { Parameter } from '../solidity/abi/decoded.ts'

const ETHER = 10n ** 18n
const GWEI = 10n ** 9n

/** Formats an integer with a thin space between groups of three digits. */
export function grouped(value: bigint | number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, '\u2009')
}

/** Formats wei in ETH, gwei or wei, depending on the size, without rounding. */
export function wei(amount: bigint): string {
  const size = amount < 0n ? -amount : amount
  if (size === 0n) return '0 ETH'
  if (size >= ETHER / 1_000_000n) return `${decimal(amount, 18)} ETH`
  if (size >= GWEI / 1_000n) return `${decimal(amount, 9)} gwei`
  return `${grouped(amount)} wei`
}

/** Formats an amount with grouped digits and all its decimals, such as `1 250.5`. */
export function decimal(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const rest = digits.slice(whole.length).replace(/0+$/, '')
  return `${sign}${grouped(BigInt(whole))}${rest === '' ? '' : `.${rest}`}`
}

/** Converts a JSON-RPC quantity to a number. Returns 0 for `null` and `undefined`. */
export function numberOf(hex: string | null | undefined): number {
  return hex === null || hex === undefined ? 0 : Number(hex)
}

export function quantity(number: number | bigint): Hex {
  return `0x${number.toString(16)}`
}

export function isHash(text: string): boolean {
  return /^0x[0-9a-f]{64}$/i.test(text)
}

/** Returns whether `text` has the form of an address. Does not verify the checksum. */
export function isAddress(text: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(text)
}

export function withoutZeros(word: string): string {
  return `0x${word.slice(2).replace(/^0+(?=.)/, '')}`
}

/** Shortens long hex to its first and last digits, such as `0x123456…cdef`. */
export function shortened(hex: string, first = 6, last = 4): string {
  return hex.length <= 2 + first + last + 1 ? hex : `${hex.slice(0, 2 + first)}…${hex.slice(-last)}`
}

/** Returns the type of a parameter. A tuple has the struct name that the compiler recorded, such as `Store.Item[]`. */
export function typeName({ type, internalType }: Parameter & { readonly internalType?: unknown }): string {
  if (!type.startsWith('tuple') || typeof internalType !== 'string') return type
  const [, name] = /^struct ([\w$.]+)/.exec(internalType) ?? []
  // `internalType` of an array item is the type of the whole array, so the brackets are taken from `type`.
  return name === undefined ? type : `${name}${type.slice('tuple'.length)}`
}

/** Removes the word `struct`, which precedes struct names in storage layouts. */
export function withoutStruct(type: string): string {
  return type.replace(/\bstruct /g, '')
}

/** Matches invisible characters: control and format characters, lone surrogates, line and paragraph separators. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Returns the first `limit` characters of `text`. Escapes hidden characters, except tab and line feed: `\u{…}`. */
export function visible(text: string, limit = 1_000): string {
  const head = text.length > limit ? text.slice(0, limit) : text
  return head.replace(HIDDEN, (character) =>
    character === '\n' || character === '\t' ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}

/** Formats a length of time in the largest whole unit, such as `3 s` or `2 min`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`
}

/** Formats a time relative to `now`, such as `3 s ago` or `in 2 min`. Both times are in milliseconds. */
export function relative(then: number, now: number): string {
  return now - then <= -500 ? `in ${duration(then - now)}` : `${duration(now - then)} ago`
}

/** Formats milliseconds since 1970 as `2030-01-31 12:00:00Z`. Shows milliseconds unless they are zero. */
export function absolute(then: number): string {
  return Number.isFinite(then) && Math.abs(then) <= 8.64e15
    ? new Date(then).toISOString().replace('.000Z', 'Z').replace('T', ' ')
    : `${then} ms`
}
