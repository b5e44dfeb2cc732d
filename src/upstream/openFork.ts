/** Opens a fork: the node, the block, its hardforks, its state, and the cache in front of them. */
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { type CachedUpstream, cachedUpstream, offlineUpstream } from './cachedUpstream.ts'
import { type CachedBlock, type CachedExchange, fileStore } from './cacheFile.ts'
import { type CacheHome, cachePath, findCache, homeHere, userCacheFolder } from './cachePath.ts'
import { connectUpstream, type UpstreamSettings, type UpstreamTarget } from './connectUpstream.ts'
import { hasDisk } from './disk.ts'
import { ForkedNetwork } from './forkedNetwork.ts'
import { ForkNode } from './forkNode.ts'
import { type ForkBlock, type ForkPoint, forkPoint } from './forkPoint.ts'
import { isFixed, isHash } from './forkTags.ts'
import { guardBlock } from './guardBlock.ts'
import { joinProofs } from './joinProofs.ts'
import { Recent } from './recent.ts'
import { remoteStateOf } from './remoteStateOf.ts'
import { scheduleOf } from './scheduleOf.ts'
import { parsedUrl, publicNameOf } from './secrets.ts'
import { forgetShared, type SharedFork, sharedByFile, sharedByNode, unshared } from './sharedForks.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'
import { UpstreamFailed } from './upstreamFailed.ts'

export interface ForkCacheSettings {
  /**
   * Where answers about the fork block and older ones are kept: a file that ends in `.jsonl`, a folder, or `false` for
   * nowhere. By default the user's folder of caches for nodes of other machines, and the memory of this process for
   * those of this machine and for providers: a development chain may begin anew with the same block and another state.
   * `false` also if the state of the network is changed without a new block.
   */
  readonly cache?: string | false
  /** Whether no network is asked: all comes from the cache. */
  readonly isOffline?: boolean
  /**
   * Whether all of the state is fetched with proofs and held against the state root of the fork block, so that wrong
   * answers are found out, and roots above it are exact.
   */
  readonly hasProofs?: boolean
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
  readonly network: ForkedNetwork
  /** The file of the cache, if there is one. */
  readonly cachePath: string | undefined
  /** Returns the hardforks of the chain, for which the node may have to be asked. */
  schedule(): Promise<ForkSchedule>
}

/** Throws if a block of the node with this name is not one to fork from. */
export type Accept = (name: string, point: ForkPoint) => void

/**
 * Opens a fork of the chain of a node at `block`. Rejects with `UpstreamFailed`, or with `WrongCache` for a file that is
 * of another block. Offline it takes the block of the file that `cache` names, or the only one in the folder. `accept` is
 * called with the block before its cache is opened: what it throws, this rejects with.
 */
export async function openFork(
  settings: UpstreamTarget & UpstreamSettings & ForkCacheSettings,
  block?: ForkBlock,
  accept: Accept = () => {},
): Promise<OpenedFork> {
  const folder = cacheOf(settings)
  if (settings.isOffline === true) return openOffline(settings, folder, block, accept)
  const node = connectUpstream(settings)
  const key = `${settings.url} ${block}`
  // Providers have no name by which to know them again.
  const isNamed = folder !== undefined && settings.url !== undefined
  const before = isNamed ? points.find(key) : undefined
  try {
    const begin = recorder(node)
    const point = before ?? (await forkPoint(begin.upstream, block))
    accept(node.name, point)
    if (settings.hasProofs === true) requireVerified(node.name, point)
    const at: CachedBlock = { chainId: point.chainId, number: point.header.number, hash: point.hash }
    const path = folder === undefined ? undefined : cachePath(folder, at)
    const shared = sharedOf(settings, path, at)
    shared.store.keep([...begin.exchanges, ...foundAs(begin.exchanges, at)])
    if (isNamed && isFixed(block)) points.keep(key, point)
    return opened(cachedUpstream(askedAt(node, point, settings), shared.store), point, path, shared, settings)
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
  accept: Accept,
): Promise<OpenedFork> {
  if (folder === undefined)
    throw new TypeError('offline: expected cache, a file or a folder that was recorded, got none')
  const found = findCache(folder, block)
  const shared = sharedFile(found.path, found.block, settings)
  const name = settings.url === undefined ? 'provider' : publicNameOf(settings.url).host
  const right =
    settings.howToRecord ??
    `run once without offline, with the cache ${found.path} and block ${found.block.number}, to record it`
  const upstream = offlineUpstream(name, shared.store, {
    came: 'offline is set, so the network is not asked',
    right,
  })
  // A hash may be a transaction's; a number or a tag is that of the file.
  const point = await forkPoint(upstream, isHash(block) ? block : found.block.hash)
  accept(name, point)
  if (settings.hasProofs === true) requireVerified(name, point)
  return opened(upstream, point, found.path, shared, settings)
}

/** Throws `UpstreamFailed` if the state root is not one that the hash of the block stands for. */
function requireVerified(upstream: string, { hash, isVerified, header }: ForkPoint): void {
  if (isVerified) return
  throw new UpstreamFailed({
    kind: 'wrongProof',
    upstream,
    wrong: `no state root to hold proofs against: the hash of block ${header.number} is not that of its header`,
    came: hash,
    right: 'the members of the header must be those of Ethereum, or do without proofs',
  })
}

/** Returns the node as it is asked about a block: by account if with proofs, and not about another block with its number. */
function askedAt(node: Upstream, point: ForkPoint, { hasProofs = false }: ForkCacheSettings): Upstream {
  const { number } = point.header
  const guarded = point.isFinal ? node : guardBlock(node, { number, hash: point.hash })
  return hasProofs ? joinProofs(guarded, encodeQuantity(number)) : guarded
}

/**
 * Returns the node of `settings` behind its cache, to be asked in the place of another one about `at` and older blocks.
 * Rejects with `UpstreamFailed` if it is of another chain, does not have the block, or does not answer soon.
 */
export async function openNode(
  settings: UpstreamTarget & UpstreamSettings & ForkCacheSettings,
  at: CachedBlock,
): Promise<Upstream> {
  const probe = connectUpstream({ ...settings, ...probing(settings) })
  const { name } = probe
  const refused = (came: string, right: string) => {
    return new UpstreamFailed({
      kind: 'otherNetwork',
      upstream: name,
      wrong: 'another node for the fork',
      came,
      right,
    })
  }
  if (settings.isOffline === true)
    throw refused('offline is set, so no network is asked', 'set offline to false')
  const point = await forkPoint(probe, at.number).finally(() => probe.close())
  const right = `name a node of the chain ${at.chainId} that has block ${at.number} with the hash ${at.hash}`
  if (point.chainId !== at.chainId) throw refused(`it has the chain id ${point.chainId}`, right)
  if (point.hash !== at.hash) throw refused(`its block ${at.number} has the hash ${point.hash}`, right)
  const folder = cacheOf(settings)
  const { store } = sharedOf(settings, folder === undefined ? undefined : cachePath(folder, at), at)
  const node = connectUpstream(settings)
  return cachedUpstream(askedAt(node, point, settings), store)
}

/** The most attempts after the first, and the longest one, by which another node is found out to be there. */
const PROBE = { retries: 1, timeoutMs: 10_000 }

/** Returns the limits of the first requests to another node. Who named it waits for them, and may name it again. */
function probing({
  retries = PROBE.retries,
  timeoutMs = PROBE.timeoutMs,
}: UpstreamSettings): UpstreamSettings {
  return { retries: Math.min(retries, PROBE.retries), timeoutMs: Math.min(timeoutMs, PROBE.timeoutMs) }
}

function sharedOf(
  settings: UpstreamTarget & UpstreamSettings & ForkCacheSettings,
  path: string | undefined,
  at: CachedBlock,
): SharedFork {
  if (path !== undefined) return sharedFile(path, at, settings)
  return settings.cache === false ? unshared() : sharedByNode(settings, at)
}

function sharedFile(path: string, block: CachedBlock, { warn = () => {} }: ForkCacheSettings): SharedFork {
  return sharedByFile(path, block, () => fileStore(path, block, warn))
}

function opened(
  upstream: CachedUpstream,
  point: ForkPoint,
  path: string | undefined,
  shared: SharedFork,
  { hasProofs = false }: ForkCacheSettings,
): OpenedFork {
  const { chainId, hash } = point
  const { number, parentHash, stateRoot } = point.header
  const node = new ForkNode(upstream)
  // The fork block itself is known in a state file, too.
  node.use(
    requestsOf({ chainId, number, hash }).flatMap(
      ({ method, params }) => shared.store.find(method, params) ?? [],
    ),
  )
  const state = remoteStateOf(
    node,
    { chainId, number, hash, parentHash },
    {
      // What was not proven counts as nothing where proofs are asked for.
      shared: hasProofs ? shared.provenValues : shared.values,
      use: (exchanges) => node.use(exchanges),
      provenBy: hasProofs ? stateRoot : undefined,
    },
  )
  return {
    upstream,
    point,
    network: new ForkedNetwork({ node, chainId, block: { number, hash }, state }),
    cachePath: path,
    schedule() {
      shared.schedule ??= scheduleOf(upstream, point).catch((error) => {
        delete shared.schedule
        throw error
      })
      return shared.schedule
    },
  }
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

/** Blocks of forks, by the node's URL and the block: the second fork of a process asks nothing. */
const points = new Recent<ForkPoint>()

/** Forgets what forks of this process share. Those that are open keep it. */
export function forgetForks(): void {
  points.clear()
  forgetShared()
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

/** Returns the exchanges by which the fork block is found without a network. */
function foundAs(exchanges: readonly CachedExchange[], at: CachedBlock): CachedExchange[] {
  const own = exchanges.find(({ result }) => (result as { hash?: unknown } | null)?.hash === at.hash)
  if (own === undefined) return []
  return [
    ...requestsOf(at).map((request) => ({ ...request, result: own.result })),
    { method: 'eth_getTransactionByHash', params: [at.hash], result: null },
  ]
}

/** Returns the requests for a block: by its hash, and by its number. */
function requestsOf({ number, hash }: CachedBlock): Pick<CachedExchange, 'method' | 'params'>[] {
  return [
    { method: 'eth_getBlockByHash', params: [hash, false] },
    { method: 'eth_getBlockByNumber', params: [encodeQuantity(number), false] },
  ]
}
