/** Fixtures of the command line: modules whose default export prepares a devnet, and JSON. */
import { access, readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Devnet } from '../devnet.ts'
import { showProgress } from './fixtureProgress.ts'
import type { ProgressManner } from './progress.ts'

/** What a fixture script exports: deploys what it wants and answers what those who use it need to know. */
export type Fixture = (devnet: Devnet) => unknown

/** A fixture that could not be run; the message says which and why. */
export class FixtureFailed extends Error {}

/**
 * Runs the fixture in `file` (TypeScript, JavaScript or JSON) on `devnet`; how it gets on is shown in the given manner.
 * Answers its values as they can be printed. Throws `FixtureFailed`.
 */
export async function runFixture(devnet: Devnet, file: string, manner: ProgressManner): Promise<unknown> {
  const showing = showProgress(devnet, file, manner)
  try {
    const fixture = await loadFixture(file)
    return printable(await fixture(devnet))
  } catch (error) {
    if (error instanceof FixtureFailed) throw error
    fail(`${file} failed: ${textOf(error)}${placeIn(file, error)}`, error)
  } finally {
    showing.end()
  }
}

async function loadFixture(file: string): Promise<Fixture> {
  const path = resolve(file)
  await access(path).catch((error) => fail(`${file}: there is no such file`, error))
  return extname(file) === '.json' ? loadJson(file) : loadModule(file, path)
}

async function loadJson(file: string): Promise<Fixture> {
  const text = await readFile(file, 'utf8').catch((error) => fail(`${file}: ${textOf(error)}`, error))
  const { fixtureFromJson } = await import('../testing/jsonFixture.ts')
  try {
    return fixtureFromJson(JSON.parse(text), { name: file })
  } catch (error) {
    fail(`${file}: ${error instanceof SyntaxError ? 'not JSON: ' : ''}${textOf(error)}`, error)
  }
}

async function loadModule(file: string, path: string): Promise<Fixture> {
  const exported = await importModule(path).catch((error) =>
    fail(`${file} cannot be loaded: ${textOf(error)}`, error),
  )
  if (typeof exported.default === 'function') return exported.default as Fixture
  fail(`${file}: expected \`export default async (devnet) => values\`, got ${kindOf(exported)}`)
}

/** Returns the default export of a module in TypeScript or JavaScript. */
export async function defaultOf(file: string): Promise<unknown> {
  return (await importModule(resolve(file))).default
}

/** Node 20 cannot read TypeScript by itself. */
async function importModule(path: string): Promise<Record<string, unknown>> {
  const { createJiti } = await import('jiti')
  const load = createJiti(pathToFileURL(`${process.cwd()}/`).href, { alias: ownNames() })
  return load.import<Record<string, unknown>>(path)
}

function kindOf(exported: Record<string, unknown>): string {
  if (Object.hasOwn(exported, 'default')) return typeof exported.default
  const names = Object.keys(exported)
  return `no default export${names.length === 0 ? '' : `, only ${names.join(', ')}`}`
}

/** With these, fixtures import what runs them, whether it is installed beside them or not (`npx preseal`). */
function ownNames(): Record<string, string> {
  return Object.fromEntries(
    ['preseal', 'preseal/testing', 'preseal/vitest'].flatMap((name) => {
      try {
        return [[name, fileURLToPath(import.meta.resolve(name))]]
      } catch {
        // Not run as the package that it is: then it is found where fixtures have it, or not at all.
        return []
      }
    }),
  )
}

/** What JSON can say of the values: bigints are text, and what does something is left out. */
function printable(values: unknown): unknown {
  if (typeof values !== 'object' || values === null) return undefined
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      try {
        const text = JSON.stringify(value, (_, member) =>
          typeof member === 'bigint' ? String(member) : member,
        )
        return text === undefined ? [] : [[name, JSON.parse(text)]]
      } catch {
        // An object that contains itself, as clients do.
        return []
      }
    }),
  )
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The line of `file` that threw, as far as the stack tells. */
function placeIn(file: string, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const at = stack.indexOf(`${resolve(file)}:`)
  const line = at === -1 ? undefined : /:(\d+):\d+/.exec(stack.slice(at + resolve(file).length))?.[1]
  return line === undefined ? '' : ` (line ${line})`
}

function fail(why: string, cause?: unknown): never {
  throw new FixtureFailed(`fixture ${why}`, { cause })
}
