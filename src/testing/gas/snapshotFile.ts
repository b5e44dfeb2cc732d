/** A file of gas snapshots: a JSON object that maps names to gas, sorted by name, like Foundry's `snapshots/*.json`. */
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { shown } from '../matchers/sameValue.ts'

export type Entries = ReadonlyMap<string, bigint>

/** New values of entries by name; `undefined` removes an entry. */
export type Changes = ReadonlyMap<string, bigint | undefined>

/** Returns the path of a test file's snapshots, such as `__snapshots__/token.test.ts.gas.json` beside the test file. */
export function snapshotFileOf(testFile: string): string {
  return join(dirname(testFile), '__snapshots__', `${basename(testFile)}.gas.json`)
}

/** Returns a path for messages. A path in the working folder is shown relative to it. */
export function shownPath(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') ? file : path
}

/** Returns the entries of a file; none if the file does not exist. Throws an `Error` for an invalid file. */
export function readSnapshots(file: string): Entries {
  return parsed(file, textOf(file))
}

/** Changes entries of a file, and keeps changes by other processes. Deletes a file whose last entry is removed. */
export async function changeSnapshots(file: string, changes: Changes): Promise<void> {
  mkdirSync(dirname(file), { recursive: true })
  await locked(`${file}.lock`, () => {
    const text = textOf(file)
    const entries = new Map(parsed(file, text))
    for (const [name, gas] of changes) {
      if (gas === undefined) entries.delete(name)
      else entries.set(name, gas)
    }
    const changed = written(entries)
    if (entries.size === 0) rmSync(file, { force: true })
    else if (changed !== text) {
      writeFileSync(`${file}.new`, changed)
      renameSync(`${file}.new`, file)
    }
  })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function parsed(file: string, text: string): Entries {
  if (text === '') return new Map()
  const advice = 'it was not changed; correct it, or delete it and write it again'
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new Error(`gas snapshots: ${shownPath(file)} is not JSON: ${(cause as Error).message}; ${advice}`, {
      cause,
    })
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new Error(
      `gas snapshots: ${shownPath(file)}: expected an object of gas by name, got ${shown(json)}; ${advice}`,
    )
  }
  const entries = Object.entries(json).map(([name, gas]) => {
    if (/^\d+$/.test(String(gas)) && typeof gas !== 'object') return [name, BigInt(gas)] as const
    throw new Error(
      `gas snapshots: ${shownPath(file)}: "${name}": expected gas, such as "21000", got ${shown(gas)}; ${advice}`,
    )
  })
  return new Map(entries)
}

function written(entries: Entries): string {
  // Compares code units, because the alphabetical order of the locale may differ between machines.
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted.map(([name, gas]) => [name, String(gas)])), undefined, 2)}\n`
}

/** Age in milliseconds from which a lock file is assumed to be left from a killed process. */
const STALE_MS = 10_000
const RETRY_MS = 5

/** Runs `work` while this process holds the lock file `lock`, so that no other process runs its `work`. */
async function locked(lock: string, work: () => void): Promise<void> {
  while (!acquired(lock)) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  try {
    work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function acquired(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
    if (since !== undefined && Date.now() - since > STALE_MS) rmSync(lock, { force: true })
    return false
  }
}
