import { LruCache } from '../model/collections/lruCache.ts'
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import { type CachedBlock, type ExchangeStore, fileStore, memoryStore } from './cacheFile.ts'
import type { UpstreamTarget } from './connection.ts'
import type { ForkPoint } from './forkPoint.ts'
import type { Fetched } from './stateRequests.ts'

export class SharedValues {
  readonly fetched = new Map<string, Fetched>()
  /** Running fetches, keyed by `missingValueKey`. Each promise resolves when the fetch succeeds or fails. */
  readonly running = new Map<string, Promise<void>>()
  readonly calls = new Set<string>()
}

export interface SharedFork {
  readonly store: ExchangeStore
  readonly values: SharedValues
  readonly provenValues: SharedValues
  schedule?: Promise<ForkSchedule>
}

const MOST = 8

const forks = new LruCache<string, SharedFork>(MOST)
/** Fork points, keyed by node (`nameOfNode`) and fork block, so that a second fork in this process sends no request. */
export const knownPoints = new LruCache<string, ForkPoint>(MOST)
const providers = new WeakMap<object, string>()
let lastProvider = 0

interface SharedSettings {
  readonly headers?: Readonly<Record<string, string>>
  readonly cache?: string | false
  readonly warn?: (message: string) => void
}

/** Returns the objects that all forks of `block` share; new ones with `cache: false`. Throws `WrongCache`. */
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

/** Drops everything that later forks would share. Open forks keep their own references. */
export function forgetForks(): void {
  knownPoints.clear()
  forks.clear()
}

function sharedWith(store: ExchangeStore): SharedFork {
  return { store, values: new SharedValues(), provenValues: new SharedValues() }
}

/** Returns a unique name of a node. It includes the headers, because other headers may lead to another node. */
export function nameOfNode({ url, provider, headers = {} }: UpstreamTarget & SharedSettings): string {
  if (provider === undefined) return JSON.stringify([url, Object.entries(headers).sort()])
  const name = providers.get(provider) ?? `provider ${++lastProvider}`
  providers.set(provider, name)
  return name
}
