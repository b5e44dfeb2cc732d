/** Filters of logs (seed 2.2). */
import type { Address, Hash } from '../../bytes/hex.ts'
import { fromHex } from '../../bytes/hex.ts'
import type { Selector } from '../selector.ts'

/** The addresses and topics that logs must have to match. */
export interface LogCriteria {
  /** A log matches if it has any of these addresses; if empty, with any address. */
  readonly addresses: readonly Address[]
  /**
   * For each position the topics of which a log must have one; an empty list matches any topic. Has no empty positions
   * at its end.
   */
  readonly topics: readonly (readonly Hash[])[]
  /**
   * The least number of topics that a log must have. As in geth, a log must have as many topics as the filter has
   * positions, empty ones at the end included.
   */
  readonly minimumTopics: number
}

/** The blocks of a log filter: one block by hash, or a range of selectors. */
export type LogRange =
  | { readonly kind: 'block'; readonly hash: Hash }
  | { readonly kind: 'range'; readonly from: Selector | undefined; readonly to: Selector | undefined }

/** A log filter: criteria, and the blocks to search. */
export interface LogFilter {
  readonly criteria: LogCriteria
  readonly range: LogRange
}

/** Returns whether `log` matches the criteria. */
export function matches(log: Log, { addresses, topics, minimumTopics }: LogCriteria): boolean {
  if (log.topics.length < minimumTopics || log.topics.length < topics.length) return false
  if (addresses.length > 0 && !addresses.includes(log.address)) return false
  for (let position = 0; position < topics.length; position++) {
    const wanted = topics[position]!
    if (wanted.length > 0 && !wanted.includes(log.topics[position]!)) return false
  }
  return true
}

/** A log: the emitting contract, topics and data. */
export interface Log {
  readonly address: Address
  /** 0 to 4 topics. */
  readonly topics: readonly Hash[]
  readonly data: Uint8Array
}

/** Returns the log as RLP input: [address, topics, data]. */
export function logFields(log: Log): [Uint8Array, Uint8Array[], Uint8Array] {
  return [fromHex(log.address), log.topics.map(fromHex), log.data]
}
