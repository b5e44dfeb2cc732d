/** Another node that answers JSON-RPC: the network that a devnet was forked from. */

/** A request to another node. */
export interface UpstreamRequest {
  readonly method: string
  readonly params: readonly unknown[]
  /**
   * Whether the answer can never change, because it is about a block that the chain has, such as the fork block or an
   * older one. Such answers are kept by caches; and if the node says that it does not have the block, it is asked
   * again, because it has moved back or another node behind the same name has answered.
   */
  readonly isImmutable?: boolean
  /** Whether the others can do without it: if it cannot be answered, the answer is an error, and nothing is repeated. */
  readonly isOptional?: boolean
}

/** An answer of another node: a result, or an error of JSON-RPC. */
export type UpstreamAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }

/** Another node. */
export interface Upstream {
  /** The node as messages name it: its host, never its path or query, which may hold a key. */
  readonly name: string
  /**
   * Sends requests together, as one batch where the node takes batches. Returns the answers in the order of the
   * requests. Rejects with `UpstreamFailed` if the node cannot be reached or its answers make no sense.
   *
   * A cache calls `check` with the answers before it keeps any: what that throws, this rejects with. Others need not: who
   * wants answers to be checked in any case calls `sendChecked`.
   */
  send(
    requests: readonly UpstreamRequest[],
    check?: (answers: readonly UpstreamAnswer[]) => void,
  ): Promise<readonly UpstreamAnswer[]>
  /** Ends all connections. */
  close(): void
}
