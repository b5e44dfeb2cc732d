/**
 * What forks of one block share in this process: what was asked about the block, and what was read of its state. A block
 * names its state, so that a second devnet, fork or test asks for nothing that the first one has fetched.
 */
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import { type CachedBlock, type ExchangeStore, memoryStore } from './cacheFile.ts'
import type { UpstreamTarget } from './connectUpstream.ts'
import { Recent } from './recent.ts'
import { SharedValues } from './sharedValues.ts'

/** What forks of one block share. */
export interface SharedFork {
  readonly store: ExchangeStore
  readonly values: SharedValues
  /** Those that were fetched with proofs. */
  readonly provenValues: SharedValues
  /** The hardforks, once they were asked for. */
  schedule?: Promise<ForkSchedule>
}

/** By the path of the file, or the URL and the headers; and the block. */
let named = new Recent<SharedFork>()
/** Of providers, by the block: a provider that is gone needs none. */
let ofProviders = new WeakMap<object, Recent<SharedFork>>()

/** Returns what forks share that use the cache file at `path`, which `open` opens if no other did before. */
export function sharedByFile(path: string, block: CachedBlock, open: () => ExchangeStore): SharedFork {
  return sharedIn(named, `${path} ${keyOf(block)}`, open)
}

/** Returns what forks share that have no file, by their node. Nodes with other headers may be others. */
export function sharedByNode(
  target: UpstreamTarget & { readonly headers?: object | undefined },
  block: CachedBlock,
): SharedFork {
  const { url, provider, headers = {} } = target
  if (provider === undefined) {
    const node = JSON.stringify([url, Object.entries(headers).sort()])
    return sharedIn(named, `${node} ${keyOf(block)}`, memoryStore)
  }
  const known = ofProviders.get(provider) ?? new Recent<SharedFork>()
  ofProviders.set(provider, known)
  return sharedIn(known, keyOf(block), memoryStore)
}

/** Returns what one fork alone has. */
export function unshared(): SharedFork {
  return sharedWith(memoryStore())
}

function sharedWith(store: ExchangeStore): SharedFork {
  return { store, values: new SharedValues(), provenValues: new SharedValues() }
}

/** Forgets what forks of this process share. Those that are open keep it. */
export function forgetShared(): void {
  named = new Recent()
  ofProviders = new WeakMap()
}

function keyOf({ chainId, hash }: CachedBlock): string {
  return `${chainId} ${hash}`
}

function sharedIn(known: Recent<SharedFork>, key: string, open: () => ExchangeStore): SharedFork {
  return known.find(key) ?? known.keep(key, sharedWith(open()))
}
