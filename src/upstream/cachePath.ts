/** Where the caches of forks are. */
import { blockOf, type CachedBlock } from './cacheFile.ts'
import { diskHere } from './disk.ts'
import type { ForkBlock } from './forkPoint.ts'
import { WrongCache } from './wrongCache.ts'

/** The ending of cache files: JSON lines. */
const ENDING = '.jsonl'

/** The environment and the platform, on which the folder of caches depends. */
export interface CacheHome {
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Returns the platform and the environment of this process. */
export function homeHere(): CacheHome {
  return { platform: globalThis.process?.platform ?? 'browser', env: globalThis.process?.env ?? {} }
}

/**
 * Returns the folder of caches of the user: `preseal/forks` in `XDG_CACHE_HOME`, or in the platform's folder of caches;
 * `undefined` if there is none.
 */
export function userCacheFolder({ platform, env }: CacheHome): string | undefined {
  const home = platform === 'win32' ? env.USERPROFILE : env.HOME
  const folders: Record<string, string | undefined> = {
    win32: env.LOCALAPPDATA ?? (home === undefined ? undefined : `${home}\\AppData\\Local`),
    darwin: home === undefined ? undefined : `${home}/Library/Caches`,
  }
  const usual = platform in folders ? folders[platform] : home === undefined ? undefined : `${home}/.cache`
  // The specification wants an absolute path: another one is ignored.
  const named = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : undefined
  const folder = named ?? usual
  return folder === undefined ? undefined : `${folder}/preseal/forks`
}

/** Returns the file of a block's cache: `cache` itself if it ends in `.jsonl`, else a file in that folder. */
export function cachePath(cache: string, { chainId, number, hash }: CachedBlock): string {
  const { resolve } = diskHere('a cache of a fork')
  return cache.endsWith(ENDING)
    ? resolve(cache)
    : resolve(cache, String(chainId), `${number}-${hash}${ENDING}`)
}

/** A cache that was found. */
export interface FoundCache {
  readonly path: string
  readonly block: CachedBlock
}

/**
 * Returns the cache to use without a network: the file that `cache` names, or the only one in that folder that is of
 * `block`. Throws `WrongCache` if there is none, or more than one.
 */
export function findCache(cache: string, block: ForkBlock | undefined): FoundCache {
  const disk = diskHere('a cache of a fork')
  const isFile = cache.endsWith(ENDING)
  const names = isFile ? [''] : disk.list(cache).filter((name) => name.endsWith(ENDING))
  const found = names.flatMap((name): FoundCache[] => {
    const path = name === '' ? disk.resolve(cache) : disk.resolve(cache, name)
    const text = disk.read(path)
    return text === undefined || text === '' ? [] : [{ path, block: blockOf(path, text) }]
  })
  const fitting = found.filter((one) => isOf(one.block, block))
  if (fitting.length === 1) return fitting[0]!
  const wanted = block === undefined ? 'a block' : `block ${block}`
  const there = found.map((one) => `block ${one.block.number} of chain ${one.block.chainId}`).join(', ')
  const came =
    fitting.length > 1 ? `there are ${fitting.length}` : there === '' ? 'there is none' : `there is ${there}`
  throw new WrongCache(
    `offline: expected a cache of ${wanted} in ${disk.resolve(cache)}, ${came}; run once without offline, with this cache and the number of the block, to record it`,
  )
}

/** Whether a cache is of `block`. Of a tag, and of a transaction, it cannot be told without the network. */
function isOf(cached: CachedBlock, block: ForkBlock | undefined): boolean {
  if (typeof block === 'bigint') return cached.number === block
  return true
}
