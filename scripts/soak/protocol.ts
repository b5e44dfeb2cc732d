/** What the devnet's process and that of its audience tell each other: both sides know this file alone. */

/** What the audience is asked for first. */
export interface Wanted {
  readonly url: string
  /** Connections that subscribe to `newHeads` and `logs`. */
  readonly subscribers: number
  /** Subscriptions to `logs` of one connection more, which reads nothing until it is told to. */
  readonly stalledSubscriptions: number
}

/** Its answer when all are subscribed. */
export interface Ready {
  readonly kind: 'ready'
}

/** What it is told next: the connection that has stopped reading reads again. */
export interface Read {
  readonly kind: 'read'
}

/** What it is told in the end: what was there to be seen since all were subscribed. */
export interface Shown {
  /** Number of the first block. Whoever subscribed earlier has seen others before. */
  readonly first: number
  readonly heads: readonly string[]
  readonly logs: readonly string[]
}

/** And what it answers. */
export interface Seen {
  readonly kind: 'seen'
  /** A sentence for each subscriber that has seen anything else. */
  readonly faults: readonly string[]
  /** How the connection that had stopped reading was ended; `undefined`: it was not. */
  readonly stalled: Closed | undefined
}

export interface Closed {
  readonly code: number
  readonly reason: string
}

/** A head, or a sealed block, as what it is known by. */
export function headName({ number, hash, parentHash }: Record<string, unknown>): string {
  return `${number} ${hash} after ${parentHash}`
}

/** The same for a log. */
export function logName({
  blockHash,
  transactionHash,
  logIndex,
  topics,
  data,
}: Record<string, unknown>): string {
  return `${logIndex} of ${blockHash}, of ${transactionHash}: ${topics} ${data}`
}
