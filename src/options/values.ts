/** Schemas of option values. */
import * as v from 'valibot'
import type { Address, Hash } from '../bytes/hex.ts'
import { nearest } from '../model/api/text.ts'
import { isSolcRun, type SolcRun } from '../solidity/artifacts/solcJson.ts'
import { shown } from '../wire/parser.ts'

export function whole(what: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  const expected = `${what} (a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`})`
  return v.pipe(
    v.number(expected),
    v.safeInteger(expected),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  )
}

export const hash = v.pipe(
  v.string('32 bytes'),
  v.regex(/^0x[0-9a-fA-F]{64}$/, '32 bytes (0x and 64 hex digits)'),
  v.transform((text) => text.toLowerCase() as Hash),
)

/** Accepts a bigint or a whole number from `min` to `max`. Returns a bigint. */
export function quantity(what: string, max: bigint, min = 0n) {
  const expected = `${what} (a bigint or a whole number from ${min} to ${max})`
  return v.union(
    [
      v.pipe(v.bigint(), v.minValue(min, expected), v.maxValue(max, expected)),
      v.pipe(
        v.number(),
        v.safeInteger(expected),
        v.minValue(Number(min), expected),
        v.transform((value) => BigInt(value)),
      ),
    ],
    expected,
  )
}

export function oneOf<const T extends readonly string[]>(values: T) {
  return v.picklist(values, `one of ${values.join(', ')}`)
}

export function option<S extends v.GenericSchema, const D extends v.InferInput<S>>(
  schema: S,
  fallback: D,
  meaning: string,
) {
  return v.pipe(v.optional(schema, fallback), v.description(meaning))
}

export function optionWithoutDefault<S extends v.GenericSchema>(schema: S, meaning: string) {
  return v.pipe(v.optional(schema), v.description(meaning))
}

export const yesOrNo = v.boolean('true or false')
export const UINT64 = 2n ** 64n - 1n
export const UINT256 = 2n ** 256n - 1n
export const address = v.pipe(
  v.string('an address'),
  v.regex(/^0x[0-9a-fA-F]{40}$/, 'an address (0x and 40 hex digits)'),
  v.transform((text) => text.toLowerCase() as Address),
)
export const ARTIFACTS = 'a folder, a file or { input, output } of solc, or an array of these'
export const artifactSource = v.union(
  [
    v.pipe(v.string(ARTIFACTS), v.nonEmpty(ARTIFACTS)),
    v.custom<SolcRun>((value) => isSolcRun(value), ARTIFACTS),
  ],
  ARTIFACTS,
)

/** Thrown for an unknown option or invalid value. The message names the option, the expected and the received value. */
export class InvalidOption extends Error {
  readonly option: string
  readonly expected: string
  /** The received value as shown in the message, followed by a suggestion if a similar value is valid. */
  readonly received: string

  constructor(option: string, expected: string, value: unknown, meant?: string) {
    const mayBeKey = MAY_HOLD_KEYS.test(option) && typeof value === 'string'
    const shown = mayBeKey ? 'a text that is not shown because it may contain a key' : shownOption(value)
    const received = meant === undefined ? shown : `${shown}; did you mean ${meant}?`
    super(`option ${option}: expected ${expected}, got ${received}`)
    this.name = 'InvalidOption'
    this.option = option
    this.expected = expected
    this.received = received
  }
}

/** Options that may contain API keys. Their values are not shown in errors. */
const MAY_HOLD_KEYS = /^(l1\.)?fork($|\.(url|headers))/

/** Formats a value for an error, including `5n` and `NaN`, which have no JSON form. */
function shownOption(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  return typeof value === 'number' ? String(value) : shown(value)
}

/** Returns a suggestion for the unknown option `name`. If no option is similar, returns the names of all options. */
export function hintFor(name: string, names: readonly string[]): string {
  const elsewhere = FOREIGN_OPTIONS.get(name)
  if (elsewhere !== undefined) return `(${elsewhere})`
  const meant = nearest(name, names)
  return meant === undefined ? names.join(', ') : `(did you mean ${meant}?)`
}

/** Option names of anvil, Hardhat and ganache, each with its counterpart in preseal. */
const FOREIGN_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['blockTime', 'here: tickMs, with ticksPerBlock: 0'],
  ['noMining', "here: rhythm: 'manual'"],
  ['mining', 'here: rhythm'],
  ['automine', "here: rhythm: 'instant'"],
  ['blockGasLimit', 'here: gasLimit'],
  ['initialBaseFeePerGas', 'here: baseFee'],
  ['blockBaseFeePerGas', 'here: baseFee'],
  ['initialDate', 'here: timestamp'],
  ['accountsBalance', 'here: balance'],
  ['defaultBalance', 'here: balance'],
  ['totalAccounts', 'here: accounts'],
  ['port', 'it is an option of devnet.listen'],
  ['host', 'it is an option of devnet.listen'],
  ['allowedHosts', 'it is an option of devnet.listen'],
  ['forking', 'here: fork: { url, block }'],
  ['forkUrl', 'here: fork: { url }'],
  ['forkBlockNumber', 'here: fork: { url, block }'],
])
