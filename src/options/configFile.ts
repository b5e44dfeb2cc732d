/** Reads the configuration file `preseal.config.ts`, which sets options of the devnet and flags of the command. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { errorText, fileErrorText, nearest } from '../model/api/text.ts'
import { type DevnetOptions, FLAG_KINDS, type FlagKind, OPTIONS } from './options.ts'

/** Thrown when a configuration file cannot be used. The message names the file and the reason. */
export class ConfigFailed extends Error {}

export interface Config {
  readonly file: string
  readonly options: DevnetOptions
  /** Values of flags, as on the command line, keyed by commander's names. A switch has the value `true` or `false`. */
  readonly flags: Readonly<Record<string, string | boolean | readonly string[]>>
}

/** Names of the configuration file, tried in this order in the working directory. */
const NAMES = ['ts', 'mts', 'js', 'mjs'].map((ending) => `preseal.config.${ending}`)

const EXPECTED: Readonly<Record<FlagKind, string>> = {
  number: 'a number',
  text: 'a text',
  file: 'the path of a file',
  files: 'an array of paths of files',
  list: 'an array of texts',
  switch: 'true or false',
}

/** Returns `named` or, without it, the configuration file in the working directory; `undefined` if there is none. */
export function findConfig(named: string | undefined): string | undefined {
  return named ?? NAMES.find((name) => existsSync(name))
}

/** Reads the configuration in `file`. `load` returns the default export of the file. Throws `ConfigFailed`. */
export async function readConfig(file: string, load: (file: string) => Promise<unknown>): Promise<Config> {
  const found = await stat(file).catch((error) => fail(file, fileErrorText(error), error))
  if (found.isDirectory()) fail(file, 'expected a file, got a folder')
  const exported = await load(file).catch((error) =>
    fail(file, `cannot be loaded: ${errorText(error)}`, error),
  )
  return configIn(file, exported)
}

function configIn(file: string, exported: unknown): Config {
  if (typeof exported !== 'object' || exported === null || Array.isArray(exported)) {
    fail(file, `expected \`export default defineConfig({ … })\`, got ${typeof exported}`)
  }
  const options: Record<string, unknown> = {}
  const flags: Record<string, string | boolean | readonly string[]> = {}
  for (const [name, value] of Object.entries(exported)) {
    if (Object.hasOwn(OPTIONS, name)) options[name] = value
    else if (!Object.hasOwn(FLAG_KINDS, name))
      fail(file, `${name}: expected an option or a flag${hintFor(name)}`)
    else if (value !== undefined) {
      const kind = FLAG_KINDS[name as keyof typeof FLAG_KINDS]
      flags[name === 'fixtures' ? 'fixture' : name] = asFlag(file, name, kind, value)
    }
  }
  return { file, options, flags }
}

function asFlag(
  file: string,
  name: string,
  kind: FlagKind,
  value: unknown,
): string | boolean | readonly string[] {
  const texts = Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined
  if (kind === 'number' && typeof value === 'number') return String(value)
  if (kind === 'text' && typeof value === 'string') return value
  if (kind === 'switch' && typeof value === 'boolean') return value
  if (kind === 'file' && typeof value === 'string') return fromConfigFolder(file, value)
  if (kind === 'files' && texts !== undefined) return texts.map((each) => fromConfigFolder(file, each))
  if (kind === 'list' && texts !== undefined) return texts.join(',')
  return fail(file, `${name}: expected ${EXPECTED[kind]}, got ${JSON.stringify(value) ?? typeof value}`)
}

function fromConfigFolder(file: string, path: string): string {
  const absolute = resolve(dirname(file), path)
  const short = relative('', absolute)
  return short.startsWith('..') ? absolute : short
}

function hintFor(name: string): string {
  const meant = nearest(name, [...Object.keys(OPTIONS), ...Object.keys(FLAG_KINDS)])
  return meant === undefined ? '' : ` (did you mean ${meant}?)`
}

function fail(file: string, why: string, cause?: unknown): never {
  throw new ConfigFailed(`config ${file}: ${why}`, { cause })
}
