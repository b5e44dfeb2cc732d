/** Formats console.log calls as Hardhat does, with integers of any size, and `%x`, `%e` and `%18e` as in Foundry. */

// Not `crypto/keccak.ts`: the page's content security policy allows no WebAssembly.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Address, type Hash, toDigits, toHex, toQuantity } from '../../bytes/hex.ts'
import type { ConsoleCall, ConsoleCalls } from '../../model/execution/call.ts'
import type { Abis } from './abis.ts'

/** Formats values as a line. If the first value is a string, the values after it replace its placeholders. */
export function consoleText(values: readonly ConsoleValue[]): string {
  const [first, ...others] = values
  if (first?.type !== 'string' || others.length === 0) return values.map(plain).join(' ')
  const head = String(first.value).replace(PLACE, (place, decimals: string | undefined, letter: string) => {
    if (place === '%%') return '%'
    const write = decimals === undefined ? PLACES[letter] : withDecimals(Number(decimals))
    // A placeholder without a value is printed unchanged.
    const value = write && others.shift()
    return value === undefined ? place : write!(value)
  })
  return [head, ...others.map(plain)].join(' ')
}

const PLACE = /%(?:(\d+)e|([%a-zA-Z]))/g

type Write = (value: ConsoleValue) => string

const NOT_A_NUMBER = 'NaN'

const plain: Write = ({ value }) => String(value)

/** Quotes strings as Hardhat does; numbers are not quoted, as in Node and Foundry. */
const inspected: Write = ({ value }) => (typeof value === 'bigint' ? String(value) : quoted(String(value)))

/** Formatters by placeholder letter. */
const PLACES: Readonly<Record<string, Write>> = {
  s: plain,
  d: plain,
  i: plain,
  f: ({ value }) => (typeof value === 'bigint' ? String(value) : NOT_A_NUMBER),
  o: inspected,
  O: inspected,
  j: ({ value }) => (typeof value === 'bigint' ? String(value) : JSON.stringify(String(value))),
  // `%c` takes CSS for the consoles of browsers. Node prints nothing for it.
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

/** Foundry's maximum for `count` in `%<count>e`. */
const MOST_DECIMALS = 1024

/** Returns the formatter of `%<count>e`, with `count` decimals: `%18e` formats wei as ether. */
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

/** Quotes `text` with the first kind of quotation mark that `text` lacks, and escapes control characters. */
export function quoted(text: string): string {
  const quote = QUOTES.find((one) => !text.includes(one)) ?? "'"
  return `${quote}${text.replace(quote === "'" ? WITH_QUOTE : INVISIBLE, escaped)}${quote}`
}

const QUOTES = ["'", '"', '`']

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\\]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters, and quotes.
const WITH_QUOTE = /[\u0000-\u001f\u007f-\u009f\\']/g

/** Escape sequences of characters that have a short form. */
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

export interface ConsoleValue {
  readonly type: string
  /** The decoded value: numbers are bigints, addresses and bytes are hex. */
  readonly value: bigint | boolean | string
}

/** Decodes calldata of a console.log call; `undefined` for unknown selectors. */
export function consoleValues(input: Uint8Array): ConsoleValue[] | undefined {
  signatures ??= allSignatures()
  const types = signatures.get(toDigits(input.subarray(0, 4)))
  if (types === undefined) return undefined
  const data = input.subarray(4)
  const values: ConsoleValue[] = []
  for (const [index, type] of types.entries()) {
    const value = read(type, data, index * WORD)
    if (value === undefined) return undefined
    values.push({ type, value })
  }
  return values
}

let signatures: ReadonlyMap<string, readonly string[]> | undefined

/** Types that `console.log` accepts in any combination of up to four. */
const COMBINED = ['uint256', 'string', 'bool', 'address'] as const

const MOST_COMBINED = 4

function allSignatures(): Map<string, readonly string[]> {
  const all: (readonly string[])[] = [
    ...Array.from({ length: MOST_COMBINED + 1 }, (_, length) => combinations(length)).flat(),
    ['int256'],
    ['string', 'int256'],
    ['bytes'],
    ...Array.from({ length: WORD }, (_, i) => [`bytes${i + 1}`]),
  ]
  const found = new Map<string, readonly string[]>()
  for (const types of all) {
    const signature = `log(${types.join(',')})`
    found.set(selectorOf(signature), types)
    // Until 2022 console.sol used `uint`, which is not a canonical type, so selectors from before then are different.
    found.set(selectorOf(signature.replaceAll('int256', 'int')), types)
  }
  return found
}

function combinations(length: number): (readonly string[])[] {
  if (length === 0) return [[]]
  return combinations(length - 1).flatMap((types) => COMBINED.map((type) => [...types, type]))
}

// Uses no WebAssembly, because the page uses this file and its content security policy forbids WebAssembly.
function selectorOf(signature: string): string {
  return toDigits(keccak_256(new TextEncoder().encode(signature)).subarray(0, 4))
}

const WORD = 32

/** Reads the value at `at`. For `string` and `bytes`, `at` is the position of the value's offset in `data`. */
function read(type: string, data: Uint8Array, at: number): ConsoleValue['value'] | undefined {
  const word = data.subarray(at, at + WORD)
  if (word.length < WORD) return undefined
  switch (type) {
    case 'uint256':
      return toQuantity(word)
    case 'int256':
      return BigInt.asIntN(256, toQuantity(word))
    case 'bool':
      return toQuantity(word) !== 0n
    case 'address':
      return toHex(word.subarray(12))
    case 'string': {
      const bytes = pointedTo(word, data)
      return bytes && new TextDecoder().decode(bytes)
    }
    case 'bytes': {
      const bytes = pointedTo(word, data)
      return bytes && toHex(bytes)
    }
    default:
      return toHex(word.subarray(0, Number(type.slice('bytes'.length))))
  }
}

function pointedTo(pointer: Uint8Array, data: Uint8Array): Uint8Array | undefined {
  const offset = toQuantity(pointer)
  if (offset + BigInt(WORD) > data.length) return undefined
  const start = Number(offset) + WORD
  const length = toQuantity(data.subarray(start - WORD, start))
  if (length > data.length - start) return undefined
  return data.subarray(start, start + Number(length))
}

/** A call of `console.log` in Solidity. */
export interface ConsoleLog {
  /** The printed line; for calls unknown to console.sol, the calldata as hex. */
  readonly text: string
  /** The logged values: numbers are bigints, addresses and bytes are hex. */
  readonly values: readonly (bigint | boolean | string)[]
  /** The calling account; for code behind a proxy, the proxy. */
  readonly from: Address
  /** The contract's name, if its ABI was added with a name. The command line and the page also show artifact names. */
  readonly name: string | undefined
  /** The hash of the transaction; `undefined` in a simulation. */
  readonly transaction: Hash | undefined
}

const codes = new WeakMap<ConsoleLog, Uint8Array>()

interface ContractsByCode {
  contractOf(code: Uint8Array): { readonly name: string | undefined } | undefined
}

/** @internal Returns the name that the ABIs gave the contract at the time of the log, else the name in `others`. */
export function nameOfLog(log: ConsoleLog, others: ContractsByCode): string | undefined {
  const code = codes.get(log)
  return log.name ?? (code && others.contractOf(code)?.name)
}

/** Returns the `console.log` calls of a run in the order of execution. */
export function consoleLogs(calls: ConsoleCalls, abis: Abis, transaction: Hash | undefined): ConsoleLog[] {
  return calls.map((call) => {
    const values = call.input && consoleValues(call.input)
    const log: ConsoleLog = {
      text: values === undefined ? undecoded(call) : consoleText(values),
      values: values?.map(({ value }) => value) ?? [],
      from: call.from,
      name: nameOf(call, abis),
      transaction,
    }
    codes.set(log, call.code)
    return log
  })
}

function undecoded({ input }: ConsoleCall): string {
  return input === undefined ? '… further console calls are not kept' : toHex(input)
}

function nameOf({ from, codeAddress, code }: ConsoleCall, abis: Abis): string | undefined {
  return abis.find(codeAddress, code)?.name ?? abis.find(from)?.name
}
