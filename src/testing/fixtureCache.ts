/**
 * Caches built fixtures on disk for the next process. A file has a line with format and key, a line with values and
 * ABIs, and then the chain as a state file. The file name contains a hash of all data on which the built state depends.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Devnet } from '../index.ts'
import { decodeStored, encodeStored, frozen, NotStorable } from './storedValues.ts'

/** A built fixture. Its devnet never changes, because users only get forks of it. */
export interface Base<V> {
  readonly devnet: Devnet
  readonly values: V
}

export interface CachePlace {
  /** The folder of the cache; `undefined` for the default folder. */
  readonly folder: string | undefined
  readonly name: string
  /** All data on which the built state depends, except the version of preseal. */
  readonly parts: readonly unknown[]
}

/**
 * Returns the fixture from its file, or builds it and writes the file. Restores a built fixture from the bytes of the
 * file, too, so that tests get equal values in both cases. Throws a `TypeError` if a value cannot be stored.
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
      warn(file, 'is not a complete fixture file; the fixture is built again', error)
    }
  }
  const built = await build()
  const bytes = packed(place, key, built)
  const base = await opened<V>(bytes, key, await fresh())
  await write(file, bytes).catch((error) =>
    warn(file, 'cannot be written; the next process builds it again', error),
  )
  return base
}

const FORMAT = 'preseal fixture 1'

function keyOf({ name, parts }: CachePlace, version: unknown): string {
  try {
    const text = JSON.stringify([FORMAT, version, encodeStored(parts, 'parts')])
    return createHash('sha256').update(text).digest('hex')
  } catch (error) {
    if (!(error instanceof NotStorable)) throw error
    const where = error.path.replace(/^parts\[\d+\]\./, '')
    throw new TypeError(
      `fixture ${name}: ${where} is ${error.what}, which cannot be compared with the cached fixture; expected data or functions`,
      { cause: error },
    )
  }
}

async function folderOf({ folder }: CachePlace): Promise<string> {
  return folder === undefined ? join(await packageFolder(), 'node_modules/.cache/preseal') : resolve(folder)
}

/** Returns the nearest folder with a package.json; if there is none, the working directory. */
async function packageFolder(folder = process.cwd()): Promise<string> {
  const isPackage = await stat(join(folder, 'package.json')).then(
    () => true,
    () => false,
  )
  if (isPackage) return folder
  return dirname(folder) === folder ? process.cwd() : packageFolder(dirname(folder))
}

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
      `fixture ${name}: the value ${error.path} is ${error.what}, which cannot be stored on disk; omit the option cache, or return data (such as an address) from which each test can make the value`,
      { cause: error },
    )
  }
}

/** Restores the fixture in `bytes` on `devnet`. Throws if `bytes` is not the complete file for `key`. */
async function opened<V>(bytes: Buffer, key: string, devnet: Devnet): Promise<Base<V>> {
  const first = bytes.indexOf('\n')
  const second = bytes.indexOf('\n', first + 1)
  const content = bytes.toString('utf8', first + 1, second)
  if (bytes.toString('utf8', 0, first) !== `${FORMAT} ${key} ${sha256(content)}`) {
    throw new Error('its first lines were changed')
  }
  const { values, contracts } = JSON.parse(content) as Content
  // `load` checks the hash that is in the last line of the state file.
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

type Contract = typeof Devnet.prototype.abis extends Iterable<infer C> ? C : never

function hexOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && `0x${Buffer.from(bytes).toString('hex')}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Writes a file atomically, because several processes may write the same file at the same time. */
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

function warn(file: string, what: string, error: unknown): void {
  console.warn(`preseal: ${file} ${what} (${error instanceof Error ? error.message : error})`)
}
