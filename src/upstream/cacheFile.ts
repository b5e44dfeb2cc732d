/**
 * A file with what a node answered about one block of one chain and those before it: JSON lines, the first of which
 * names the block, each other an exchange.
 *
 * Lines are only appended, those of one fetch by one write to a file that is open for appending: POSIX puts such writes
 * one after the other, and Windows does so on local disks. So any number of processes may write at once. Each sees what
 * the others wrote when it opens the file; until then it fetches for itself, and the same exchange twice does no harm.
 */

import type { Hash } from '../bytes/hex.ts'
import { encodeQuantity, parseHash, parseQuantity } from '../wire/hex.ts'
import { InvalidValue } from '../wire/parser.ts'
import { type Disk, diskHere } from './disk.ts'
import { WrongCache } from './wrongCache.ts'

/** The block that a cache is of. */
export interface CachedBlock {
  readonly chainId: bigint
  readonly number: bigint
  readonly hash: Hash
}

/** A request and its result. */
export interface CachedExchange {
  readonly method: string
  readonly params: readonly unknown[]
  readonly result: unknown
}

/** Results of requests, by method and parameters. */
export interface ExchangeStore {
  /** Returns the exchange; `undefined` if it was not kept. */
  find(method: string, params: readonly unknown[]): CachedExchange | undefined
  /** Keeps exchanges that were not kept before. */
  keep(exchanges: readonly CachedExchange[]): void
  /** Whether what is kept is there in the next run. */
  readonly isOnDisk: boolean
}

const VERSION = 1

/** Returns a store that is in memory only. */
export function memoryStore(exchanges: readonly CachedExchange[] = []): ExchangeStore {
  const known = new Map(exchanges.map((exchange) => [keyOf(exchange.method, exchange.params), exchange]))
  return {
    isOnDisk: false,
    find: (method, params) => known.get(keyOf(method, params)),
    keep(more) {
      for (const exchange of more) known.set(keyOf(exchange.method, exchange.params), exchange)
    },
  }
}

/**
 * Returns the store of the file at `path`, which is made when something is first kept. Throws `WrongCache` if the file
 * is of another block. `warn` is called with what was wrong if lines were dropped, or if nothing can be written; then
 * all goes on in memory.
 */
export function fileStore(path: string, block: CachedBlock, warn: (message: string) => void): ExchangeStore {
  const disk = diskHere('a cache of a fork')
  const text = disk.read(path)
  if (text !== undefined) checkBlock(path, text, block)
  const memory = memoryStore(text === undefined ? [] : exchangesIn(path, text, warn))
  let isWritable = true
  return {
    get isOnDisk() {
      return isWritable
    },
    find: memory.find,
    keep(exchanges) {
      const fresh = exchanges.filter(({ method, params }) => memory.find(method, params) === undefined)
      if (fresh.length === 0) return
      memory.keep(fresh)
      if (!isWritable) return
      const lines = fresh.map(({ method, params, result }) => JSON.stringify({ method, params, result }))
      const problem = append(disk, path, block, lines)
      if (problem === undefined) return
      isWritable = false
      warn(`the cache ${path} cannot be written (${problem}); what is fetched is kept in memory only`)
    },
  }
}

/** Appends lines by one write. Returns the code of the error, if there was one. */
function append(disk: Disk, path: string, block: CachedBlock, lines: readonly string[]): string | undefined {
  return disk.append(path, ({ isEmpty, endsWithLine }) => {
    // Two processes may both find an empty file: then the line that names the block is there twice.
    const first = isEmpty ? `${headerOf(block)}\n` : endsWithLine ? '' : '\n'
    return `${first}${lines.join('\n')}\n`
  })
}

/** Returns the block that a cache is of. Throws `WrongCache` if the text is none. */
export function blockOf(path: string, text: string): CachedBlock {
  const end = text.indexOf('\n')
  const line = end === -1 ? text : text.slice(0, end)
  try {
    const { preseal, version, chainId, number, hash } = JSON.parse(line) as Record<string, unknown>
    if (preseal !== 'fork cache') throw new InvalidValue('preseal', '"fork cache"', preseal)
    if (version !== VERSION) throw new InvalidValue('version', String(VERSION), version)
    return {
      chainId: parseQuantity(chainId, 'chainId'),
      number: parseQuantity(number, 'number'),
      hash: parseHash(hash, 'hash'),
    }
  } catch (error) {
    const came = error instanceof InvalidValue ? error.message : 'the first line is no JSON object'
    throw new WrongCache(`${path} is no cache of a fork: ${came}; name another file, or remove this one`)
  }
}

function headerOf({ chainId, number, hash }: CachedBlock): string {
  return JSON.stringify({
    preseal: 'fork cache',
    version: VERSION,
    chainId: encodeQuantity(chainId),
    number: encodeQuantity(number),
    hash,
  })
}

function checkBlock(path: string, text: string, block: CachedBlock): void {
  if (text === '') return
  const found = blockOf(path, text)
  if (found.chainId === block.chainId && found.hash === block.hash) return
  const isReorganised = found.chainId === block.chainId && found.number === block.number
  const why = isReorganised ? '; that block was reorganised away' : ''
  throw new WrongCache(
    `${path} is a cache of ${shown(found)}, and the fork is of ${shown(block)}${why}; name another file, or fork from that block`,
  )
}

function shown({ chainId, number, hash }: CachedBlock): string {
  return `block ${number} (${hash}) of chain ${chainId}`
}

/** Returns the exchanges of all lines. Lines that are not whole are dropped: their writer was ended in the middle. */
function exchangesIn(path: string, text: string, warn: (message: string) => void): CachedExchange[] {
  let dropped = 0
  const exchanges = text.split('\n').flatMap((line): CachedExchange[] => {
    if (line === '') return []
    const parsed = parsedLine(line)
    if (parsed === undefined) dropped++
    return parsed?.method === undefined ? [] : [parsed as CachedExchange]
  })
  if (dropped > 0) {
    const lines = dropped === 1 ? 'a line that is not whole was' : `${dropped} lines that are not whole were`
    warn(`${path}: ${lines} dropped; what it was about is fetched again`)
  }
  return exchanges
}

function parsedLine(line: string): Partial<CachedExchange> | undefined {
  try {
    const parsed = JSON.parse(line) as (Partial<CachedExchange> & { preseal?: unknown }) | null
    const isExchange =
      typeof parsed?.method === 'string' && Array.isArray(parsed.params) && 'result' in parsed
    return isExchange || parsed?.preseal !== undefined ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Returns a text that is the same for the same request. */
export function keyOf(method: string, params: readonly unknown[]): string {
  return JSON.stringify([method, params])
}
