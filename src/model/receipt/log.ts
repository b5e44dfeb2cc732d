/** An event that a contract emitted, without its place in a block. */
import { type Address, fromHex, type Hash } from '../../bytes/hex.ts'

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
