/** The strict schema of JSON fixtures: validates, gives TypeScript types, and becomes JSON Schema in `npm run docs`. */
import * as v from 'valibot'
import type { Hex } from '../bytes/hex.ts'
import { isRecord } from '../model/api/arguments.ts'
import { kindOf } from './storedValues.ts'

function matching<T extends string = string>(expected: string, pattern: RegExp) {
  return v.pipe(v.string(expected), v.regex(pattern, expected)) as unknown as v.GenericSchema<T>
}

function wholeNumber(expected: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  return v.pipe(v.number(expected), v.integer(expected), v.minValue(min, expected), v.maxValue(max, expected))
}

/** Returns a schema for an integer of at most `bits` bits: a JSON number, or text for large integers. */
function amount(bits: 64 | 256) {
  const expected = `a whole number of at most ${bits} bits (5, "5" or "0x5")`
  // An integer with more decimal digits may have more than `bits` bits.
  const digits = bits === 64 ? 19 : 77
  const text = new RegExp(`^(0x[0-9a-fA-F]{1,${bits / 4}}|[0-9]{1,${digits}})$`)
  return v.union([wholeNumber(expected, 0), matching(expected, text)], expected)
}

/** Restricts a schema to plain objects. valibot also accepts arrays, and ignores keys such as `constructor`. */
function onlyObjects<S extends v.GenericSchema>(schema: S, expected: string) {
  const isObject = (value: unknown) => isRecord(value) && !UNCHECKED.some((key) => Object.hasOwn(value, key))
  return v.pipe(v.custom<v.InferInput<S>>(isObject, expected), schema)
}

function optional<S extends v.GenericSchema>(schema: S, description: string) {
  return v.optional(v.pipe(schema, v.description(description)))
}

const UNCHECKED = ['__proto__', 'prototype', 'constructor']

function members<const E extends v.ObjectEntries>(entries: E, expected: string) {
  const names = `one of the members ${Object.keys(entries).join(', ')}`
  return onlyObjects(v.strictObject(entries, names), expected)
}

/**
 * Returns a union of schemas. `choose` selects one for an input, so that errors are about the form that the author
 * meant. Without an input, `choose` may return any schema.
 */
function choice<const O extends readonly v.GenericSchema[]>(
  options: O,
  choose: (input: unknown) => O[number],
) {
  return Object.assign(v.lazy(choose), { options })
}

const NAME = /^[a-zA-Z][a-zA-Z0-9_]*$/
const PARTY = 'an address (0x and 40 hex digits), a name, or the number of a development account'
const ABI = 'an ABI (an array), or the artifact of a compiler: { abi, deployedBytecode }'
const CALL = 'a transaction: an object with from, to, value, data, or a signed one (0x…)'

const word = amount(256)
const uint64 = amount(64)
const address = matching<Hex>('an address (0x and 40 hex digits)', /^0x[0-9a-fA-F]{40}$/)
const bytes = matching<Hex>('bytes (0x and an even number of hex digits)', /^0x([0-9a-fA-F]{2})*$/)
const name = v.pipe(
  matching('a name (a letter, then letters, digits and _)', NAME),
  v.notValue('devnet', 'another name: devnet is the fork, which stands beside the values'),
  v.description(
    'The name of the address, or of the hash of the transaction, among the values. Below it stands for the address.',
  ),
)
const party = v.pipe(
  v.union([address, matching(PARTY, NAME), wholeNumber(PARTY, 0)], PARTY),
  v.description('An address, a name from above, or the number of a development account.'),
)

const account = members(
  {
    name: v.optional(name),
    balance: optional(word, 'Wei.'),
    nonce: v.optional(uint64),
    code: v.optional(bytes),
    storage: v.optional(
      onlyObjects(
        v.record(matching('a storage slot (0x and 1 to 64 hex digits)', /^0x[0-9a-fA-F]{1,64}$/), word),
        'an object from slots to values',
      ),
    ),
  },
  'an account: an object with balance, nonce, code, storage',
)

const call = v.pipe(
  members(
    {
      name: v.optional(name),
      from: optional(party, 'By default the first development account.'),
      to: optional(party, 'Without it the data creates a contract.'),
      data: v.optional(bytes),
      value: optional(word, 'Wei.'),
      nonce: v.optional(uint64),
      gas: v.optional(uint64),
      gasPrice: v.optional(word),
      maxFeePerGas: v.optional(word),
      maxPriorityFeePerGas: v.optional(word),
    },
    CALL,
  ),
  v.description('Signed by the sender, or sent without a key. Missing gas, fees and nonce are filled in.'),
)

const signed = v.pipe(
  members({ name: v.optional(name), raw: bytes }, CALL),
  v.description('A signed transaction.'),
)

const transaction = choice([call, signed, bytes], (input) => {
  if (typeof input === 'string') return bytes
  return isRecord(input) && Object.hasOwn(input, 'raw') ? signed : call
})

const block = v.pipe(
  v.array(transaction),
  v.minLength(1, 'at least one transaction, or { "mine": 1 }'),
  v.description('One block. Give the gas where a transaction depends on another in the same block.'),
)

const count = (what: string, min: number, max: number) =>
  wholeNumber(`a number of ${what} from ${min} to ${max}`, min, max)

const mine = v.pipe(
  members(
    {
      mine: v.pipe(count('blocks', 1, 100_000), v.description('The number of blocks.')),
      seconds: optional(count('seconds', 0, 1_000_000_000), 'Seconds between blocks.'),
    },
    'a number of blocks to mine',
  ),
  v.description('Blocks without transactions.'),
)

const step = choice([transaction, mine, block], (input) => {
  if (Array.isArray(input)) return block
  return isRecord(input) && Object.hasOwn(input, 'mine') ? mine : transaction
})

const abi = v.union([v.array(v.any()), onlyObjects(v.looseObject({ abi: v.array(v.any()) }), ABI)], ABI)

// `createDevnet` checks the members of the option `fork`.
const fork = v.pipe(
  onlyObjects(
    v.looseObject(
      {
        url: v.pipe(
          v.string('the URL of a node'),
          v.description(
            'The node, over HTTP or WebSocket. A key in it is visible to all readers of the file.',
          ),
        ),
        block: optional(v.any(), 'A block number, a hash, or a tag.'),
        cache: optional(
          v.any(),
          'The cache of answers: a file that ends in .jsonl, or a folder; false: none.',
        ),
        offline: optional(v.any(), 'Whether all answers come from the cache, without a network.'),
      },
      'the URL of a node',
    ),
    'an object with url and block',
  ),
  v.description('The network on which the devnet begins: the option fork of createDevnet.'),
)

export const fixtureSchema = v.pipe(
  members(
    {
      $schema: optional(v.string('a text'), 'The address of this schema, for editors.'),
      fork: v.optional(fork),
      accounts: optional(
        onlyObjects(v.record(address, account), 'an object from addresses to accounts'),
        'Accounts by their addresses. Members that are left out stay unchanged.',
      ),
      transactions: optional(
        v.array(step, 'an array of transactions'),
        'Transactions after that. Each item is mined in a block of its own; an array is a block of several transactions.',
      ),
      abis: optional(
        onlyObjects(v.record(v.string(), abi), 'an object from names to ABIs'),
        'ABIs by the names of their contracts, which decode errors, events and calls.',
      ),
    },
    'an object with fork, accounts, transactions, abis',
  ),
  v.title('A fixture of preseal'),
  v.description('The initial state of a devnet: accounts, then transactions, block by block.'),
)

export const definitions = {
  ...{ account, transaction, call, signed, block, mine, step },
  ...{ abi, name, party, address, bytes, word, uint64 },
}

export type JsonFixture = v.InferInput<typeof fixtureSchema>
export type JsonAccount = v.InferInput<typeof account>
export type JsonCall = v.InferInput<typeof call>
export type JsonTransaction = v.InferInput<typeof transaction>
export type JsonStep = v.InferInput<typeof step>
export type Party = v.InferInput<typeof party>

/** An error for an invalid JSON fixture. The message has the path, the expected value and the received value. */
export class InvalidFixture extends Error {
  /** The path of the invalid value, such as `transactions[2].to`. */
  readonly path: string
  readonly expected: string
  readonly value: unknown

  /** `options` may have the path of the file that contains the JSON, and the cause. */
  constructor(
    path: string,
    expected: string,
    value: unknown,
    options: { file?: string; cause?: unknown } = {},
  ) {
    const { file, cause } = options
    const where = file === undefined ? path : `${file}: ${path}`
    super(`${where}: expected ${expected}, got ${shown(value)}`, { cause })
    this.name = 'InvalidFixture'
    this.path = path
    this.expected = expected
    this.value = value
  }
}

/** Returns a value for an error message: text in quotes, truncated if it is long; the kind of an object or array. */
function shown(value: unknown): string {
  if (typeof value !== 'string') return typeof value === 'object' ? kindOf(value) : String(value)
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}…"` : text
}

/** Returns `value` if it is a valid JSON fixture, otherwise throws `InvalidFixture`. */
export function parseJsonFixture(value: unknown): JsonFixture {
  const { issues } = v.safeParse(fixtureSchema, value, { abortEarly: true })
  if (issues === undefined) return value as JsonFixture
  const [{ message, input, path: items = [] }] = issues
  const last = items.at(-1)
  // An error about a key, such as an unknown member, is reported for the object that has the key.
  const isKey = last?.origin === 'key' && input !== undefined
  const path = pathOf(isKey ? items.slice(0, -1) : items)
  // If `fork` is text, it may be a URL with an API key, so the message does not show it.
  throw new InvalidFixture(path, message, path === 'fork' ? kindOf(input) : input)
}

function pathOf(items: readonly v.IssuePathItem[]): string {
  const text = items.map(({ type, key }) => (type === 'array' ? `[${key}]` : `.${key}`)).join('')
  return text === '' ? 'fixture' : text.slice(1)
}
