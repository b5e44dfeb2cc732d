/** The folder `tests/` of ethereum/execution-apis: a chain, and files with requests about it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Unplayable } from '../commandLine.ts'
import { type IoFile, parseIoFile, parseJson } from './ioFile.ts'

export interface Suite {
  readonly genesis: object
  /** The blocks after it, each in RLP, one after the other. */
  readonly chain: Uint8Array
  /** The expected hash of each of these tags. */
  readonly heads: Readonly<Record<'latest' | 'safe' | 'finalized', string>>
  readonly files: readonly IoFile[]
}

/** Reads the folder, and the files that `only` names, by method or by method and file. Empty: all. */
export function readSuite(folder: string, only: readonly string[] = []): Suite {
  const chain = required(folder, 'chain.rlp')
  const genesis = json(folder, 'genesis.json')
  const heads = headsOf(folder)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.io'))
    .sort()
    .map((file) => file.replaceAll('\\', '/').slice(0, -'.io'.length))
    .filter((name) => isWanted(name, only))
    .map((name) => parseIoFile(name, readFileSync(join(folder, `${name}.io`), 'utf8')))
  if (files.length === 0) {
    const what = only.length === 0 ? '<method>/<file>.io' : only.join(' or ')
    throw new Unplayable(`expected files ${what} in ${folder}, found none`)
  }
  return { genesis, chain, heads, files }
}

/** The forkchoice update that hive sends first (`engine_forkchoiceUpdated`). */
function headsOf(folder: string): Suite['heads'] {
  const update = json(folder, 'headfcu.json') as { params?: [Record<string, string>] }
  const { headBlockHash, safeBlockHash, finalizedBlockHash } = update.params?.[0] ?? {}
  if (headBlockHash === undefined || safeBlockHash === undefined || finalizedBlockHash === undefined) {
    throw new Unplayable('headfcu.json: expected headBlockHash, safeBlockHash and finalizedBlockHash')
  }
  return { latest: headBlockHash, safe: safeBlockHash, finalized: finalizedBlockHash }
}

function json(folder: string, file: string): object {
  const text = new TextDecoder().decode(required(folder, file))
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null) return value
  throw new Unplayable(`${file}: expected a JSON object, got ${text.slice(0, 80)}`)
}

function required(folder: string, file: string): Uint8Array {
  try {
    return readFileSync(join(folder, file))
  } catch (cause) {
    throw new Unplayable(
      `expected the tests/ folder of ethereum/execution-apis with chain.rlp, genesis.json and headfcu.json, but ${folder} has no ${file}`,
      { cause },
    )
  }
}

function isWanted(name: string, only: readonly string[]): boolean {
  const wanted = only.map((one) => one.replace(/\.io$/, ''))
  return wanted.length === 0 || wanted.some((one) => name === one || name.startsWith(`${one}/`))
}
