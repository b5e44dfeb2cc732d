/**
 * Formats the values of `console.log` as Hardhat does (that is, as Node's `util.format`, but with integers of any
 * size), and `%x`, `%e` and `%18e` as Foundry does.
 */
import type { ConsoleValue } from './consoleValues.ts'

/** Returns the values as a line. If the first is a string, the others replace its placeholders; the rest follow it. */
export function consoleText(values: readonly ConsoleValue[]): string {
  const [first, ...others] = values
  if (first?.type !== 'string' || others.length === 0) return values.map(plain).join(' ')
  const head = String(first.value).replace(PLACE, (place, decimals: string | undefined, letter: string) => {
    if (place === '%%') return '%'
    const write = decimals === undefined ? PLACES[letter] : withDecimals(Number(decimals))
    // A placeholder without a value remains as it is.
    const value = write && others.shift()
    return value === undefined ? place : write!(value)
  })
  return [head, ...others.map(plain)].join(' ')
}

const PLACE = /%(?:(\d+)e|([%a-zA-Z]))/g

type Write = (value: ConsoleValue) => string

const NOT_A_NUMBER = 'NaN'

const plain: Write = ({ value }) => String(value)
/** Writes text in quotes, as Hardhat does for all values; numbers remain as they are, as in Node and Foundry. */
const inspected: Write = ({ value }) => (typeof value === 'bigint' ? String(value) : quoted(String(value)))

/** The formatter of each placeholder letter. */
const PLACES: Readonly<Record<string, Write>> = {
  s: plain,
  d: plain,
  i: plain,
  f: ({ value }) => (typeof value === 'bigint' ? String(value) : NOT_A_NUMBER),
  o: inspected,
  O: inspected,
  j: ({ value }) => (typeof value === 'bigint' ? String(value) : JSON.stringify(String(value))),
  // The CSS placeholder of browser consoles; Node prints nothing for it.
  c: () => '',
  x: hexadecimal,
  e: exponential,
}

function hexadecimal({ type, value }: ConsoleValue): string {
  if (typeof value === 'bigint') return `0x${BigInt.asUintN(256, value).toString(16)}`
  return type === 'string' || typeof value === 'boolean' ? NOT_A_NUMBER : value
}

/** Formats an integer in scientific notation, such as 1.5e18. */
function exponential({ value }: ConsoleValue): string {
  if (typeof value !== 'bigint') return NOT_A_NUMBER
  const [, sign, digit, rest] = /^(-?)(\d)(\d*)$/.exec(String(value))!
  const decimals = rest!.replace(/0+$/, '')
  return `${sign}${digit}${decimals && `.${decimals}`}e${rest!.length}`
}

/** The limit that Foundry has. */
const MOST_DECIMALS = 1024

/**
 * Returns the formatter of `%<count>e`: it writes the last `count` digits as decimals, so that `%18e` writes wei as
 * ether.
 */
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

/** Returns `text` in the first kind of quotes that does not occur in it, with invisible characters escaped. */
export function quoted(text: string): string {
  const quote = QUOTES.find((one) => !text.includes(one)) ?? "'"
  return `${quote}${text.replace(quote === "'" ? WITH_QUOTE : INVISIBLE, escaped)}${quote}`
}

const QUOTES = ["'", '"', '`']

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\\]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const WITH_QUOTE = /[\u0000-\u001f\u007f-\u009f\\']/g

/** The characters whose escape is a letter. */
const LETTERS: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '\\': '\\\\',
  "'": "\\'",
}

function escaped(character: string): string {
  return LETTERS[character] ?? `\\x${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
