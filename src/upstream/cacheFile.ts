/**
 * The cache of a fork: answers about one block and its ancestors, in a file of JSON lines. The first line names the
 * block, each other line is one exchange. A process reads the file once, and appends all lines of a fetch in one write,
 * which is atomic on POSIX systems and on local disks of Windows, so several processes may share the file.
 */

import type { Hash } from '../bytes/hex.ts'
import { jsonIn } from '../model/api/text.ts'
import { encodeQuantity, parseHash, parseQuantity } from '../wire/hex.ts'
import { InvalidValue } from '../wire/parser.ts'
import { diskHere, hasDisk } from './disk.ts'
import { parsedUrl } from './secrets.ts'
import { type UpstreamAnswer, type UpstreamRequest, WrongCache } from './upstream.ts'

export interface CachedBlock {
  readonly chainId: bigint
  readonly number: bigint
  readonly hash: Hash
}

export interface CachedExchange {
  readonly method: string
  readonly params: readonly unknown[]
  readonly result: unknown
}

export interface ExchangeStore {
  find(method: string, params: readonly unknown[]): CachedExchange | undefined
  keep(exchanges: readonly CachedExchange[]): void
  readonly isOnDisk: boolean
}

const VERSION = 1

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
 * Returns the store that uses the file at `path`. Throws `WrongCache` if the file is about another block. Calls `warn`
 * if lines were dropped, or if the file cannot be written and new exchanges stay only in memory.
 */
export function fileStore(path: string, block: CachedBlock, warn: (message: string) => void): ExchangeStore {
  const disk = diskHere()
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
      const problem = disk.append(path, ({ isEmpty, endsWithLine }) => {
        // If two processes find the file empty, both write the header. Readers skip the second header.
        const first = isEmpty ? `${headerOf(block)}\n` : endsWithLine ? '' : '\n'
        return `${first}${lines.join('\n')}\n`
      })
      if (problem === undefined) return
      isWritable = false
      warn(`the cache ${path} cannot be written (${problem}); fetched values are kept only in memory`)
    },
  }
}

/** Returns the block that the first line of a cache names. Throws `WrongCache` if this line is not a valid header. */
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
    const came = error instanceof InvalidValue ? error.message : 'the first line is not a JSON object'
    throw new WrongCache(
      `${path} is not a cache of a fork: ${came}; choose another file, or remove this file`,
    )
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

/** Returns the exchanges of all lines. Drops lines that a killed process wrote incompletely. */
function exchangesIn(path: string, text: string, warn: (message: string) => void): CachedExchange[] {
  let dropped = 0
  const exchanges = text.split('\n').flatMap((line): CachedExchange[] => {
    if (line === '') return []
    const parsed = parsedLine(line)
    if (parsed === undefined) dropped++
    return parsed?.method === undefined ? [] : [parsed as CachedExchange]
  })
  if (dropped > 0) {
    const lines = dropped === 1 ? 'a truncated line was' : `${dropped} truncated lines were`
    warn(`${path}: ${lines} dropped; the missing answers are fetched again`)
  }
  return exchanges
}

function parsedLine(line: string): Partial<CachedExchange> | undefined {
  const parsed = jsonIn(line) as (Partial<CachedExchange> & { preseal?: unknown }) | null | undefined
  const isExchange = typeof parsed?.method === 'string' && Array.isArray(parsed.params) && 'result' in parsed
  return parsed != null && (isExchange || parsed.preseal !== undefined) ? parsed : undefined
}

export function keyOf(method: string, params: readonly unknown[]): string {
  return JSON.stringify([method, params])
}

/** Returns the exchange in a list; an empty list if the answer may change, or is an error, malformed or null. */
export function exchangeOf(request: UpstreamRequest, answer: UpstreamAnswer): CachedExchange[] {
  if (request.isImmutable !== true || 'error' in answer || answer.result === null) return []
  const { method, params } = request
  if (FORMS[method]?.(answer.result, params) === false) return []
  return [{ method, params, result: answer.result }]
}

const isHex = (result: unknown) => typeof result === 'string' && /^0x[0-9a-fA-F]*$/.test(result)
const hasMember = (name: string, expected: unknown) => (result: unknown) =>
  (result as Record<string, unknown>)[name] === expected

/** Checks of results, keyed by method, before they are stored. Results of other methods are stored unchecked. */
const FORMS: Readonly<Record<string, (result: unknown, params: readonly unknown[]) => boolean>> = {
  eth_getBalance: isHex,
  eth_getTransactionCount: isHex,
  eth_getCode: isHex,
  eth_getStorageAt: isHex,
  eth_call: isHex,
  eth_getBlockByNumber: (result, [number]) => hasMember('number', number)(result),
  eth_getBlockByHash: (result, [hash]) => hasMember('hash', hash)(result),
  eth_getTransactionByHash: (result, [hash]) => hasMember('hash', hash)(result),
  eth_getTransactionReceipt: (result, [hash]) => hasMember('transactionHash', hash)(result),
  eth_getLogs: Array.isArray,
  eth_getBlockReceipts: Array.isArray,
}

const ENDING = '.jsonl'

export interface CacheHome {
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Returns the file or folder of the option `cache`, or the default; `undefined` if there is no cache on disk. */
export function cacheOf({
  cache,
  url,
  home = { platform: globalThis.process?.platform ?? 'browser', env: globalThis.process?.env ?? {} },
}: {
  readonly cache?: string | false
  readonly url?: string | undefined
  readonly home?: CacheHome
}): string | undefined {
  if (cache === false) return undefined
  if (cache !== undefined) return cache
  return url === undefined || isOfThisMachine(url) || !hasDisk() ? undefined : userCacheFolder(home)
}

/** Returns whether a URL is local. By default, answers of local nodes are not cached on disk, as in Foundry. */
function isOfThisMachine(url: string): boolean {
  const { hostname } = parsedUrl(url)
  return /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname)
}

/** Returns `preseal/forks` in `XDG_CACHE_HOME` or in the platform's cache folder; `undefined` if neither is known. */
export function userCacheFolder({ platform, env }: CacheHome): string | undefined {
  const home = platform === 'win32' ? env.USERPROFILE : env.HOME
  const folders: Record<string, string | undefined> = {
    win32: env.LOCALAPPDATA ?? (home === undefined ? undefined : `${home}\\AppData\\Local`),
    darwin: home === undefined ? undefined : `${home}/Library/Caches`,
  }
  const usual = platform in folders ? folders[platform] : home === undefined ? undefined : `${home}/.cache`
  // Relative paths are ignored, as the XDG specification requires.
  const named = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : undefined
  const folder = named ?? usual
  return folder === undefined ? undefined : `${folder}/preseal/forks`
}

export function cachePath(cache: string, { chainId, number, hash }: CachedBlock): string {
  const { resolve } = diskHere()
  return cache.endsWith(ENDING)
    ? resolve(cache)
    : resolve(cache, String(chainId), `${number}-${hash}${ENDING}`)
}

export function findCache(cache: string, block: bigint | string | undefined) {
  const disk = diskHere()
  const isFile = cache.endsWith(ENDING)
  const names = isFile ? [''] : disk.list(cache).filter((name) => name.endsWith(ENDING))
  const found = names.flatMap((name) => {
    const path = name === '' ? disk.resolve(cache) : disk.resolve(cache, name)
    const text = disk.read(path)
    return text === undefined || text === '' ? [] : [{ path, block: blockOf(path, text) }]
  })
  // A tag or a hash cannot be resolved offline, so any cache fits.
  const fitting = found.filter((one) => typeof block !== 'bigint' || one.block.number === block)
  if (fitting.length === 1) return fitting[0]!
  const wanted = block === undefined ? 'a block' : `block ${block}`
  const there = found.map((one) => `block ${one.block.number} of chain ${one.block.chainId}`).join(', ')
  const came =
    fitting.length > 1 ? `there are ${fitting.length}` : there === '' ? 'there is none' : `there is ${there}`
  throw new WrongCache(
    `offline: expected a cache of ${wanted} in ${disk.resolve(cache)}, ${came}; run once without offline, with this cache and the number of the block, to record it`,
  )
}
