/**
 * The form of JSON fixtures. fixtures/fixture.schema.json describes the same form for editors; a test compares both.
 *
 * The form is strict: an unknown member is refused, since a misspelt one would otherwise be ignored.
 */
import type { Abi, Artifact, DevnetOptions } from '../index.ts'
import { isRecord } from '../model/arguments.ts'

type Hex = `0x${string}`

/** A sender or recipient: an address, a name that is defined above, or the index of a development account. */
export type Party = string | number

export interface JsonAccount {
  readonly address: Hex
  readonly name: string | undefined
  readonly balance: bigint | undefined
  readonly nonce: bigint | undefined
  readonly code: Hex | undefined
  readonly storage: readonly (readonly [slot: bigint, value: bigint])[]
}

/** A transaction, and the name of its result among the values. */
export type JsonTransaction = { readonly path: string; readonly name: string | undefined } & (
  | { readonly kind: 'signed'; readonly raw: Hex }
  | { readonly kind: 'call'; readonly from: Party; readonly to: Party | undefined; readonly request: Request }
)

/** Its other members, as parameters of `eth_sendTransaction`. */
export type Request = Readonly<Partial<Record<(typeof AMOUNTS)[number] | 'data', Hex>>>

/** Transactions of one block, or a number of empty blocks. */
export type JsonStep =
  | { readonly kind: 'block'; readonly transactions: readonly JsonTransaction[] }
  | { readonly kind: 'mine'; readonly blocks: number; readonly seconds: number | undefined }

export interface JsonForm {
  /** The network on which its devnet begins: the option `fork`, which the devnet checks. */
  readonly fork: DevnetOptions['fork']
  readonly accounts: readonly JsonAccount[]
  readonly steps: readonly JsonStep[]
  readonly abis: Readonly<Record<string, Abi | Artifact>>
}

/** An error for an invalid JSON fixture. The message has the path, the expected and the received value. */
export class InvalidFixture extends Error {
  /** The path of the invalid value, such as `transactions[2].to`. */
  readonly path: string
  readonly expected: string
  readonly value: unknown

  /** `file` is the path of the file, if the JSON is in one. */
  constructor(
    path: string,
    expected: string,
    value: unknown,
    { file, cause }: { file?: string; cause?: unknown } = {},
  ) {
    const where = file === undefined ? path : `${file}: ${path}`
    super(`${where}: expected ${expected}, got ${shown(value)}`, { cause })
    this.name = 'InvalidFixture'
    this.path = path
    this.expected = expected
    this.value = value
  }
}

/** Returns the JSON of a value for an error message, truncated if it is long. */
function shown(value: unknown): string {
  if (typeof value !== 'string') return typeof value === 'object' ? kindOf(value) : String(value)
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}…"` : text
}

type Parser<T> = (value: unknown, path: string) => T

/** Parses a JSON fixture. Throws `InvalidFixture`. */
export function parseJsonFixture(value: unknown): JsonForm {
  const form = members(value, 'fixture', 'an object with fork, accounts, transactions, abis', [
    '$schema',
    'fork',
    'accounts',
    'transactions',
    'abis',
  ])
  optional(parseText)(form.$schema, '$schema')
  return {
    fork: optional(parseFork)(form.fork, 'fork'),
    accounts: entries(form.accounts, 'accounts', 'an object from addresses to accounts').map(
      ([address, account, path]) => parseAccount(address, account, path),
    ),
    steps: optional(listOf(parseStep, 'an array of transactions'))(form.transactions, 'transactions') ?? [],
    abis: Object.fromEntries(
      entries(form.abis, 'abis', 'an object from names to ABIs').map(
        ([name, abi, path]) => [name, parseAbi(abi, path)] as const,
      ),
    ),
  }
}

/** Returns the steps that are blocks with transactions. */
export function blocksOf({ steps }: JsonForm): Extract<JsonStep, { kind: 'block' }>[] {
  return steps.filter((step) => step.kind === 'block')
}

const parseFork: Parser<DevnetOptions['fork']> = (value, path) => {
  // The devnet checks its members, and their errors show no key.
  // A text may be a URL, which may hold a key.
  if (!isRecord(value)) throw new InvalidFixture(path, 'an object with url and block', kindOf(value))
  if (typeof value.url !== 'string') throw new InvalidFixture(`${path}.url`, 'the URL of a node', value.url)
  return value as DevnetOptions['fork']
}

function parseAccount(key: string, value: unknown, path: string): JsonAccount {
  const account = members(value, path, 'an account: an object with balance, nonce, code, storage', [
    'name',
    'balance',
    'nonce',
    'code',
    'storage',
  ])
  return {
    address: parseAddress(key, 'accounts'),
    name: optional(parseName)(account.name, `${path}.name`),
    balance: optional(amount(256))(account.balance, `${path}.balance`),
    nonce: optional(amount(64))(account.nonce, `${path}.nonce`),
    code: optional(parseBytes)(account.code, `${path}.code`),
    storage: entries(account.storage, `${path}.storage`, 'an object from slots to values').map(
      ([slot, word, at]) => [parseSlot(slot, `${path}.storage`), amount(256)(word, at)] as const,
    ),
  }
}

const parseStep: Parser<JsonStep> = (value, path) => {
  if (Array.isArray(value)) {
    const transactions = listOf(parseTransaction, '')(value, path)
    if (value.length > 0) return { kind: 'block', transactions }
    throw new InvalidFixture(path, 'at least one transaction, or { "mine": 1 }', value)
  }
  if (!has(value, 'mine')) return { kind: 'block', transactions: [parseTransaction(value, path)] }
  const { mine, seconds } = members(value, path, '', ['mine', 'seconds'])
  return {
    kind: 'mine',
    blocks: count('blocks', 1, 100_000)(mine, `${path}.mine`),
    seconds: optional(count('seconds', 0, 1_000_000_000))(seconds, `${path}.seconds`),
  }
}

const parseTransaction: Parser<JsonTransaction> = (value, path) => {
  if (typeof value === 'string')
    return { kind: 'signed', path, name: undefined, raw: parseBytes(value, path) }
  if (has(value, 'raw')) {
    const { name, raw } = members(value, path, '', ['name', 'raw'])
    return {
      kind: 'signed',
      path,
      name: optional(parseName)(name, `${path}.name`),
      raw: parseBytes(raw, `${path}.raw`),
    }
  }
  const what = 'a transaction: an object with from, to, value, data, or a signed one (0x…)'
  const call = members(value, path, what, ['name', 'from', 'to', 'data', ...AMOUNTS])
  return {
    kind: 'call',
    path,
    name: optional(parseName)(call.name, `${path}.name`),
    from: optional(parseParty)(call.from, `${path}.from`) ?? 0,
    to: optional(parseParty)(call.to, `${path}.to`),
    request: parseRequest(call, path),
  }
}

const AMOUNTS = ['value', 'nonce', 'gas', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const

function parseRequest(call: Readonly<Record<string, unknown>>, path: string): Request {
  const data = optional(parseBytes)(call.data, `${path}.data`)
  const given = AMOUNTS.filter((name) => call[name] !== undefined).map((name) => {
    const bits = name === 'nonce' || name === 'gas' ? 64 : 256
    return [name, hexOf(amount(bits)(call[name], `${path}.${name}`))]
  })
  return { ...(data === undefined ? {} : { data }), ...Object.fromEntries(given) }
}

/** Returns a quantity in the form of JSON-RPC. */
export function hexOf(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}

/** Parses a whole number: a JSON number, or a text, which may be larger. */
function amount(bits: 64 | 256): Parser<bigint> {
  const hex = new RegExp(`^0x[0-9a-fA-F]{1,${bits / 4}}$`)
  // Numbers with more digits may have more bits.
  const decimal = new RegExp(`^[0-9]{1,${bits === 64 ? 19 : 77}}$`)
  return (value, path) => {
    if (typeof value === 'string' && (hex.test(value) || decimal.test(value))) return BigInt(value)
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
    throw new InvalidFixture(path, `a whole number of at most ${bits} bits (5, "5" or "0x5")`, value)
  }
}

function count(what: string, min: number, max: number): Parser<number> {
  return (value, path) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
    throw new InvalidFixture(path, `a number of ${what} from ${min} to ${max}`, value)
  }
}

function matching<T extends string>(expected: string, pattern: RegExp): Parser<T> {
  return (value, path) => {
    if (typeof value === 'string' && pattern.test(value)) return value as T
    throw new InvalidFixture(path, expected, value)
  }
}

const NAME = /^[a-zA-Z][a-zA-Z0-9_]*$/

const parseText = matching('a text', /^/)
const parseAddress = matching<Hex>('an address (0x and 40 hex digits)', /^0x[0-9a-fA-F]{40}$/)
const parseDigits = matching<Hex>('bytes (0x and an even number of hex digits)', /^0x[0-9a-fA-F]*$/)
const parseSlotText = matching('a storage slot (0x and 1 to 64 hex digits)', /^0x[0-9a-fA-F]{1,64}$/)
const parseNameText = matching('a name (a letter, then letters, digits and _)', NAME)
const parseSlot: Parser<bigint> = (value, path) => BigInt(parseSlotText(value, path))

const parseBytes: Parser<Hex> = (value, path) => {
  // The parity of the length is checked here, since a regular expression is slow for long code.
  if (typeof value === 'string' && value.length % 2 === 0) return parseDigits(value, path)
  throw new InvalidFixture(path, 'bytes (0x and an even number of hex digits)', value)
}

const parseName: Parser<string> = (value, path) => {
  if (value !== 'devnet') return parseNameText(value, path)
  throw new InvalidFixture(path, 'another name: so is the fork called that stands beside the values', value)
}

const parseParty: Parser<Party> = (value, path) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  if (typeof value === 'string' && (NAME.test(value) || /^0x[0-9a-fA-F]{40}$/.test(value))) return value
  const expected = 'an address (0x and 40 hex digits), a name, or the number of a development account'
  throw new InvalidFixture(path, expected, value)
}

const parseAbi: Parser<Abi | Artifact> = (value, path) => {
  if (Array.isArray(value)) return value
  if (isRecord(value) && Array.isArray(value.abi)) return value as unknown as Artifact
  throw new InvalidFixture(
    path,
    'an ABI (an array), or what a compiler wrote: { abi, deployedBytecode }',
    value,
  )
}

/** Returns a parser that accepts `undefined`, too. It does not accept null. */
function optional<T>(parse: Parser<T>): Parser<T | undefined> {
  return (value, path) => (value === undefined ? undefined : parse(value, path))
}

function listOf<T>(parse: Parser<T>, what: string): Parser<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new InvalidFixture(path, what, value)
    return value.map((item, index) => parse(item, `${path}[${index}]`))
  }
}

/** Returns the members of an object with their paths; none for `undefined`. */
function entries(value: unknown, path: string, what: string): [key: string, member: unknown, path: string][] {
  if (value === undefined) return []
  if (!isRecord(value)) throw new InvalidFixture(path, what, value)
  return Object.entries(value).map(([key, member]) => [key, member, `${path}.${key}`])
}

/** Parses an object, and throws for a member that is not listed. */
function members(
  value: unknown,
  path: string,
  what: string,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new InvalidFixture(path, what, value)
  const unknown = Object.keys(value).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new InvalidFixture(path, `one of the members ${names.join(', ')}`, unknown)
  return value
}

function has(value: unknown, member: string): boolean {
  return isRecord(value) && Object.hasOwn(value, member)
}

/** Returns the kind of a value as a noun phrase for error messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value !== 'object') return value === undefined ? 'nothing' : `a ${typeof value}`
  if (isWithoutClass(value)) return 'an object'
  return `an object of the class ${value.constructor?.name ?? 'without a name'}`
}

/** Returns whether `value` is an object without a class, such as `{}`, of this or another realm. */
export function isWithoutClass(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
