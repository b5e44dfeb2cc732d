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

/** The number of blocks that are remembered, for each provider and for all URLs and files together. */
const MOST = 8

/** By the path of the cache file, or the URL and the headers; and the block. */
const named = new LruCache<string, SharedFork>(MOST)
/** By the provider, then by the block. */
let ofProviders = new WeakMap<object, LruCache<string, SharedFork>>()
/** Fork blocks by the URL and the option: a second fork of this process requests nothing. */
export const knownPoints = new LruCache<string, ForkPoint>(MOST)

/**
 * Returns the shared parts of forks of `block` with this cache file or node; new ones with `cache: false`. Throws
 * `WrongCache`.
 */
export function sharedFork(
  {
    url,
    provider,
    headers = {},
    cache,
    warn = () => {},
  }: UpstreamTarget & {
    readonly headers?: Readonly<Record<string, string>>
    readonly cache?: string | false
    readonly warn?: (message: string) => void
  },
  path: string | undefined,
  block: CachedBlock,
): SharedFork {
  const key = `${block.chainId} ${block.hash}`
  if (path !== undefined) return sharedIn(named, `${path} ${key}`, () => fileStore(path, block, warn))
  if (cache === false) return sharedWith(memoryStore())
  if (provider === undefined) {
    // Other headers may mean another node.
    const node = JSON.stringify([url, Object.entries(headers).sort()])
    return sharedIn(named, `${node} ${key}`, memoryStore)
  }
  const known = ofProviders.get(provider) ?? new LruCache<string, SharedFork>(MOST)
  ofProviders.set(provider, known)
  return sharedIn(known, key, memoryStore)
}

/** Forgets all shared parts. Open forks keep theirs. */
export function forgetForks(): void {
  knownPoints.clear()
  named.clear()
  ofProviders = new WeakMap()
}

function sharedWith(store: ExchangeStore): SharedFork {
  return { store, values: new SharedValues(), provenValues: new SharedValues() }
}

function sharedIn(known: LruCache<string, SharedFork>, key: string, open: () => ExchangeStore): SharedFork {
  return known.get(key) ?? known.set(key, sharedWith(open()))
}
