/** Why another node gave no usable answer. */

/** The kinds of failures, and what would be right instead. */
const RIGHT = {
  unreachable: 'the node must be running and reachable at this address; check the URL and the network',
  timeout: 'the node must answer within the timeout; set a longer one (timeoutMs), or use a faster node',
  rateLimited:
    'send fewer requests (requestsPerSecond), keep what was fetched (cache), or use a plan with a higher limit',
  httpStatus: 'the URL and the headers must be those of a JSON-RPC endpoint that this key may use',
  wrongAnswer: 'the node must answer as JSON-RPC 2.0 and the Ethereum JSON-RPC specification say',
  wrongProof:
    'the node must prove what it says against the state root of the fork block; use another node, or do without proofs',
  refused: 'the request must be one that this node serves',
  notArchive:
    'use an archive node, which keeps the state of all blocks, or fork from a block of which this node has the state (a full node keeps that of the newest 128)',
  behind:
    'the node must have the block; nodes behind one name may be some blocks apart, so choose an older block',
  reorganised: 'the fork block was reorganised away: choose a finalized block, or fork anew',
  otherNetwork: 'name a node of the same network, which has the fork block',
  offline: 'run once without offline, with the same cache, to record it',
  closed: 'make no requests after close()',
} as const satisfies Readonly<Record<string, string>>

/** Why another node gave no usable answer. */
export type UpstreamFailureKind = keyof typeof RIGHT

/** The details of a failure. */
export interface UpstreamFailure {
  readonly kind: UpstreamFailureKind
  /** The node's name: its host. */
  readonly upstream: string
  /** What could not be done, such as "eth_getBalance of 0x…". */
  readonly wrong: string
  /** What came instead of an answer. It never contains more of the node's URL than its host. */
  readonly came: string
  /** What would be right, if it is more than what the kind says. */
  readonly right?: string
  /** The error of the node, if it sent one. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/**
 * Thrown if another node cannot be reached, or gave no usable answer, after all retries. The message has three parts:
 * what could not be done, what came, and what would be right. It has no `cause`: errors of `fetch` contain the URL,
 * and URLs contain keys.
 */
export class UpstreamFailed extends Error {
  readonly kind: UpstreamFailureKind
  readonly upstream: string
  readonly error: UpstreamFailure['error']
  readonly failure: UpstreamFailure

  constructor(failure: UpstreamFailure) {
    const { kind, upstream, wrong, came, right, error } = failure
    super(`${upstream}: ${wrong}: ${came}; ${right ?? RIGHT[kind]}`)
    this.name = 'UpstreamFailed'
    this.kind = kind
    this.upstream = upstream
    this.error = error
    this.failure = failure
  }
}
