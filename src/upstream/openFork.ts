/** Opens a fork: the node, the block, its hardforks, its state, and the cache in front of them. */
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import type { RemoteState } from '../state/remoteState.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { type CachedUpstream, cachedUpstream, offlineUpstream } from './cachedUpstream.ts'
import {
  type CachedBlock,
  type CachedExchange,
  type ExchangeStore,
  fileStore,
  memoryStore,
} from './cacheFile.ts'
import { type CacheHome, cachePath, findCache, homeHere, userCacheFolder } from './cachePath.ts'
import { connectUpstream, type UpstreamSettings, type UpstreamTarget } from './connectUpstream.ts'
import { hasDisk } from './disk.ts'
import { type ForkBlock, type ForkPoint, forkPoint } from './forkPoint.ts'
import { guardBlock } from './guardBlock.ts'
import { Recent } from './recent.ts'
import { forgetSharedValues, remoteStateOf } from './remoteStateOf.ts'
import { scheduleOf } from './scheduleOf.ts'
import { parsedUrl, publicNameOf } from './secrets.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'

export interface ForkCacheSettings {
  /**
   * Where answers about the fork block and older ones are kept: a file that ends in `.jsonl`, a folder, or `false` for
   * nowhere. By default the user's folder of caches for nodes of other machines, and nowhere for those of this machine
   * and for providers: a development chain can change its state without a new block, and begin anew with the same one.
   */
  readonly cache?: string | false
  /** Whether no network is asked: all comes from the cache. */
  readonly isOffline?: boolean
  /** What to do if something was not recorded, such as the command that records it. */
  readonly howToRecord?: string
  /** Called with what a person should know: dropped lines of the cache, or that it cannot be written. */
  readonly warn?: (message: string) => void
  /** The environment and the platform, for the folder of caches; those of this process by default. */
  readonly home?: CacheHome
}

/** A fork that is open. */
export interface OpenedFork {
  /** The node behind its cache. */
  readonly upstream: CachedUpstream
  readonly point: ForkPoint
  readonly schedule: ForkSchedule
  /** The state after the fork block. */
  readonly state: RemoteState
  /** The file of the cache, if there is one. */
  readonly cachePath: string | undefined
}

/**
 * Opens a fork of the chain of a node at `block`. Rejects with `UpstreamFailed`, or with `WrongCache` for a file that is
 * of another block. Offline it takes the block of the file that `cache` names, or the only one in the folder.
 */
export async function openFork(
  settings: UpstreamTarget & UpstreamSettings & ForkCacheSettings,
  block?: ForkBlock,
): Promise<OpenedFork> {
  const folder = cacheOf(settings)
  if (settings.isOffline === true) return openOffline(settings, folder, block)
  const node = connectUpstream(settings)
  const key = `${settings.url} ${block}`
  // Providers have no name by which to know them again.
  const isNamed = folder !== undefined && settings.url !== undefined
  const before = isNamed ? beginnings.find(key) : undefined
  try {
    const begin = recorder(node)
    const point = before?.point ?? (await forkPoint(begin.upstream, block))
    const at: CachedBlock = { chainId: point.chainId, number: point.header.number, hash: point.hash }
    const path = folder === undefined ? undefined : cachePath(folder, at)
    const store = path === undefined ? memoryStore() : sharedStore(path, at, settings.warn ?? (() => {}))
    store.keep([...begin.exchanges, ...foundAs(begin.exchanges, at)])
    const guarded = point.isFinal ? node : guardBlock(node, at)
    const fork = await opened(cachedUpstream(guarded, store), point, at, path, before?.schedule)
    // A tag means another block later.
    const isFixed = typeof block === 'bigint' || block?.startsWith('0x')
    if (isNamed && isFixed) beginnings.keep(key, { point, schedule: fork.schedule })
    return fork
  } catch (error) {
    node.close()
    throw error
  }
}

/** Opens a fork from what was recorded. */
async function openOffline(
  settings: UpstreamTarget & ForkCacheSettings,
  folder: string | undefined,
  block: ForkBlock | undefined,
): Promise<OpenedFork> {
  if (folder === undefined)
    throw new TypeError('offline: expected cache, a file or a folder that was recorded, got none')
  const found = findCache(folder, block)
  const store = sharedStore(found.path, found.block, settings.warn ?? (() => {}))
  const name = settings.url === undefined ? 'provider' : publicNameOf(settings.url).host
  const right =
    settings.howToRecord ??
    `run once without offline, with the cache ${found.path} and block ${found.block.number}, to record it`
  const upstream = offlineUpstream(name, store, right)
  // A hash may be a transaction's; a number or a tag is that of the file.
  const isHash = typeof block === 'string' && block.startsWith('0x')
  const point = await forkPoint(upstream, isHash ? block : found.block.hash)
  return opened(upstream, point, found.block, found.path)
}

async function opened(
  upstream: CachedUpstream,
  point: ForkPoint,
  at: CachedBlock,
  path: string | undefined,
  known?: ForkSchedule,
): Promise<OpenedFork> {
  const schedule = known ?? (await scheduleOf(upstream, point))
  const state = remoteStateOf(
    upstream,
    { ...at, parentHash: point.header.parentHash },
    { isShared: path !== undefined },
  )
  return { upstream, point, schedule, state, cachePath: path }
}

/** Returns where the cache is: a file or a folder; `undefined` for nowhere. */
function cacheOf({ cache, url, home }: UpstreamTarget & ForkCacheSettings): string | undefined {
  if (cache === false) return undefined
  if (cache !== undefined) return cache
  return url === undefined || isOfThisMachine(url) || !hasDisk()
    ? undefined
    : userCacheFolder(home ?? homeHere())
}

/** Returns whether a URL is of this machine. Foundry's `rpc_storage_caching` leaves these out by default as well. */
function isOfThisMachine(url: string): boolean {
  const { hostname } = parsedUrl(url)
  return /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname)
}

/** What this process has read of files, by their paths: devnets and tests that use one file share it. */
const stores = new Recent<ExchangeStore>()
/** Blocks and hardforks of forks, by the node's URL and the block: the second fork of a process asks nothing. */
const beginnings = new Recent<{ readonly point: ForkPoint; readonly schedule: ForkSchedule }>()

function sharedStore(path: string, block: CachedBlock, warn: (message: string) => void): ExchangeStore {
  const key = `${path} ${block.chainId} ${block.hash}`
  return stores.find(key) ?? stores.keep(key, fileStore(path, block, warn))
}

/** Forgets what forks of this process share. Those that are open keep it. */
export function forgetForks(): void {
  stores.clear()
  beginnings.clear()
  forgetSharedValues()
}

/** Returns an upstream that keeps what was asked and answered, to be put into a cache that is not open yet. */
function recorder(node: Upstream): { readonly upstream: Upstream; readonly exchanges: CachedExchange[] } {
  const exchanges: CachedExchange[] = []
  const upstream: Upstream = {
    name: node.name,
    async send(requests) {
      const answers = await node.send(requests)
      exchanges.push(
        ...requests.flatMap((request, index) =>
          OF_BEGINNINGS.has(request.method) ? resultIn(request, answers[index]!) : [],
        ),
      )
      return answers
    },
    close: () => node.close(),
  }
  return { upstream, exchanges }
}

/** Returns the result of a request, also null: that a hash is no transaction's is known without a network, too. */
function resultIn({ method, params }: UpstreamRequest, answer: UpstreamAnswer): CachedExchange[] {
  return 'error' in answer ? [] : [{ method, params, result: answer.result }]
}

/** The requests by which a fork begins. */
const OF_BEGINNINGS = new Set([
  'eth_chainId',
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getTransactionByHash',
])

/** Returns the exchanges by which the fork block is found without a network: by its hash, and by its number. */
function foundAs(exchanges: readonly CachedExchange[], { number, hash }: CachedBlock): CachedExchange[] {
  const own = exchanges.find(({ result }) => (result as { hash?: unknown } | null)?.hash === hash)
  if (own === undefined) return []
  return [
    { method: 'eth_getBlockByHash', params: [hash, false], result: own.result },
    { method: 'eth_getBlockByNumber', params: [encodeQuantity(number), false], result: own.result },
    { method: 'eth_getTransactionByHash', params: [hash], result: null },
  ]
}
