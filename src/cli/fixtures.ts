/** Runs the fixtures given on the command line: JSON files, and modules that export a function as default. */

import { readFile, stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import type { Devnet } from '../devnet/devnet.ts'
import { counted, errorText, fileErrorText } from '../model/api/text.ts'
import { FileFailed } from '../terminal/files.ts'
import { importModule } from '../terminal/modules.ts'
import { type Output, Progress } from '../terminal/progress.ts'

/** The default export of a fixture module. Prepares the devnet and returns values to print. */
export type Fixture = (devnet: Devnet) => unknown

/** Runs the fixture in `file` on `devnet`. Returns its printable values. Throws `FileFailed`. */
export async function runFixture(devnet: Devnet, file: string, output: Output): Promise<unknown> {
  const showing = showProgress(devnet, file, output)
  try {
    const fixture = await loadFixture(file)
    return printable(await fixture(devnet))
  } catch (error) {
    if (error instanceof FileFailed) throw error
    fail(`${file} failed: ${errorText(error)}${placeIn(file, error)}`, error)
  } finally {
    showing.end()
  }
}

async function loadFixture(file: string): Promise<Fixture> {
  const path = resolve(file)
  const found = await stat(path).catch((error) => fail(`${file}: ${fileErrorText(error)}`, error))
  if (found.isDirectory()) fail(`${file}: expected a file, got a folder`)
  return extname(file) === '.json' ? loadJson(file) : loadModule(file, path)
}

async function loadJson(file: string): Promise<Fixture> {
  const text = await readFile(file, 'utf8').catch((error) => fail(`${file}: ${fileErrorText(error)}`, error))
  const { fixtureFromJson } = await import('../testing/jsonFixture.ts')
  try {
    return fixtureFromJson(JSON.parse(text), { name: file })
  } catch (error) {
    fail(`${file}: ${error instanceof SyntaxError ? 'not JSON: ' : ''}${errorText(error)}`, error)
  }
}

async function loadModule(file: string, path: string): Promise<Fixture> {
  const exported = await importModule(path).catch((error) =>
    fail(`${file} cannot be loaded: ${errorText(error)}`, error),
  )
  if (typeof exported.default === 'function') return exported.default as Fixture
  fail(`${file}: expected \`export default async (devnet) => values\`, got ${kindOf(exported)}`)
}

/** Returns the default export of a module in TypeScript or JavaScript. */
export async function defaultOf(file: string): Promise<unknown> {
  return (await importModule(resolve(file))).default
}

function kindOf(exported: Record<string, unknown>): string {
  if (Object.hasOwn(exported, 'default')) return typeof exported.default
  const names = Object.keys(exported)
  return `no default export${names.length === 0 ? '' : `, only ${names.join(', ')}`}`
}

/** Returns the values that have a JSON form. Bigints become decimal strings, functions are left out. */
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
        // A circular object, such as a client, has no JSON form.
        return []
      }
    }),
  )
}

/** Returns ` (line 7)`, the line of `file` that threw. Empty if the stack does not name the file. */
function placeIn(file: string, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const at = stack.indexOf(`${resolve(file)}:`)
  const line = at === -1 ? undefined : /:(\d+):\d+/.exec(stack.slice(at + resolve(file).length))?.[1]
  return line === undefined ? '' : ` (line ${line})`
}

function fail(why: string, cause?: unknown): never {
  throw new FileFailed(`fixture ${why}`, { cause })
}

export function showProgress(devnet: Devnet, file: string, output: Output): { end(): void } {
  let blocks = 0
  let transactions = 0
  const progress = new Progress(`fixture ${file}`, output, () => ({
    text: `${counted(blocks, 'block')}, ${counted(transactions, 'transaction')}`,
    fields: { blocks, transactions },
  }))
  const off = devnet.on('sealed', ({ block }) => {
    blocks++
    transactions += block.transactions.length
    // The progress is updated here as well, because a fixture may block the event loop and thereby the progress timer.
    progress.update()
  })
  return {
    end() {
      off()
      progress.end()
    },
  }
}
