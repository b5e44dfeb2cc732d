/**
 * What `console.log` prints: as Hardhat does, which is as Node does, but with numbers of any size; and `%x`, `%e`, `%18e` as
 * Foundry does.
 */
import type { ConsoleValue } from './consoleValues.ts'
import { quoted } from './quoted.ts'

/** The values as a line: if the first is a string, the others stand where it has a place for them, or follow it. */
export function consoleText(values: readonly ConsoleValue[]): string {
  const [first, ...others] = values
  if (first?.type !== 'string' || others.length === 0) return values.map(plain).join(' ')
  const head = String(first.value).replace(PLACE, (place, decimals: string | undefined, letter: string) => {
    if (place === '%%') return '%'
    const write = decimals === undefined ? PLACES[letter] : withDecimals(Number(decimals))
    // What has no value left stays as it is.
    const value = write && others.shift()
    return value === undefined ? place : write!(value)
  })
  return [head, ...others.map(plain)].join(' ')
}

const PLACE = /%(?:(\d+)e|([%a-zA-Z]))/g

type Write = (value: ConsoleValue) => string

const NOT_A_NUMBER = 'NaN'

const plain: Write = ({ value }) => String(value)
/** Hardhat has texts alone, and quotes them all; numbers are left as they are, as Node and Foundry leave them. */
const inspected: Write = ({ value }) => (typeof value === 'bigint' ? String(value) : quoted(String(value)))

/** How the value is written for which letters. */
const PLACES: Readonly<Record<string, Write>> = {
  s: plain,
  d: plain,
  i: plain,
  f: ({ value }) => (typeof value === 'bigint' ? String(value) : NOT_A_NUMBER),
  o: inspected,
  O: inspected,
  j: ({ value }) => (typeof value === 'bigint' ? String(value) : JSON.stringify(String(value))),
  // The style of a browser's console.
  c: () => '',
  x: hexadecimal,
  e: exponential,
}

function hexadecimal({ type, value }: ConsoleValue): string {
  if (typeof value === 'bigint') return `0x${BigInt.asUintN(256, value).toString(16)}`
  return type === 'string' || typeof value === 'boolean' ? NOT_A_NUMBER : value
}

/** 1.5e18 */
function exponential({ value }: ConsoleValue): string {
  if (typeof value !== 'bigint') return NOT_A_NUMBER
  const [, sign, digit, rest] = /^(-?)(\d)(\d*)$/.exec(String(value))!
  const decimals = rest!.replace(/0+$/, '')
  return `${sign}${digit}${decimals && `.${decimals}`}e${rest!.length}`
}

/** As many as Foundry takes. */
const MOST_DECIMALS = 1024

/** `%18e` writes wei as ether: the number with its last 18 digits as decimals. */
function withDecimals(count: number): Write | undefined {
  if (count > MOST_DECIMALS) return undefined
  return ({ value }) => {
    if (typeof value !== 'bigint') return NOT_A_NUMBER
    const digits = String(value < 0n ? -value : value).padStart(count + 1, '0')
    const whole = digits.slice(0, digits.length - count)
    const decimals = digits.slice(whole.length).replace(/0+$/, '')
    return `${value < 0n ? '-' : ''}${whole}${decimals && `.${decimals}`}`
  }
}
