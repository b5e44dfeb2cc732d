/**
 * Built fixtures on disk, so that the next process loads what this one built.
 *
 * A file says in its first line what it is and of what, then the values and ABIs, then the chain as a state file. Its name
 * is the hash of all that decides what is built, so nothing has to be compared, and what is outdated is not found.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Devnet } from '../index.ts'
import { frozen } from './frozen.ts'
import { decodeStored, encodeStored, NotStorable } from './storedValues.ts'

/** A fixture that was built. Nobody but forks has the devnet, so it stays what it is. */
export interface Base<V> {
  readonly devnet: Devnet
  readonly values: V
}

/** Where a fixture is kept, and what of. */
export interface CachePlace {
  /** Absent: the usual one. */
  readonly folder: string | undefined
  readonly name: string
  /** All that decides what is built, beside preseal itself. */
  readonly parts: readonly unknown[]
}

/**
 * The fixture as it is kept at `place`, or as `build` builds it, which is then kept; on a devnet that `fresh` makes. Whether
 * it was there or not, the same is done with what the file says, so that no test sees a difference. Throws a `TypeError`
 * where something cannot be kept.
 */
export async function loadedOrBuilt<V>(
  place: CachePlace,
  fresh: () => Promise<Devnet>,
  build: () => Promise<Base<V>>,
): Promise<Base<V>> {
  const devnet = await fresh()
  const key = keyOf(place, await devnet.request({ method: 'web3_clientVersion' }))
  const file = join(
    await folderOf(place),
    `${place.name.replaceAll(/\W+/g, '-')}-${key.slice(0, 32)}.fixture`,
  )
  const kept = await readFile(file).catch((error) => {
    if (error.code !== 'ENOENT') warn(file, 'cannot be read; the fixture is built', error)
    return undefined
  })
  if (kept !== undefined) {
    try {
      return await opened<V>(kept, key, devnet)
    } catch (error) {
      warn(file, 'is not what this wrote; the fixture is built anew', error)
    }
  }
  const built = await build()
  const bytes = packed(place, key, built)
  const base = await opened<V>(bytes, key, await fresh())
  await requireSameAccounts(place, built.devnet, base.devnet)
  await write(file, bytes).catch((error) =>
    warn(file, 'cannot be written; the next process builds it, too', error),
  )
  return base
}

/** What the first line of a file begins with. */
const FORMAT = 'preseal fixture 1'

/** The hash of all that decides what is built. Throws a `TypeError` where that cannot be told. */
function keyOf({ name, parts }: CachePlace, version: unknown): string {
  try {
    const text = JSON.stringify([FORMAT, version, encodeStored(parts, 'parts')])
    return createHash('sha256').update(text).digest('hex')
  } catch (error) {
    if (!(error instanceof NotStorable)) throw error
    const where = error.path.replace(/^parts\[\d+\]\./, '')
    throw new TypeError(
      `fixture ${name}: ${where} is ${error.what}, of which nobody can tell on disk whether it is still the same; expected data or functions`,
      { cause: error },
    )
  }
}

async function folderOf({ folder }: CachePlace): Promise<string> {
  return folder === undefined ? join(await packageFolder(), 'node_modules/.cache/preseal') : resolve(folder)
}

/** The folder of the package that is worked on: the nearest with a package.json, or the one that this runs in. */
async function packageFolder(folder = process.cwd()): Promise<string> {
  const isPackage = await stat(join(folder, 'package.json')).then(
    () => true,
    () => false,
  )
  if (isPackage) return folder
  return dirname(folder) === folder ? process.cwd() : packageFolder(dirname(folder))
}

/** All of a fixture, as the bytes of a file. Throws a `TypeError` where a value cannot be stored. */
function packed<V>({ name }: CachePlace, key: string, { devnet, values }: Base<V>): Buffer {
  const contracts = [...devnet.abis].reverse()
  const content = JSON.stringify({
    values:
      values && Object.entries(values).map(([member, value]) => [member, encodedValue(name, member, value)]),
    contracts: encodeStored(contracts, 'abis'),
  })
  return Buffer.concat([Buffer.from(`${FORMAT} ${key} ${sha256(content)}\n${content}\n`), ...devnet.dump()])
}

function encodedValue(name: string, member: string, value: unknown): unknown {
  try {
    return encodeStored(value, member)
  } catch (error) {
    if (!(error instanceof NotStorable)) throw error
    throw new TypeError(
      `fixture ${name}: the value ${error.path} is ${error.what}, which cannot be kept on disk; leave out the option cache, or return data (an address) from which each test makes it`,
      { cause: error },
    )
  }
}

/** The fixture in `bytes`, on `devnet`. Throws where they are not all of what `packed` made under `key`. */
async function opened<V>(bytes: Buffer, key: string, devnet: Devnet): Promise<Base<V>> {
  const first = bytes.indexOf('\n')
  const second = bytes.indexOf('\n', first + 1)
  const content = bytes.toString('utf8', first + 1, second)
  if (bytes.toString('utf8', 0, first) !== `${FORMAT} ${key} ${sha256(content)}`) {
    throw new Error('its first lines were changed')
  }
  const { values, contracts } = JSON.parse(content) as Content
  // It has a hash of its own in its last line.
  await devnet.load(bytes.subarray(second + 1))
  for (const { abi, creation, runtime, name, address } of decodeStored(contracts) as Contract[]) {
    devnet.abis.add({ abi, bytecode: hexOf(creation), deployedBytecode: hexOf(runtime) }, { name, address })
  }
  if (values === undefined) return { devnet, values: undefined as V }
  const members = values.map(([member, value]) => [member, frozen(decodeStored(value))])
  return { devnet, values: Object.freeze(Object.fromEntries(members)) }
}

interface Content {
  readonly values?: readonly (readonly [member: string, value: unknown])[]
  readonly contracts: unknown
}

/** What a devnet knows of a contract. */
type Contract = typeof Devnet.prototype.abis extends Iterable<infer C> ? C : never

function hexOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && `0x${Buffer.from(bytes).toString('hex')}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Puts a file there as a whole or not at all, whoever else does the same now. */
async function write(file: string, bytes: Buffer): Promise<void> {
  const part = `${file}.${randomUUID()}.part`
  await mkdir(dirname(file), { recursive: true })
  try {
    await writeFile(part, bytes)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** A state file has no keys. Throws a `TypeError` where the fixture gave the devnet one, or took one away. */
async function requireSameAccounts({ name }: CachePlace, built: Devnet, loaded: Devnet): Promise<void> {
  for (const method of ['personal_listAccounts', 'eth_accounts']) {
    const ask = async (devnet: Devnet) => (await devnet.request({ method })) as string[]
    const [before, after] = [await ask(built), await ask(loaded)]
    const lost = [...before, ...after].find((account) => before.includes(account) !== after.includes(account))
    if (lost === undefined) continue
    throw new TypeError(
      `fixture ${name}: the key of ${lost} was given or locked, which cannot be kept on disk; leave out the option cache, or impersonate the account`,
    )
  }
}

function warn(file: string, what: string, error: unknown): void {
  console.warn(`preseal: ${file} ${what} (${error instanceof Error ? error.message : error})`)
}
