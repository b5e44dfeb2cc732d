import { blockOf, type CachedBlock } from './cacheFile.ts'
import { diskHere, hasDisk } from './disk.ts'
import type { ForkBlock } from './forkPoint.ts'
import { parsedUrl } from './secrets.ts'
import { WrongCache } from './upstream.ts'

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

export function findCache(cache: string, block: ForkBlock | undefined) {
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
