/** Another node that answers JSON-RPC: the network that a devnet was forked from. */

/** A request to another node. */
export interface UpstreamRequest {
  readonly method: string
  readonly params: readonly unknown[]
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
   */
  send(requests: readonly UpstreamRequest[]): Promise<readonly UpstreamAnswer[]>
  /** Ends all connections. */
  close(): void
}
