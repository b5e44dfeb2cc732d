/** Values of the state of another node, as they were fetched. */
import type { CachedExchange } from './cacheFile.ts'
import type { Values } from './fetchPlan.ts'

/** A value that was fetched, and the exchanges from which it came. */
export interface Fetched {
  keep(values: Values): void
  readonly exchanges: readonly CachedExchange[]
}

/** What the states of one block in this process share: the values that were fetched, and the fetches that run. */
export class SharedValues {
  /** By the name of the value. */
  readonly fetched = new Map<string, Fetched>()
  /** Resolves when the fetch of a value has ended, well or not. */
  readonly running = new Map<string, Promise<void>>()
  /** The calls whose access list was asked for. */
  readonly calls = new Set<string>()
}
