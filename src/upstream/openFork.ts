import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import { encodeQuantity } from '../wire/hex.ts'
import type { CachedBlock, CachedExchange } from './cacheFile.ts'
import { type CacheHome, cacheOf, cachePath, findCache } from './cacheFile.ts'
import { connectUpstream, type UpstreamSettings, type UpstreamTarget } from './connection.ts'
import { remoteStateOf } from './fetchedState.ts'
import { ForkedNetwork, isFixed, isHash } from './forkedNetwork.ts'
import { type CachedUpstream, cachedUpstream, ForkNode } from './forkNode.ts'
import { type ForkBlock, type ForkPoint, forkPoint, guardBlock } from './forkPoint.ts'
import { offlineUpstream } from './offlineNodes.ts'
import { joinProofs } from './proofRequests.ts'
import { scheduleOf } from './schedule.ts'
import { publicNameOf } from './secrets.ts'
import { knownPoints, nameOfNode, type SharedFork, sharedFork } from './sharedForks.ts'
import { type Upstream, UpstreamFailed } from './upstream.ts'

interface ForkCacheSettings {
  /**
   * The store of answers about the fork block and its ancestors: a file that ends in `.jsonl`, a folder, or `false`
   * for no cache. By default, the user's cache folder for remote nodes, and memory for local nodes and providers,
   * because a restarted development chain may have the same block with different state.
   */
  readonly cache?: string | false
  readonly isOffline?: boolean
  /** Whether all state is verified with proofs against the state root. State roots of later blocks are then exact. */
  readonly hasProofs?: boolean
  /** Advice for the error message if the cache lacks an answer, such as the command that records the answer. */
  readonly howToRecord?: string
  /** Called with a warning if lines of the cache were dropped or the cache cannot be written. */
  readonly warn?: (message: string) => void
  /** The platform and environment variables, which determine the cache folder. By default, those of this process. */
  readonly home?: CacheHome
}

type AllSettings = UpstreamTarget & UpstreamSettings & ForkCacheSettings

export interface OpenedFork {
  readonly upstream: CachedUpstream
  readonly point: ForkPoint
  readonly network: ForkedNetwork
  readonly cachePath: string | undefined
  schedule(): Promise<ForkSchedule>
}

/** Throws if a fork of the chain at this point is not allowed. `name` is the host of the node. */
export type Accept = (name: string, point: ForkPoint) => void

/**
 * Opens a fork of the node's chain at `block`, or offline at the block of the cache. Calls `accept` before the cache is
 * opened. Rejects with `UpstreamFailed`, with `WrongCache`, or with the error that `accept` throws.
 */
export async function openFork(
  settings: AllSettings,
  block?: ForkBlock,
  accept: Accept = () => {},
): Promise<OpenedFork> {
  const folder = cacheOf(settings)
  if (settings.isOffline === true) return openOffline(settings, folder, block, accept)
  const node = connectUpstream(settings)
  const key = `${nameOfNode(settings)} ${block}`
  // Fork points are remembered only for forks by URL that have a cache on disk.
  const isNamed = folder !== undefined && settings.url !== undefined
  const before = isNamed ? knownPoints.get(key) : undefined
  try {
    const exchanges: CachedExchange[] = []
    const point = before ?? (await forkPoint(recorded(node, exchanges), block))
    accept(node.name, point)
    requireVerified(node.name, point, settings)
    const at: CachedBlock = { chainId: point.chainId, number: point.header.number, hash: point.hash }
    const path = folder === undefined ? undefined : cachePath(folder, at)
    const shared = sharedFork(settings, path, at)
    shared.store.keep([...exchanges, ...blockExchanges(exchanges, at)])
    if (isNamed && isFixed(block)) knownPoints.set(key, point)
    return opened(
      cachedUpstream(guardedUpstream(node, point, settings), shared.store),
      point,
      path,
      shared,
      settings,
    )
  } catch (error) {
    node.close()
    throw error
  }
}

async function openOffline(
  settings: UpstreamTarget & ForkCacheSettings,
  folder: string | undefined,
  block: ForkBlock | undefined,
  accept: Accept,
): Promise<OpenedFork> {
  if (folder === undefined)
    throw new TypeError('offline: expected the option cache, a recorded file or folder, got none')
  const found = findCache(folder, block)
  const shared = sharedFork(settings, found.path, found.block)
  const name = settings.url === undefined ? 'provider' : publicNameOf(settings.url).host
  const right =
    settings.howToRecord ??
    `run once without offline, with the cache ${found.path} and block ${found.block.number}, to record it`
  const came = 'offline is set, so no request is sent'
  const upstream = offlineUpstream(name, shared.store, { came, right })
  // A hash may be the hash of a transaction. For a number or a tag, the fork block is the block of the cache.
  const point = await forkPoint(upstream, isHash(block) ? block : found.block.hash)
  accept(name, point)
  requireVerified(name, point, settings)
  return opened(upstream, point, found.path, shared, settings)
}

/** Throws `UpstreamFailed` if proofs are required and the block hash could not be verified. */
function requireVerified(
  upstream: string,
  { hash, isVerified, header }: ForkPoint,
  { hasProofs }: ForkCacheSettings,
): void {
  if (hasProofs !== true || isVerified) return
  throw new UpstreamFailed({
    kind: 'wrongProof',
    upstream,
    wrong: `no trusted state root for proofs: the hash of block ${header.number} does not match its header`,
    came: hash,
    right: 'the header must have the fields of an Ethereum header; otherwise disable proofs',
  })
}

function guardedUpstream(
  node: Upstream,
  point: ForkPoint,
  { hasProofs = false }: ForkCacheSettings,
): Upstream {
  const { number } = point.header
  const guarded = point.isFinal ? node : guardBlock(node, { number, hash: point.hash })
  return hasProofs ? joinProofs(guarded, encodeQuantity(number)) : guarded
}

/**
 * Returns the node of `settings` with its cache, for a fork at the block `at`. Rejects with `UpstreamFailed` if the
 * node has a different chain id, does not have the block, or does not answer two attempts of at most 10 seconds each.
 */
export async function openNode(settings: AllSettings, at: CachedBlock): Promise<Upstream> {
  const { retries = 1, timeoutMs = 10_000 } = settings
  // Two attempts with a short timeout are enough: the caller waits for these requests and can repeat the call.
  const limits = { retries: Math.min(retries, 1), timeoutMs: Math.min(timeoutMs, 10_000) }
  const probe = connectUpstream({ ...settings, ...limits })
  const { name } = probe
  const refused = (came: string, right: string) => {
    const wrong = 'another node for the fork'
    return new UpstreamFailed({ kind: 'otherNetwork', upstream: name, wrong, came, right })
  }
  if (settings.isOffline === true)
    throw refused('offline is set, so no request is sent', 'set offline to false')
  const point = await forkPoint(probe, at.number).finally(() => probe.close())
  const right = `name a node of the chain ${at.chainId} that has block ${at.number} with the hash ${at.hash}`
  if (point.chainId !== at.chainId) throw refused(`it has the chain id ${point.chainId}`, right)
  if (point.hash !== at.hash) throw refused(`its block ${at.number} has the hash ${point.hash}`, right)
  const folder = cacheOf(settings)
  const { store } = sharedFork(settings, folder === undefined ? undefined : cachePath(folder, at), at)
  const node = connectUpstream(settings)
  return cachedUpstream(guardedUpstream(node, point, settings), store)
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
  // A state file must also contain the requests for the fork block, with their responses.
  const own = blockRequests({ chainId, number, hash })
  node.use(own.flatMap(({ method, params }) => shared.store.find(method, params) ?? []))
  const state = remoteStateOf(
    node,
    { number, hash, parentHash },
    {
      // A fork with proofs must not use values that were fetched without proofs.
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

const FORK_POINT_METHODS = new Set([
  'eth_chainId',
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getTransactionByHash',
])

/** Returns an upstream that also adds the results of `node` to `exchanges`, because the cache is not open yet. */
function recorded(node: Upstream, exchanges: CachedExchange[]): Upstream {
  return {
    name: node.name,
    async send(requests) {
      const answers = await node.send(requests)
      for (const [index, { method, params }] of requests.entries()) {
        const answer = answers[index]!
        // Null results are also stored. Offline, a null result shows that a hash is not the hash of a transaction.
        if (FORK_POINT_METHODS.has(method) && 'result' in answer) {
          exchanges.push({ method, params, result: answer.result })
        }
      }
      return answers
    },
    close: () => node.close(),
  }
}

function blockExchanges(exchanges: readonly CachedExchange[], at: CachedBlock): CachedExchange[] {
  const own = exchanges.find(({ result }) => (result as { hash?: unknown } | null)?.hash === at.hash)
  if (own === undefined) return []
  return [
    ...blockRequests(at).map((request) => ({ ...request, result: own.result })),
    { method: 'eth_getTransactionByHash', params: [at.hash], result: null },
  ]
}

function blockRequests({ number, hash }: CachedBlock): Pick<CachedExchange, 'method' | 'params'>[] {
  return [
    { method: 'eth_getBlockByHash', params: [hash, false] },
    { method: 'eth_getBlockByNumber', params: [encodeQuantity(number), false] },
  ]
}
