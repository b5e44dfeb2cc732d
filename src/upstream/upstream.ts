export interface UpstreamRequest {
  readonly method: string
  readonly params: readonly unknown[]
  /**
   * Whether the answer can never change, because the request is about the fork block or an ancestor. Caches store such
   * answers. If the node lacks the block, the request is repeated: a load balancer may have selected a lagging node.
   */
  readonly isImmutable?: boolean
  /** Whether a missing answer is acceptable. A failure then becomes an error answer, without a retry. */
  readonly isOptional?: boolean
}

export interface AnswerError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** The error code in the answer to a failed optional request. In JSON-RPC: "internal error". */
export const UNANSWERED = -32603

export type UpstreamAnswer = { readonly result: unknown } | { readonly error: AnswerError }

export interface Upstream {
  /** The host of the node, for error messages. The rest of the URL may contain an API key. */
  readonly name: string
  /**
   * Sends requests, as one batch if the node takes batches. Returns the answers in the same order. Rejects with
   * `UpstreamFailed` if the node cannot be reached or its answers are invalid. A cache calls `check` before it stores
   * an answer, and rejects with its error. Other implementations may ignore `check` (see `sendChecked`).
   */
  send(
    requests: readonly UpstreamRequest[],
    check?: (answers: readonly UpstreamAnswer[]) => void,
  ): Promise<readonly UpstreamAnswer[]>
  close(): void
}

/** Sends `requests`. Returns the result of `read`, called before the answers are cached. Rejects if `read` throws. */
export async function sendChecked<T>(
  upstream: Upstream,
  requests: readonly UpstreamRequest[],
  read: (answers: readonly UpstreamAnswer[]) => T,
): Promise<T> {
  let found: { readonly value: T } | undefined
  const answers = await upstream.send(requests, (all) => {
    found = { value: read(all) }
  })
  return found === undefined ? read(answers) : (found as { readonly value: T }).value
}

const RIGHT = {
  unreachable: 'the node must be running and reachable at this address; check the URL and the network',
  timeout: 'the node must answer within the timeout; set a longer one (timeoutMs), or use a faster node',
  rateLimited:
    'send fewer requests (requestsPerSecond), keep what was fetched (cache), or use a plan with a higher limit',
  httpStatus: 'the URL and the headers must be those of a JSON-RPC endpoint that this key may use',
  wrongAnswer:
    'the answers of the node must conform to JSON-RPC 2.0 and to the Ethereum JSON-RPC specification',
  wrongProof:
    'the answers of the node must be proven against the state root of the fork block; use another node, or disable proofs',
  refused: 'the request must be one that this node serves',
  notArchive:
    'use an archive node, which keeps the state of all blocks, or fork from one of the newest 128 blocks, whose state a full node keeps',
  behind:
    'the node must have the block; nodes behind one load balancer may differ by a few blocks, so choose an older block',
  reorganised: 'a reorg removed the fork block: choose a finalized block, or fork again',
  otherNetwork: 'name a node of the same network, which has the fork block',
  offline: 'run once without offline, with the same cache, to record it',
  closed: 'make no requests after close()',
} as const satisfies Readonly<Record<string, string>>

export type UpstreamFailureKind = keyof typeof RIGHT

export interface UpstreamFailure {
  readonly kind: UpstreamFailureKind
  readonly upstream: string
  /** Text that names the failed request, such as "no answer to eth_getBalance(0x…)". */
  readonly wrong: string
  /** The response that was received in place of an answer. Contains only the host of the URL. */
  readonly came: string
  readonly right?: string
  readonly error?: AnswerError
}

/** Thrown after all retries. Has no `cause`, because errors of `fetch` contain the URL, which may have an API key. */
export class UpstreamFailed extends Error {
  readonly kind: UpstreamFailureKind
  readonly upstream: string
  readonly error: AnswerError | undefined
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

/** Thrown for a cache file that is invalid or about another block. */
export class WrongCache extends Error {}

/**
 * A report on requests to a node. `node` is only the host, because the URL may contain an API key.
 *
 * - `begun`: a batch of requests was sent.
 * - `ended`: each request of the batch was answered or failed.
 * - `delayed`: an attempt failed and will be repeated.
 * - `cached`: a cache answered requests.
 * - `kept`: a cache stored answers, on disk or in memory.
 */
export type Traffic =
  | { readonly kind: 'begun' | 'ended' | 'cached'; readonly node: string; readonly requests: number }
  | { readonly kind: 'delayed'; readonly node: string; readonly problem: UpstreamFailureKind }
  | {
      readonly kind: 'kept'
      readonly node: string
      readonly requests: number
      readonly isOnDisk: boolean
    }

const watchers = new Set<(traffic: Traffic) => void>()

/** Calls `watcher` for all traffic of this process. Returns a function that removes `watcher`. */
export function watchTraffic(watcher: (traffic: Traffic) => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function tellTraffic(traffic: Traffic): void {
  for (const watcher of watchers) watcher(traffic)
}
