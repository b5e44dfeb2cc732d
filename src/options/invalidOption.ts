/** What is said of an option that is not right. */
import { nearest } from '../model/nearest.ts'
import { shown } from '../wire/parser.ts'

/**
 * An error for an unknown option or an invalid value. The message names the option, the expected values and the
 * received value.
 */
export class InvalidOption extends Error {
  readonly option: string
  readonly expected: string
  /** The received value as the message shows it, with the value that was probably meant, if there is one. */
  readonly received: string

  constructor(option: string, expected: string, value: unknown, meant?: string) {
    const mayBeKey = MAY_HOLD_KEYS.test(option) && typeof value !== 'object'
    const shown = mayBeKey ? 'another text, which may hold a key' : shownOption(value)
    const received = meant === undefined ? shown : `${shown}; did you mean ${meant}?`
    super(`option ${option}: expected ${expected}, got ${received}`)
    this.name = 'InvalidOption'
    this.option = option
    this.expected = expected
    this.received = received
  }
}

/** The options that name a node. */
const MAY_HOLD_KEYS = /^fork($|\.(url|headers))/

/** Returns the value as text. Options are JavaScript, which has values without a JSON form: `5n`, `NaN`. */
function shownOption(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  return typeof value === 'number' ? String(value) : shown(value)
}

/** Returns the option that `name` probably means; the names of all options if none is similar. */
export function hintFor(name: string, names: readonly string[]): string {
  const elsewhere = OF_OTHERS.get(name)
  if (elsewhere !== undefined) return `(${elsewhere})`
  const meant = nearest(name, names)
  return meant === undefined ? names.join(', ') : `(did you mean ${meant}?)`
}

/** Option names of anvil, Hardhat and ganache, each with its counterpart here. */
const OF_OTHERS: ReadonlyMap<string, string> = new Map([
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
  ['port', 'devnet.listen takes it'],
  ['host', 'devnet.listen takes it'],
  ['allowedHosts', 'devnet.listen takes it'],
  ['forking', 'here: fork: { url, block }'],
  ['forkUrl', 'here: fork: { url }'],
  ['forkBlockNumber', 'here: fork: { url, block }'],
])
