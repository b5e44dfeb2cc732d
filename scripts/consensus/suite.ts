/** The folder of tests: gzip files, each line a test. They are read while they are played. */
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Unplayable } from '../commandLine.ts'
import { isSlow } from './deviations.ts'

export interface Line {
  readonly name: string
  readonly network: string
  /** File and line, for error messages. */
  readonly place: string
  readonly text: string
}

export interface Choice {
  /** Empty: all. */
  readonly networks: readonly string[]
  /** Parts of names; empty: all. */
  readonly only: readonly string[]
  /** Plays one of this many tests, chosen by the hashes of their names, and the first of each file, but no slow ones; 1: all. */
  readonly oneOf: number
}

const ENDING = '.jsonl.gz'

/** The files of `folder`, by name. Throws `Unplayable` if there are none. */
export function filesIn(folder: string): string[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    throw new Unplayable(`${folder}: expected a folder of *${ENDING} files: ${(error as Error).message}`)
  }
  const files = names.filter((name) => name.endsWith(ENDING)).sort()
  if (files.length === 0) {
    throw new Unplayable(`${folder}: expected *${ENDING} files, found ${names.length} others`)
  }
  return files.map((name) => join(folder, name))
}

/** The chosen tests of `files`, in order. Throws `Unplayable` for a truncated or other file. */
export async function* linesOf(
  files: readonly string[],
  { networks, only, oneOf }: Choice,
): AsyncGenerator<Line> {
  for (const file of files) {
    let hasOne = false
    for await (const line of linesIn(file)) {
      if (networks.length > 0 && !networks.includes(line.network)) continue
      if (only.length > 0 && !only.some((part) => line.name.includes(part))) continue
      if (hasOne && !isChosen(line.name, oneOf)) continue
      hasOne = true
      yield line
    }
  }
}

async function* linesIn(file: string): AsyncGenerator<Line> {
  let number = 0
  let rest = ''
  try {
    for await (const chunk of unpacked(file)) {
      const texts = (rest + chunk).split('\n')
      rest = texts.pop()!
      for (const text of texts) yield headOf(text, `${file}:${++number}`)
    }
  } catch (error) {
    if (error instanceof Unplayable) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new Unplayable(`${file}: expected a whole file of gzip: after line ${number}: ${reason}`)
  }
  if (rest !== '') yield headOf(rest, `${file}:${++number}`)
}

function unpacked(file: string): AsyncIterable<string> {
  return pipeline(createReadStream(file), createGunzip(), () => {}).setEncoding('utf8')
}

/** The name and the network, which are first in each line: the rest is not parsed, since most lines are long. */
function headOf(text: string, place: string): Line {
  const [, name, network] = /^\{"name":("(?:[^"\\]|\\.)*"),"network":"(\w+)"/.exec(text) ?? []
  if (name === undefined || network === undefined) {
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text
    throw new Unplayable(`${place}: expected a test, {"name":…,"network":…, got ${shown}`)
  }
  return { name: JSON.parse(name), network, place, text }
}

function isChosen(name: string, oneOf: number): boolean {
  if (oneOf === 1) return true
  return createHash('sha256').update(name).digest().readUInt32BE() % oneOf === 0 && !isSlow(name)
}
