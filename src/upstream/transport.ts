/** A way to another node, over which JSON-RPC goes and comes back. */
import type { UpstreamFailureKind } from './upstreamFailed.ts'

/** A request of JSON-RPC. */
export interface RpcCall {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** What prevented an answer. */
export interface Problem {
  readonly kind: UpstreamFailureKind
  /** What came instead of an answer, without keys. */
  readonly came: string
  /** Whether the same request may be answered later. */
  readonly isTransient: boolean
  /** How long the node wants to be left alone, in milliseconds. */
  readonly waitMs?: number
  /** Whether the node refused the batch as a batch, or because it or its answer was too large. */
  readonly batch?: 'refused' | 'tooLarge'
}

/** The outcome of one exchange: parsed JSON, or what prevented it. */
export type Reply =
  | { readonly kind: 'json'; readonly value: unknown; readonly refusal?: Problem }
  | { readonly kind: 'failed'; readonly problem: Problem }

/** A way to another node. */
export interface Transport {
  /** The node's host. */
  readonly name: string
  /** Whether several requests can go together. */
  readonly takesBatches: boolean
  /** Returns `text` without what may be a key. */
  scrub(text: string): string
  /**
   * Sends one request or a batch, and returns what came back. Never rejects. Ends soon after `signal` is aborted.
   */
  exchange(payload: RpcCall | readonly RpcCall[], signal: AbortSignal): Promise<Reply>
  /** Ends the connection. */
  close(): void
}

/** Returns a reply that is a problem. */
export function failed(problem: Problem): Reply {
  return { kind: 'failed', problem }
}

/** Returns the beginning of a text from a node, on one line, for a message. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
