/** Logs, their Bloom filters (Yellow Paper 4.3.1), and log filters. */
import { type Address, fromHex, type Hash, type Hex } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { Selector } from '../block/selector.ts'

export interface Log {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Uint8Array
}

/** Returns the log as RLP input: [address, topics, data]. */
export function logFields(log: Log): [Uint8Array, Uint8Array[], Uint8Array] {
  return [fromHex(log.address), log.topics.map(fromHex), log.data]
}

/** 256 bytes. */
export type Bloom = Uint8Array

export const EMPTY_BLOOM: Bloom = new Uint8Array(256)

/** Returns the Bloom filter of `logs`; for an empty list the shared `EMPTY_BLOOM`. */
export function bloomOf(logs: readonly Log[]): Bloom {
  if (logs.length === 0) return EMPTY_BLOOM
  const bloom = new Uint8Array(256)
  for (const log of logs) {
    add(bloom, log.address)
    for (const topic of log.topics) add(bloom, topic)
  }
  return bloom
}

export function union(blooms: readonly Bloom[]): Bloom {
  const set = blooms.filter((bloom) => bloom !== EMPTY_BLOOM)
  if (set.length === 0) return EMPTY_BLOOM
  const union = new Uint8Array(256)
  for (const bloom of set) for (let i = 0; i < 256; i++) union[i]! |= bloom[i]!
  return union
}

function add(bloom: Uint8Array, item: Hex): void {
  const hash = keccak256(fromHex(item))
  for (let i = 0; i < 6; i += 2) {
    const bit = ((hash[i]! << 8) | hash[i + 1]!) & 2047
    bloom[255 - (bit >> 3)]! |= 1 << (bit & 7)
  }
}

export interface LogCriteria {
  /** The log must have one of these addresses. An empty list matches any address. */
  readonly addresses: readonly Address[]
  /** For each position, the allowed topics of the log; an empty list allows any topic. The last list is not empty. */
  readonly topics: readonly (readonly Hash[])[]
  /** The minimum number of a log's topics: the number of lists in the filter, including empty last ones, as in geth. */
  readonly minimumTopics: number
}

/** The blocks that a log filter searches: one block by hash, or a range of selectors. */
export type LogRange =
  | { readonly kind: 'block'; readonly hash: Hash }
  | { readonly kind: 'range'; readonly from: Selector | undefined; readonly to: Selector | undefined }

export interface LogFilter {
  readonly criteria: LogCriteria
  readonly range: LogRange
}

export function matches(log: Log, { addresses, topics, minimumTopics }: LogCriteria): boolean {
  if (log.topics.length < minimumTopics || log.topics.length < topics.length) return false
  if (addresses.length > 0 && !addresses.includes(log.address)) return false
  for (let position = 0; position < topics.length; position++) {
    const wanted = topics[position]!
    if (wanted.length > 0 && !wanted.includes(log.topics[position]!)) return false
  }
  return true
}
