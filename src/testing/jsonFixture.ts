import type { Hex } from '../bytes/hex.ts'
import type { Devnet, DevnetOptions } from '../index.ts'
import { type Block, blocksOf, buildFromJson } from './buildFromJson.ts'
import { type Fixture, type FixtureOptions, fixtureFrom } from './fixture.ts'
import {
  InvalidFixture,
  type JsonAccount,
  type JsonFixture,
  type Party,
  parseJsonFixture,
} from './fixtureSchema.ts'

/** The named values of a JSON fixture: addresses of accounts and contracts, and hashes of other transactions. */
export type JsonValues<N extends string = string> = Readonly<Record<N, Hex>>

/**
 * Returns the fixture of parsed JSON, or of a file by its path from the working directory. For the format, see
 * fixtures/fixture.schema.json. Throws `InvalidFixture` for invalid JSON; a file is checked at the first use.
 */
export function fixtureFromJson<N extends string = string>(
  json: object | string | URL,
  options: FixtureOptions = {},
): Fixture<JsonValues<N>> {
  if (typeof json !== 'string' && !(json instanceof URL)) {
    const form = formOf(json)
    const origin = { source: () => JSON.stringify(json), devnet: async () => devnetOf(form) }
    return fixtureFrom(origin, (devnet) => buildFromJson(devnet, form), { name: 'from JSON', ...options })
  }
  const file = json instanceof URL ? decodeURI(json.pathname) : json
  const formIn = async () => formOf(JSON.parse(await textOf(json)))
  const build = (devnet: Devnet) => inFile(file, async () => buildFromJson<N>(devnet, await formIn()))
  const origin = {
    source: () => textOf(json),
    devnet: () => inFile(file, async () => devnetOf(await formIn())),
  }
  return fixtureFrom<JsonValues<N>>(origin, build, { name: file, ...options })
}

function devnetOf({ fork }: JsonFixture): DevnetOptions {
  return fork === undefined ? {} : { fork }
}

async function textOf(file: string | URL): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return readFile(file, 'utf8')
}

async function inFile<T>(file: string, build: () => Promise<T>): Promise<T> {
  try {
    return await build()
  } catch (cause) {
    if (cause instanceof InvalidFixture) {
      throw new InvalidFixture(cause.path, cause.expected, cause.value, { file, cause })
    }
    const { message } = cause as Error
    throw new Error(`${file}: ${cause instanceof SyntaxError ? 'not JSON: ' : ''}${message}`, { cause })
  }
}

/** Returns the parsed JSON. Throws `InvalidFixture` if it is invalid or uses a name that is not defined. */
function formOf(json: unknown): JsonFixture {
  const form = parseJsonFixture(json)
  const names = new Set<string>()
  const learn = (name: string | undefined, path: string) => {
    if (name === undefined) return
    if (names.has(name)) throw new InvalidFixture(`${path}.name`, 'a name that nothing above has', name)
    names.add(name)
  }
  const accounts = Object.entries(form.accounts ?? {}) as [string, JsonAccount][]
  for (const [address, { name }] of accounts) learn(name, `accounts.${address}`)
  for (const block of blocksOf(form)) {
    // The address of a contract is known when its block is mined, so its name can be used from the next block on.
    for (const transaction of block) requireNames(transaction, names)
    for (const { name, path } of block) learn(name, path)
  }
  return form
}

function requireNames(transaction: Block[number], names: ReadonlySet<string>): void {
  if (transaction.kind === 'signed') return
  for (const member of ['from', 'to'] as const) {
    const party = transaction.call[member]
    if (!isName(party) || names.has(party)) continue
    const known = names.size === 0 ? 'there is none' : [...names].join(', ')
    throw new InvalidFixture(`${transaction.path}.${member}`, `a name from a block above (${known})`, party)
  }
}

function isName(party: Party | undefined): party is string {
  return typeof party === 'string' && !party.startsWith('0x')
}
