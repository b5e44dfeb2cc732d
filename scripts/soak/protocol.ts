/**
 * Messages between the devnet's process and its audience: `Wanted`, answered with 'ready' when all are subscribed; 'read', with which
 * the stalled connection reads again; `Shown`, answered with `Seen`.
 */

export interface Wanted {
  readonly url: string
  /** Connections that subscribe to `newHeads` and `logs`. */
  readonly subscribers: number
  /** Subscriptions to `logs` of one more connection, which does not read until 'read'. */
  readonly stalledSubscriptions: number
}

/** The blocks and logs since all were subscribed. */
export interface Shown {
  /** Number of the first block. Connections that subscribed earlier have received others before. */
  readonly first: number
  readonly heads: readonly string[]
  readonly logs: readonly string[]
}

export interface Seen {
  /** A sentence for each subscriber with other notifications. */
  readonly faults: readonly string[]
  /** How the stalled connection was closed; `undefined`: it is open. */
  readonly stalled: Closed | undefined
}

export interface Closed {
  readonly code: number
  readonly reason: string
}

/** Identifies a head or a sealed block. */
export function headName({ number, hash, parentHash }: Record<string, unknown>): string {
  return `${number} ${hash} after ${parentHash}`
}

export function logName({
  blockHash,
  transactionHash,
  logIndex,
  topics,
  data,
}: Record<string, unknown>): string {
  return `${logIndex} of ${blockHash}, of ${transactionHash}: ${topics} ${data}`
}
