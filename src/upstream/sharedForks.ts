/** Cached answers and fetched values that forks of the same block share in this process. */
import { LruCache } from '../model/collections/lruCache.ts'
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import { type CachedBlock, type ExchangeStore, fileStore, memoryStore } from './cacheFile.ts'
import type { UpstreamTarget } from './connection.ts'
import type { ForkPoint } from './forkPoint.ts'
import type { Fetched } from './stateRequests.ts'

/** The values and running fetches that the states of one block share in this process. */
export class SharedValues {
  /** By the name of the value. */
  readonly fetched = new Map<string, Fetched>()
  /** Resolves when the fetch of a value has ended, successfully or not. */
  readonly running = new Map<string, Promise<void>>()
  readonly calls = new Set<string>()
}

export interface SharedFork {
  readonly store: ExchangeStore
  readonly values: SharedValues
  /** The values that were fetched with proofs. */
  readonly provenValues: SharedValues
  /** The hardforks, once they were requested. */
  schedule?: Promise<ForkSchedule>
}

/** The number of blocks that are remembered. */
const MOST = 8

/** By the cache file, or the node; and the block. */
const forks = new LruCache<string, SharedFork>(MOST)
/** Fork blocks by the URL and the option: a second fork of this process requests nothing. */
export const knownPoints = new LruCache<string, ForkPoint>(MOST)
/** Names of providers for the keys of `forks`. */
const providers = new WeakMap<object, string>()
let lastProvider = 0

interface SharedSettings {
  readonly headers?: Readonly<Record<string, string>>
  readonly cache?: string | false
  readonly warn?: (message: string) => void
}

/**
 * Returns the shared parts of forks of `block` with this cache file or node; new ones with `cache: false`. Throws
 * `WrongCache`.
 */
export function sharedFork(
  settings: UpstreamTarget & SharedSettings,
  path: string | undefined,
  block: CachedBlock,
): SharedFork {
  const { cache, warn = () => {} } = settings
  if (path === undefined && cache === false) return sharedWith(memoryStore())
  const key = `${path ?? nameOfNode(settings)} ${block.chainId} ${block.hash}`
  const open = () => (path === undefined ? memoryStore() : fileStore(path, block, warn))
  return forks.get(key) ?? forks.set(key, sharedWith(open()))
}

/** Forgets all shared parts. Open forks keep theirs. */
export function forgetForks(): void {
  knownPoints.clear()
  forks.clear()
}

function sharedWith(store: ExchangeStore): SharedFork {
  return { store, values: new SharedValues(), provenValues: new SharedValues() }
}

function nameOfNode({ url, provider, headers = {} }: UpstreamTarget & SharedSettings): string {
  // Other headers may mean another node.
  if (provider === undefined) return JSON.stringify([url, Object.entries(headers).sort()])
  const name = providers.get(provider) ?? `provider ${++lastProvider}`
  providers.set(provider, name)
  return name
}
